// Names a message so that one can come back to it (C1): a small popover with one field, built once it is asked for.
import { Flag } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkpointLabel } from '../../../shared/model/checkpoint';
import type { Failure } from '../../../shared/model/failure';
import type { MessageId } from '../../../shared/model/ids';
import { addCheckpoint } from '../../state/checkpointActs';
import { Button } from '../../ui/Button';
import { useFailureTitle } from '../../ui/FailureText';
import { PopoverButton } from '../../ui/PopoverButton';
import { TextField } from '../../ui/TextField';
import styles from './Checkpoint.module.css';

export function CheckpointButton({ messageId }: { messageId: MessageId }) {
  const { t } = useTranslation('talk');
  return (
    <PopoverButton
      label={t('actions.checkpoint')}
      tooltip={t('actions.checkpointHint')}
      title={t('checkpoint.new')}
      icon={<Flag aria-hidden="true" />}
    >
      {(close) => <LabelForm messageId={messageId} onDone={close} />}
    </PopoverButton>
  );
}

function LabelForm({ messageId, onDone }: { messageId: MessageId; onDone(): void }) {
  const { t } = useTranslation('talk');
  const title = useFailureTitle();
  const [label, setLabel] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const parsed = checkpointLabel.safeParse(label);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!parsed.success || busy) return;
    setBusy(true);
    const refused = await addCheckpoint(messageId, parsed.data);
    setBusy(false);
    setFailure(refused);
    if (!refused) onDone();
  };
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <TextField
        label={t('checkpoint.label')}
        hint={t('checkpoint.hint')}
        error={failure ? title(failure) : null}
        value={label}
        maxLength={80}
        onChange={(text) => {
          setLabel(text);
          setFailure(null);
        }}
      />
      <Button type="submit" look="primary" size="small" busy={busy} disabled={!parsed.success}>
        {t('checkpoint.set')}
      </Button>
    </form>
  );
}
