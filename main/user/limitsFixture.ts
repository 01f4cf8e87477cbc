// For tests of what has nothing to do with learned limits.
import type { LearnedLimits } from './learnedLimits';

export const nothingLearned: LearnedLimits = { now: () => 0, of: () => ({}), learn: () => undefined, forget: async () => undefined };
