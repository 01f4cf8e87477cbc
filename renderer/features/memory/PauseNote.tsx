// Why automatic passes rest, with the way on; and the pass that runs, with the way to stop it (L12, L13, L19).
import { PauseCircle, Play } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AgentId, ConversationId } from '../../../shared/model/ids';
import type { MemoryView } from '../../../shared/model/memoryView';
import { useWorkspace } from '../../state/appSlice';
import { redoMemory, resumePasses } from '../../state/memorySlice';
import { stopPass, useRunningPass } from '../../state/passSlice';
import { Button } from '../../ui/Button';
import { formatNumber } from '../../ui/format';
import { useRunningWords } from '../../ui/memoryWords';
import noteStyles from './PauseNote.module.css';

export function PauseNote({ view }: { view: MemoryView }) {
  const { t, i18n } = useTranslation('memory');
  const writable = useWorkspace()?.status !== 'readOnly';
  const { pause, conversationId, agentId } = view;
  if (!pause) return null;
  const place = { conversationId, agentId };
  const parts = pause.why === 'thrash' ? pause.parts : [];
  return (
    <div className={noteStyles.pause}>
      <PauseCircle aria-hidden="true" />
      <div className={noteStyles.pauseWords}>
        <p>{t(`pause.${pause.why}`, { count: pause.why === 'failures' ? pause.count : 0 })}</p>
        {parts.length > 0 ? (
          <ul>
            {parts.map(({ name, tokens, bytes }) => (
              <li key={name}>
                {bytes === undefined
                  ? t('pause.thrashPart', { part: t(`parts.${name}`), tokens: formatNumber(tokens, i18n.language) })
                  : t('pause.thrashPartBytes', { part: t(`parts.${name}`), bytes })}
              </li>
            ))}
          </ul>
        ) : null}
        {!writable ? null : pause.why === 'undone' ? (
          <Button size="small" onClick={() => void redoMemory(place, pause.recordId)}>
            {t('redo')}
          </Button>
        ) : (
          <Button size="small" icon={<Play aria-hidden="true" />} onClick={() => void resumePasses(place)}>
            {t('resume')}
          </Button>
        )}
      </div>
    </div>
  );
}

export function RunningNote({ place }: { place: { conversationId: ConversationId; agentId: AgentId } }) {
  const { t } = useTranslation('memory');
  const pass = useRunningPass(place);
  const words = useRunningWords();
  if (!pass) return null;
  return (
    <div className={noteStyles.running}>
      <span className={noteStyles.pulse} aria-hidden="true" />
      <span className={noteStyles.pauseWords} role="status">
        {words(pass)}
      </span>
      <Button size="small" aria-label={t('stopLabel')} onClick={() => void stopPass(place)}>
        {t('stop')}
      </Button>
    </div>
  );
}
