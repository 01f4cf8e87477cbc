// The files of the open conversation: what was attached to it, and what agents read or changed on this path. Each leads to its message.
import { FileText } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { uncoverTalk } from '../../state/layoutSlice';
import { openConversation, useConversationId, useLoadedPath } from '../../state/talkSlice';
import { useTouchedFiles } from '../../state/useTouchedFiles';
import { EmptyState } from '../../ui/EmptyState';
import { AttachedFiles } from './AttachedFiles';
import { filesOf } from './filesOf';
import { TouchedByAgents } from './TouchedByAgents';

export function Files() {
  const { t } = useTranslation('app');
  const path = useLoadedPath();
  const conversationId = useConversationId();
  const attached = useMemo(() => filesOf(path), [path]);
  const touched = useTouchedFiles(conversationId, path.tipId);
  if (attached.length === 0 && touched.files?.length === 0) {
    return (
      <EmptyState icon={<FileText aria-hidden="true" />} title={t('files.emptyTitle')}>
        {t('files.empty')}
      </EmptyState>
    );
  }
  const go = (depth: number) => {
    uncoverTalk();
    if (conversationId) void openConversation(conversationId, depth);
  };
  return (
    <>
      {attached.length > 0 ? <AttachedFiles files={attached} onGo={go} /> : null}
      <TouchedByAgents touched={touched} onGo={go} />
    </>
  );
}
