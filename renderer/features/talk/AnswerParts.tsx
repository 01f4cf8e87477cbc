// What an answer is made of: text, folded reasoning, one line for each tool call, pictures and files.
import { memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { assertNever } from '../../../shared/model/assertNever';
import { messageIdOfStep } from '../../../shared/model/ids';
import type { LiveCall, LiveStep } from '../../../shared/model/live';
import type { Part } from '../../../shared/model/message';
import type { MessageView } from '../../../shared/model/talkView';
import { copyText, openLink } from '../../state/talkActs';
import { placeIn } from '../../state/unfolded';
import { MarkdownView } from '../../text/MarkdownView';
import { AttachmentTile } from '../../ui/AttachmentTile';
import { CallRow } from './calls/CallRow';
import { RefusedCalls } from './calls/RefusedCalls';
import { refusedRuns } from './calls/refusedRuns';
import type { CallSource } from './calls/source';
import styles from './Message.module.css';
import { Reasoning } from './Reasoning';

const noCalls: readonly LiveCall[] = [];

export function AnswerParts({ answer }: { answer: MessageView | LiveStep }) {
  const step = 'phase' in answer ? answer : null;
  const { parts, conversationId, agentId } = answer;
  const [messageId, stepId] = 'phase' in answer ? [null, answer.id] : [answer.id, null];
  const home = 'phase' in answer ? messageIdOfStep(answer.id) : answer.id;
  const source = useMemo(() => ({ conversationId, agentId, messageId, stepId, home }), [conversationId, agentId, messageId, stepId, home]);
  const calls = step?.calls ?? noCalls;
  const last = parts.length - 1;
  const runs = refusedRuns(parts, calls);
  const show = (part: Part, index: number) => (
    <AnswerPart
      key={index}
      part={part}
      index={index}
      growing={step?.phase === 'streaming' && index === last}
      since={step?.startedAt}
      source={source}
      call={part.type === 'toolCall' ? calls.find((call) => call.callId === part.callId) : undefined}
      modelDone={calls.length > 0}
    />
  );
  return (
    <div className={styles.parts}>
      {parts.map((part, index) => {
        const run = runs.find(({ from, to }) => index >= from && index < to);
        if (!run) return show(part, index);
        if (index > run.from) return null;
        const { from, to, summary } = run;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end, their place is their identity
          <RefusedCalls key={`refused ${index}`} place={placeIn(source.home, `refused ${from}`)} count={to - from} summary={summary}>
            {parts.slice(from, to).map((each, at) => show(each, from + at))}
          </RefusedCalls>
        );
      })}
    </div>
  );
}

type PartProps = {
  part: Part;
  index: number;
  growing: boolean;
  since: number | undefined;
  source: CallSource;
  call: LiveCall | undefined;
  modelDone: boolean;
};

const AnswerPart = memo(function AnswerPart({ part, index, growing, since, source, call, modelDone }: PartProps) {
  const { t } = useTranslation('talk');
  switch (part.type) {
    case 'text':
      return (
        <div dir="auto">
          <MarkdownView text={part.text} streaming={growing} onOpenLink={openLink} onCopy={copyText} />
        </div>
      );
    case 'reasoning':
      return <Reasoning place={placeIn(source.home, `reasoning ${index}`)} text={part.text} live={growing} since={since} />;
    case 'image':
    case 'file':
      return <AttachmentTile part={part} large />;
    case 'toolCall':
      return <CallRow part={part} source={source} call={call} modelDone={modelDone} />;
    case 'raw':
      return <p className={styles.note}>{t('raw', { source: part.source })}</p>;
    default:
      return assertNever(part);
  }
});
