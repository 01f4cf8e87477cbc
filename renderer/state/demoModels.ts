// The demo's two models, which differ in how much they can be sent: which one answers, and the other.
import type { NextAgent } from './nextAgent';

const sizes: Readonly<Record<string, 'small' | 'large'>> = { demo: 'small', 'demo-large': 'large' };

/** Null for any other model. */
export function demoSizeOf({ demo, modelName }: Pick<NextAgent, 'demo' | 'modelName'>): 'small' | 'large' | null {
  return (demo && sizes[modelName ?? '']) || null;
}

/** The reference of the demo's model with the other size, at the provider of this one. */
export function otherDemo(model: string): string {
  const [provider = ''] = model.split('/', 1);
  return `${provider}/${model.endsWith('/demo') ? 'demo-large' : 'demo'}`;
}
