// Asks what is carried along when a branch is left (T11): nothing, a digest, or one about what the person names.
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { focusLimit } from '../../../shared/model/carry';
import { type CarryChoice, closeLeaving, confirmLeaving, useLeavingQuestion } from '../../state/leavingSlice';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { RadioList } from '../../ui/RadioList';
import { TextField } from '../../ui/TextField';
import styles from './Carry.module.css';

const choices: readonly CarryChoice[] = ['nothing', 'automatic', 'focus'];

export function CarryDialog() {
  const asking = useLeavingQuestion();
  return asking ? <Question isMove={asking.type === 'going'} messages={asking.type === 'left' ? asking.messages : null} /> : null;
}

function Question({ isMove, messages }: { isMove: boolean; messages: number | null }) {
  const { t } = useTranslation('talk');
  const form = useId();
  const [choice, setChoice] = useState<CarryChoice>('automatic');
  const [focus, setFocus] = useState('');
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (choice === 'focus') field.current?.focus();
  }, [choice]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const lacks = choice === 'focus' && focus.trim() === '';
    setMissing(lacks);
    if (lacks) field.current?.focus();
    else void confirmLeaving(choice, focus);
  };
  return (
    <Dialog
      title={t('carry.title')}
      description={messages === null ? t('carry.going') : t('carry.left', { count: messages })}
      size="small"
      onClose={closeLeaving}
      focusFirst="input:checked"
      footer={
        <>
          <Button onClick={closeLeaving}>{t('carry.cancel')}</Button>
          <Button type="submit" form={form} look="primary">
            {t(isMove ? 'carry.go' : 'carry.done')}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit}>
        <RadioList
          label={t('carry.choices')}
          value={choice}
          onChange={(next) => {
            setChoice(next);
            setMissing(false);
          }}
          options={choices.map((value) => ({ value, label: t(`carry.choice.${value}.name`), hint: t(`carry.choice.${value}.hint`) }))}
        />
        {choice === 'focus' ? (
          <TextField
            ref={field}
            label={t('carry.focus')}
            hint={t('carry.focusHint')}
            error={missing ? t('carry.focusMissing') : null}
            value={focus}
            maxLength={focusLimit}
            onChange={(words) => {
              setFocus(words);
              setMissing(false);
            }}
          />
        ) : null}
      </form>
    </Dialog>
  );
}
