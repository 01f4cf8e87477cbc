// A tool call as one line (A5): what is done to what, how it stands, how long it took; unfolds to its arguments and its result.
import { ChevronRight } from 'lucide-react';
import { memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveCall } from '../../../../shared/model/live';
import type { ToolCallPart } from '../../../../shared/model/message';
import { placeIn, useUnfolded } from '../../../state/unfolded';
import { cx } from '../../../ui/cx';
import { VisuallyHidden } from '../../../ui/VisuallyHidden';
import { formatDuration } from '../formatDuration';
import { useSeconds } from '../useSeconds';
import { ApprovalCard } from './ApprovalCard';
import { CallDetails } from './CallDetails';
import { CallIcon } from './CallIcon';
import { type CallPlace, type CallStatus, knownTool, noteOf, objectOf, statusOf, tenseOf } from './callLook';
import styles from './calls.module.css';
import { type ReadArguments, readArguments } from './readArguments';
import type { CallSource } from './source';

type CallRowProps = {
  part: ToolCallPart;
  source: CallSource;
  /** Of a running step. */
  call: LiveCall | undefined;
  /** The running step has all its parts. */
  modelDone: boolean;
};

export const CallRow = memo(function CallRow({ part, source, call, modelDone }: CallRowProps) {
  const [open, setOpen] = useUnfolded(placeIn(source.home, part.callId));
  const place: CallPlace = source.stepId ? { live: true, call, modelDone } : { live: false };
  const status = statusOf(part, place);
  const given = useMemo(() => readArguments(part.arguments, status === 'writing'), [part.arguments, status]);
  const summary = call?.summary ?? part.summary;
  const needs = status === 'needsYou' ? call?.needs : undefined;
  return (
    <div className={styles.call} data-status={status}>
      {/* Its line names things of all kinds: as a summary it is never taken for one of the message's buttons. */}
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={styles.line}>
          <CallIcon name={part.name} status={status} />
          <CallWords part={part} given={given} status={status} summary={summary} />
          <CallTime status={status} startedAt={call?.startedAt} durationMs={call?.durationMs ?? part.durationMs} />
          <ChevronRight aria-hidden="true" className={cx(styles.chevron, open && styles.open)} />
        </summary>
        {open ? <CallDetails part={part} given={given} status={status} source={source} summary={summary} /> : null}
      </details>
      {needs ? (
        <ApprovalCard key={JSON.stringify(needs)} part={part} given={given} needs={needs} preview={call?.preview} source={source} />
      ) : null}
    </div>
  );
});

type WordsProps = { part: ToolCallPart; given: ReadArguments; status: CallStatus; summary: string | undefined };

function CallWords({ part, given, status, summary }: WordsProps) {
  const { t } = useTranslation('talk');
  const tool = knownTool(part.name);
  const object = objectOf(part.name, given.values);
  const verb = tool ? t(`calls.verb.${tool}.${tenseOf(status)}`) : part.name || t('calls.unnamed');
  const note = useNote(part, status, summary, object);
  return (
    <>
      <span className={cx(styles.verb, !tool && styles.name)}>{verb}</span>
      {object ? (
        <bdi className={styles.object} data-tooltip={object} data-tooltip-truncated>
          {object}
        </bdi>
      ) : null}
      {status === 'needsYou' ? <VisuallyHidden>{t('calls.needsYou')}</VisuallyHidden> : null}
      {note ? (
        <span className={styles.note} dir="auto" data-tooltip={note} data-tooltip-truncated>
          {note}
        </span>
      ) : null}
    </>
  );
}

/** How the call stands where that is not plain to see, else what its result says. */
function useNote(part: ToolCallPart, status: CallStatus, summary: string | undefined, object: string): string {
  const { t } = useTranslation('talk');
  const note = noteOf(summary ?? '', object);
  switch (status) {
    case 'writing':
    case 'running':
    case 'needsYou':
      return '';
    case 'waiting':
      return t('calls.waiting');
    case 'denied':
      return t('calls.denied');
    case 'cancelled':
      return t(summary === undefined ? 'calls.unfinished' : 'calls.cancelled');
    case 'failed':
      return note === '' ? t('calls.failed') : t('ui:named', { name: t('calls.failed'), value: note });
    case 'refused':
      return note;
    case 'done':
      return part.name === 'checkpoint' || part.name === 'rewind' ? '' : note;
  }
}

type TimeProps = { status: CallStatus; startedAt: number | undefined; durationMs: number | undefined };

function CallTime({ status, startedAt, durationMs }: TimeProps) {
  const { t } = useTranslation('talk');
  if (status === 'running' && startedAt !== undefined) return <RunningTime since={startedAt} />;
  // What took no time to speak of needs no number.
  if (durationMs === undefined || durationMs < 100) return <span className={styles.time} />;
  return <span className={styles.time}>{formatDuration(durationMs, t, true)}</span>;
}

function RunningTime({ since }: { since: number }) {
  const { t } = useTranslation('talk');
  const elapsed = Math.max(0, useSeconds() - since);
  return <span className={styles.time}>{elapsed >= 1000 ? formatDuration(elapsed, t) : ''}</span>;
}
