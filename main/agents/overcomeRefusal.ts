// A refusal of a request is overcome once for each kind: what the server does not take goes out of it, is remembered and said (L16, P7, S10).
import { splitModel } from '../../shared/model/agent';
import type { Notice, WindowEvent } from '../../shared/model/events';
import type { Failure } from '../../shared/model/failure';
import type { BlobHash } from '../../shared/model/ids';
import type { LiveStep } from '../../shared/model/live';
import type { ModelInfo } from '../../shared/model/provider';
import type { Logger } from '../lib/logger';
import { lessonOf } from '../providers/limits';
import type { ModelAccess } from './modelAccess';
import type { ModelQuirks } from './modelQuirks';

export type RefusalContext = {
  logger: Logger;
  publish(event: WindowEvent): void;
  models: ModelAccess;
  quirks: ModelQuirks;
  /** After a refusal as too large: true when the request is smaller now and worth its one retry (L16). */
  recover(failure: Failure, model: ModelInfo): Promise<boolean>;
};

/** `images` may be to blame; `pages` of a memory were in the request. */
export type Refused = {
  type: 'failed';
  failure: Failure;
  images?: BlobHash[] | undefined;
  pages?: ReadonlySet<BlobHash> | undefined;
};

/** Takes out of the request what the server refused. True where the step is worth its one more try after a failure of this kind. */
export async function overcomeRefusal(context: RefusalContext, step: LiveStep, end: Refused, overcome: Set<string>): Promise<boolean> {
  const kind = kindOf(end, overcome);
  if (overcome.has(kind)) return false;
  overcome.add(kind);
  if (kind === 'overflow') return recoverFrom(context, step, end.failure);
  return kind === 'pagesRefused' ? leaveOutPages(context, step, end.pages ?? new Set()) : leaveOut(context, step, end);
}

/** Pages come last under suspicion. */
function kindOf(end: Refused, overcome: ReadonlySet<string>): string {
  if (isOverflow(end)) return 'overflow';
  const { code } = end.failure;
  return code === 'imageRefused' && end.pages?.size && overcome.has(code) ? 'pagesRefused' : code;
}

/** Refused by the server: one that was never sent has been looked at already (L14). */
function isOverflow({ failure }: Refused): boolean {
  if (failure.detail?.unsent) return false;
  return failure.code === 'overflowTokens' || failure.code === 'overflowBytes';
}

/** What the refusal says of the limits is kept, also when nothing more can be left out (L7). */
async function recoverFrom({ models, quirks, recover, logger }: RefusalContext, step: LiveStep, failure: Failure): Promise<boolean> {
  models.learn(step.model, lessonOf(failure) ?? {});
  try {
    const model = models.modelInfo(step.model);
    return model !== null && (await recover(failure, quirks.asFound(step, model)));
  } catch (error) {
    logger.log('error', 'an overflow could not be recovered from', { cause: error, stepId: step.id });
    return false;
  }
}

/** What a server refused is left out from now on, which is said (P7). */
function leaveOut(context: RefusalContext, step: LiveStep, end: Refused): boolean {
  switch (end.failure.code) {
    case 'visionRefused':
      return leaveOutImages(context, step, end);
    case 'imageRefused':
      return leaveOutPictures(context, step, end);
    case 'toolsRefused':
      return leaveOutTools(context, step);
    default:
      return false;
  }
}

/** All of them, pages too (S10): remembered for every conversation, unless the person's own word is that the model sees. */
function leaveOutImages({ models, quirks, publish }: RefusalContext, step: LiveStep, { failure }: Refused): boolean {
  models.learn(step.model, lessonOf(failure) ?? {});
  const stated = models.modelInfo(step.model)?.vision !== false;
  if (stated) quirks.lookAway(step.conversationId, step.model, step.turnId);
  const values = { model: splitModel(step.model).modelId };
  const notice: Notice = stated
    ? { code: 'imagesNotTakenNow', values, tone: 'warning' }
    : { code: 'imagesNotTaken', values, tone: 'warning' };
  publish({ type: 'notice', notice });
  return true;
}

/** Half of a memory is none, so older messages go as text or a card: this turn without any image, later ones without these pages (S10). */
function leaveOutPages({ quirks, publish }: RefusalContext, step: LiveStep, pages: ReadonlySet<BlobHash>): boolean {
  quirks.cannotRead(step.conversationId, step.model, pages);
  quirks.lookAway(step.conversationId, step.model, step.turnId);
  const values = { model: splitModel(step.model).modelId };
  publish({ type: 'notice', notice: { code: 'pagesLeftOut', values, tone: 'warning' } });
  return true;
}

/** The oldest where there are too many and the number is known, else those that may be to blame. */
function leaveOutPictures(context: RefusalContext, step: LiveStep, { failure, images: named = [], pages }: Refused): boolean {
  const { models, quirks, publish } = context;
  const images = named.filter((hash) => !pages?.has(hash));
  const most = lessonOf(failure)?.maxImages;
  if (most !== undefined) {
    models.learn(step.model, { maxImages: most });
    if ((models.modelInfo(step.model)?.maxImages ?? most + 1) <= most) {
      const values = { model: splitModel(step.model).modelId, count: most };
      publish({ type: 'notice', notice: { code: 'imagesTooMany', values, tone: 'warning' } });
      return true;
    }
  }
  if (images.length === 0) return pages?.size ? leaveOutPages(context, step, pages) : false;
  quirks.refuse(step.conversationId, step.model, images);
  publish({ type: 'notice', notice: { code: 'imagesLeftOut', values: { count: images.length }, tone: 'warning' } });
  return true;
}

function leaveOutTools({ quirks, publish }: RefusalContext, step: LiveStep): boolean {
  if (!quirks.takesTools(step.model)) return false;
  quirks.takesNoTools(step.model);
  publish({ type: 'notice', notice: { code: 'toolsNotTaken', values: { model: splitModel(step.model).modelId }, tone: 'warning' } });
  return true;
}
