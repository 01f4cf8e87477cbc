// A failure in words: what happened by its code, what to do next, and the provider's own text as it stands.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure, FailureCode } from '../../shared/model/failure';
import styles from './FailureText.module.css';
import { formatBytes, formatNumber } from './format';

/** Where a failure is mended: the view shows the button that fits. */
export type Remedy = 'retry' | 'provider' | 'model' | 'attachment' | 'workspace' | 'settingsFile' | 'none';

const remedies: Partial<Record<FailureCode, Remedy>> = {
  noKey: 'provider',
  badKey: 'provider',
  forbidden: 'provider',
  badUrl: 'provider',
  providerUnknown: 'model',
  noModel: 'model',
  unknownModel: 'model',
  agentUnknown: 'model',
  overflowTokens: 'model',
  overflowBytes: 'attachment',
  fileTooLarge: 'attachment',
  fileUnsupported: 'attachment',
  fileEmpty: 'attachment',
  imageUnreadable: 'attachment',
  pdfUnreadable: 'attachment',
  fileGone: 'attachment',
  tooManyFiles: 'attachment',
  workspaceLocked: 'workspace',
  workspaceReadOnly: 'workspace',
  workspaceGone: 'workspace',
  diskFull: 'workspace',
  databaseNewer: 'workspace',
  databaseCorrupt: 'workspace',
  settingsInvalid: 'settingsFile',
};

export function remedyOf(failure: Failure): Remedy {
  return remedies[failure.code] ?? (failure.retryable ? 'retry' : 'none');
}

/** Codes whose sentence alone says too little: main's own words are shown with it. */
const spoken: ReadonlySet<FailureCode> = new Set([
  'internal',
  'badRequest',
  'badResponse',
  'invalidInput',
  'settingsInvalid',
  'backupInvalid',
  'refused',
]);
const sizes: ReadonlySet<FailureCode> = new Set(['fileTooLarge', 'overflowBytes', 'diskFull']);

/** The sentence for a failure, for a place with room for one line. */
export function useFailureTitle(): (failure: Failure) => string {
  const { t, i18n } = useTranslation('failure');
  return (failure) => t(`${failure.code}.title`, valuesOf(failure, t, i18n.language));
}

type Translate = (key: string) => string;
function valuesOf(failure: Failure, t: Translate, language: string): Record<string, string> {
  const { detail = {}, code } = failure;
  const amount = (value: number | undefined) => {
    if (value === undefined) return t('unknownAmount');
    return sizes.has(code) ? formatBytes(value, language) : formatNumber(value, language);
  };
  return {
    provider: detail.provider ?? t('theProvider'),
    model: detail.model ?? t('theModel'),
    url: detail.url ?? t('theAddress'),
    path: detail.path ?? t('theFile'),
    size: amount(detail.size),
    limit: amount(detail.limit),
    pid: detail.pid === undefined ? t('unknownAmount') : String(detail.pid),
    status: detail.status === undefined ? t('unknownAmount') : String(detail.status),
  };
}

type FailureTextProps = {
  failure: Failure;
  /** Leave the first sentence out, where the place has said it already. */
  hideTitle?: boolean | undefined;
  /** What is known beyond the words, between them and the buttons. */
  facts?: ReactNode;
  /** Buttons; choose them by `remedyOf`. */
  children?: ReactNode;
};

export function FailureText({ failure, hideTitle = false, facts, children }: FailureTextProps) {
  const { t, i18n } = useTranslation('failure');
  const values = valuesOf(failure, t, i18n.language);
  const { providerText, status, retryAfterMs } = failure.detail ?? {};
  // Where no answer came, the words are those of the network.
  const answered = failure.code !== 'unreachable' && failure.code !== 'timeout' && failure.code !== 'connectionLost';
  const said = providerText ?? (spoken.has(failure.code) ? failure.message : undefined);
  return (
    <div className={styles.failure}>
      {hideTitle ? null : <p className={styles.title}>{t(`${failure.code}.title`, values)}</p>}
      <p className={styles.next}>
        {t(`${failure.code}.next`, values)}
        {retryAfterMs ? ` ${t('waitSeconds', { count: Math.ceil(retryAfterMs / 1000) })}` : null}
      </p>
      {said ? (
        <figure className={styles.said}>
          <figcaption>{providerText && answered ? t('providerSaid', { provider: values.provider }) : t('details')}</figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
          <pre tabIndex={0} dir="auto">
            {status && providerText ? `HTTP ${status}\n` : ''}
            {said.slice(0, 4000)}
          </pre>
        </figure>
      ) : null}
      {facts}
      {children ? <div className={styles.actions}>{children}</div> : null}
    </div>
  );
}
