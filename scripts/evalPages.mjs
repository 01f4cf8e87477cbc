// `npm run eval:pages -- [--bytes] [--scales 1,2,3]`: what snapshot pages weigh, and what tesseract reads of them (docs/snapshot.md).
import { runEvaluation } from './eval/runEvaluation.mjs';

await runEvaluation('scripts/eval/pages/evalPages.ts');
