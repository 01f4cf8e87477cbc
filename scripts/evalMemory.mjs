// `npm run eval:memory -- --model provider/model`: what an agent's memory keeps of planted facts, rung by rung (docs/benchmarks.md).
import { runEvaluation } from './eval/runEvaluation.mjs';
import { setUp } from './setup/setUp.mjs';

await runEvaluation('scripts/eval/evalMemory.ts', { external: ['better-sqlite3', '@napi-rs/canvas'], prepare: () => setUp('unit') });
