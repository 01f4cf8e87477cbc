// A conversation without messages: what it is for, who would answer, and four ways to begin.
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Agent } from '../../../shared/model/agent';
import { openSettings, useWorkspace } from '../../state/appSlice';
import { composerState, useIsSending, writeDraft } from '../../state/composerSlice';
import { demoSizeOf, otherDemo } from '../../state/demoModels';
import { chooseModel, type NextAgent, useNextAgent } from '../../state/nextAgent';
import { sendDraft } from '../../state/sendDraft';
import { Button } from '../../ui/Button';
import styles from './EmptyTalk.module.css';

const starters = ['plan', 'explain', 'write', 'compare'] as const;
/** Orders that the demo follows. */
const demoStarters = ['everything', 'think', 'stop', 'fail'] as const;

export function EmptyTalk() {
  const { t } = useTranslation('talk');
  const next = useNextAgent();
  const readOnly = useWorkspace()?.status === 'readOnly';
  return (
    <div className={styles.scroller}>
      <div className={styles.empty}>
        <BranchMark />
        <h2 className={styles.title}>{t('empty.title')}</h2>
        <p className={styles.text}>{readOnly ? t('empty.readOnly') : t('empty.text')}</p>
        {readOnly ? null : <WhoAnswers next={next} />}
        {readOnly ? null : <Starters next={next} />}
      </div>
    </div>
  );
}

function WhoAnswers({ next }: { next: NextAgent }) {
  const { t } = useTranslation('talk');
  if (!next.agent || !next.ready) {
    return (
      <div className={styles.missing}>
        <p>{t('empty.noModel')}</p>
        <Button look="primary" onClick={() => openSettings('providers')}>
          {t('empty.chooseModel')}
        </Button>
      </div>
    );
  }
  const text = next.demo ? t('empty.demo') : t('empty.ready', { agent: next.agent.name, model: next.modelName ?? '' });
  return (
    <>
      <p className={styles.who}>{text}</p>
      <DemoWindow next={next} agent={next.agent} />
    </>
  );
}

/** What the demo's window is good for, and the way to the other size. */
function DemoWindow({ next, agent: { id, model } }: { next: NextAgent; agent: Agent }) {
  const { t } = useTranslation('talk');
  const size = demoSizeOf(next);
  if (size === null || model === null) return null;
  return (
    <p className={styles.window}>
      <span>{t(`empty.window.${size}`)}</span>
      <Button size="small" onClick={() => void chooseModel(id, otherDemo(model))}>
        {t(`empty.other.${size}`)}
      </Button>
    </p>
  );
}

function Starters({ next }: { next: NextAgent }) {
  const { t } = useTranslation('talk');
  const sending = useIsSending();
  const id = useId();
  const begin = (prompt: string) => {
    // What was typed already is worth more than a starter: it is never replaced.
    const typed = composerState().draft.text.trim() !== '';
    if (typed || !next.agent || !next.ready) {
      if (!typed) writeDraft(prompt);
      window.dispatchEvent(new CustomEvent('bough:focus-composer'));
      return;
    }
    writeDraft(prompt);
    void sendDraft(prompt, next.agent.id);
  };
  return (
    <section aria-labelledby={id} className={styles.starters}>
      <h3 id={id} className={styles.hidden}>
        {t('empty.starters')}
      </h3>
      {(next.demo ? demoStarters : starters).map((name) => (
        <Starter key={name} title={t(`starters.${name}.title`)} disabled={sending} onSelect={() => begin(t(`starters.${name}.prompt`))}>
          {t(`starters.${name}.prompt`)}
        </Starter>
      ))}
    </section>
  );
}

function Starter({ title, disabled, onSelect, children }: { title: string; disabled: boolean; onSelect(): void; children: ReactNode }) {
  return (
    <button type="button" className={styles.starter} disabled={disabled} onClick={onSelect}>
      <span className={styles.starterTitle}>{title}</span>
      <span className={styles.starterText}>{children}</span>
    </button>
  );
}

/** A path with two branches: what a conversation is here. */
function BranchMark() {
  return (
    <svg className={styles.mark} viewBox="0 0 48 48" aria-hidden="true">
      <path d="M24 42V14M24 28c0-8 12-5 12-14M24 34c0-6-12-4-12-12" />
      <circle cx="36" cy="11" r="3" />
      <circle cx="12" cy="19" r="3" />
      <circle cx="24" cy="9" r="4" className={styles.tip} />
    </svg>
  );
}
