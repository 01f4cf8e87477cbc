// The request that would be sent next, block by block; and where an unknown window is typed in.
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { splitModel } from '../../../shared/model/agent';
import type { ContextBlock, ContextView } from '../../../shared/model/contextView';
import { loadContext, saveWindow } from '../../state/contextView';
import { useNextAgent } from '../../state/nextAgent';
import { useConversationId } from '../../state/talkSlice';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import { formatNumber } from '../../ui/format';
import { TextField } from '../../ui/TextField';
import styles from './ContextRing.module.css';
import { fillOf } from './contextFill';

export function ContextBlocks({ view }: { view: ContextView }) {
  const { t, i18n } = useTranslation('composer');
  const number = (value: number) => formatNumber(value, i18n.language);
  const { tokens, window } = view;
  const blocks = view.blocks.filter((block) => block.tokens > 0);
  const reserve = blocks.find((block) => block.name === 'reserve')?.tokens ?? 0;
  const whole = Math.max(window ?? 0, tokens + reserve, 1);
  const free = window === null ? 0 : Math.max(0, window - tokens - reserve);
  const fill = fillOf(view);
  const marked = (['threshold', 'requestThreshold'] as const).flatMap((name) => {
    const at = view.lines[name];
    return at === null ? [] : [{ name, at }];
  });
  return (
    <div className={styles.blocks}>
      <h3 className={styles.title}>{t('context.title')}</h3>
      <p className={styles.sum}>
        {window === null
          ? t('context.textUnknown', { tokens: number(tokens) })
          : t('context.text', { tokens: number(tokens), window: number(window), percent: Math.round((100 * tokens) / window) })}
      </p>
      <div className={styles.whole} aria-hidden="true">
        <div className={styles.stack}>
          {blocks.map((block) => (
            <i key={block.name} className={styles[block.name]} style={{ width: `${(100 * block.tokens) / whole}%` }} />
          ))}
        </div>
        {marked.map(({ name, at }) => (
          <b key={name} className={styles.mark} style={{ insetInlineStart: `${(100 * at) / whole}%` }} />
        ))}
      </div>
      <ul className={styles.legend}>
        {blocks.map((block) => (
          <Block key={block.name} name={block.name} words={t(`context.blocks.${block.name}`)} tokens={number(block.tokens)} />
        ))}
        {free > 0 ? <Block name="free" words={t('context.free')} tokens={number(free)} /> : null}
      </ul>
      {marked.map(({ name, at }) => (
        <p key={name} className={styles.line}>
          {t(`context.lines.${name}`, { tokens: number(at) })}
        </p>
      ))}
      {fill === 'calm' ? null : <p className={styles.warning}>{t(`context.${fill}`)}</p>}
      {window === null ? <WindowField /> : null}
      <p className={styles.note}>{t(view.reported ? 'context.reported' : 'context.estimated')}</p>
    </div>
  );
}

function Block({ name, words, tokens }: { name: ContextBlock['name'] | 'free'; words: string; tokens: string }) {
  return (
    <li>
      <i className={cx(styles.swatch, styles[name])} aria-hidden="true" />
      <span>{words}</span>
      <span className={styles.tokens}>{tokens}</span>
    </li>
  );
}

function WindowField() {
  const { t } = useTranslation('composer');
  const conversationId = useConversationId();
  const { agent } = useNextAgent();
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState(false);
  if (!agent?.model) return null;
  const { modelId } = splitModel(agent.model);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const tokens = Number(text.replace(/[\s,._]/g, ''));
    const valid = Number.isInteger(tokens) && tokens >= 256;
    setWrong(!valid);
    if (valid && agent.model && (await saveWindow(agent.model, tokens))) await loadContext(conversationId, agent.id);
  };
  return (
    <form className={styles.window} onSubmit={(event) => void save(event)}>
      <p>{t('context.windowUnknown', { model: modelId })}</p>
      <div className={styles.windowRow}>
        <TextField
          label={t('context.windowLabel')}
          hint={t('context.windowHint')}
          error={wrong ? t('context.windowInvalid') : null}
          value={text}
          onChange={setText}
          inputMode="numeric"
          code
        />
        <Button type="submit" look="primary">
          {t('context.windowSave')}
        </Button>
      </div>
    </form>
  );
}
