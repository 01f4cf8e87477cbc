// Going back to a checkpoint (C3): what came after stays as a branch; words written here are carried back as a digest.
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../shared/model/failure';
import { rewindTo } from '../../state/checkpointActs';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { useFailureTitle } from '../../ui/FailureText';
import { TextArea } from '../../ui/TextArea';

export function RewindDialog({ label, onClose }: { label: string; onClose(): void }) {
  const { t } = useTranslation('talk');
  const title = useFailureTitle();
  const form = useId();
  const [digest, setDigest] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const refused = await rewindTo(label, digest);
    setBusy(false);
    setFailure(refused);
    if (!refused) onClose();
  };
  return (
    <Dialog
      title={t('rewind.title', { label })}
      description={t('rewind.text')}
      size="small"
      onClose={onClose}
      focusFirst="textarea"
      footer={
        <>
          <Button onClick={onClose}>{t('rewind.cancel')}</Button>
          <Button type="submit" form={form} look="primary" busy={busy}>
            {t('rewind.button')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)}>
        <TextArea
          label={t('rewind.digest')}
          hint={t('rewind.digestHint')}
          error={failure ? title(failure) : null}
          value={digest}
          maxLength={100_000}
          onChange={setDigest}
        />
      </form>
    </Dialog>
  );
}
