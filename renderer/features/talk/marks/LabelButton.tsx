// A label for a message (T10): a small popover with one field, built once it is asked for.
import { Bookmark } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../../shared/model/failure';
import type { MessageId } from '../../../../shared/model/ids';
import { labelText } from '../../../../shared/model/mark';
import { removeLabel, setLabel } from '../../../state/markActs';
import { useLabelOf } from '../../../state/talkSlice';
import { Button } from '../../../ui/Button';
import { useFailureTitle } from '../../../ui/FailureText';
import { PopoverButton } from '../../../ui/PopoverButton';
import { TextField } from '../../../ui/TextField';
import styles from './Marks.module.css';

export function LabelButton({ messageId }: { messageId: MessageId }) {
  const { t } = useTranslation('marks');
  return (
    <PopoverButton label={t('label.act')} tooltip={t('label.hint')} title={t('label.title')} icon={<Bookmark aria-hidden="true" />}>
      {(close) => <LabelForm messageId={messageId} onDone={close} />}
    </PopoverButton>
  );
}

function LabelForm({ messageId, onDone }: { messageId: MessageId; onDone(): void }) {
  const { t } = useTranslation('marks');
  const title = useFailureTitle();
  const known = useLabelOf(messageId);
  const [label, setText] = useState(known ?? '');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const parsed = labelText.safeParse(label);
  const act = async (call: () => Promise<Failure | null>) => {
    if (busy) return;
    setBusy(true);
    const refused = await call();
    setBusy(false);
    setFailure(refused);
    if (!refused) onDone();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (parsed.success) void act(() => setLabel(messageId, parsed.data));
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label={t('label.field')}
        error={failure ? title(failure) : null}
        value={label}
        maxLength={80}
        onChange={(text) => {
          setText(text);
          setFailure(null);
        }}
      />
      <span className={styles.buttons}>
        <Button type="submit" look="primary" size="small" busy={busy} disabled={!parsed.success}>
          {t('label.set')}
        </Button>
        {known === null ? null : (
          <Button size="small" onClick={() => void act(() => removeLabel(messageId))}>
            {t('label.remove')}
          </Button>
        )}
      </span>
    </form>
  );
}
