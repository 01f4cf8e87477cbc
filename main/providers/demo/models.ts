// What the demo offers: a small window that fills quickly, and a large one.
import type { ModelInfo } from '../../../shared/model/provider';

export const demoModels: readonly ModelInfo[] = [
  {
    id: 'demo',
    name: 'Demo',
    contextWindow: 8192,
    maxOutput: 4096,
    vision: true,
    reasoning: true,
    tools: true,
    inputPrice: 0,
    outputPrice: 0,
  },
  {
    id: 'demo-large',
    name: 'Demo, large window',
    contextWindow: 128_000,
    maxOutput: 32_000,
    vision: true,
    reasoning: true,
    tools: true,
    inputPrice: 0,
    outputPrice: 0,
  },
];
