// Tests of who reads pages of which shape, and what they cost.
import { describe, expect, it } from 'vitest';
import prices from '../../../assets/catalog/imagePrices.json';
import type { ProviderKind } from '../../../shared/model/provider';
import { pictureLimits } from '../../providers/pictures/readers';
import { type Formula, formulaSchema } from '../imageFormulas';
import { imagePriceOf, imageRuleOf, imageTokensFor } from '../imagePrice';
import { cheapestHeights, priceOfPages } from './billing';
import { gridOf, mostPages, type Shape, shapeFor } from './shapes';

const gateway = 'https://gateway.example/v1';
const read = (modelId: string, kind: ProviderKind = 'openai-chat', baseUrl?: string) => shapeFor({ modelId, kind, baseUrl });
const found = (modelId: string): Shape => {
  const shape = read(modelId, 'openai-chat', gateway);
  if (!shape) throw new Error(`no shape for ${modelId}`);
  return shape;
};

type Row = [
  family: string,
  ids: string[],
  size: [number, number],
  readable: [columns: number, rows: number],
  dense: [number, number],
  tokens: number,
];
const table: Row[] = [
  [
    'claude-high',
    [
      'claude-opus-4-7',
      'anthropic/Claude-Opus-4.8',
      'us.anthropic.claude-opus-4-8-20260101-v1:0',
      'claude-opus-4-10',
      'claude-opus-5[1m]',
      'claude-opus-12-latest',
      'claude-sonnet-5',
      'claude-fable-latest',
      'claude_mythos_5',
    ],
    [1932, 1932],
    [175, 120],
    [241, 120],
    4764,
  ],
  [
    'claude',
    [
      'claude-opus-4-20250514',
      'claude-opus-4-6',
      'anthropic/claude-sonnet-4.5',
      'claude-haiku-4-5',
      'claude-3-5-sonnet-20241022',
      'claude-opus-4-1-20250805',
    ],
    [1568, 784],
    [196, 49],
    [196, 49],
    1572,
  ],
  ['gpt-5.4', ['gpt-5.4', 'openai/GPT-5.5', 'gpt-5.6-2026-05-01'], [1568, 1568], [196, 71], [196, 98], 2882],
  ['gpt-6', ['gpt-6-astra', 'gpt-7'], [1568, 1568], [196, 71], [196, 98], 2882],
  ['gpt-5.1', ['gpt-5.1', 'gpt-5.3-codex', 'gpt-5-codex-mini'], [1248, 1248], [156, 56], [156, 78], 1521],
  ['gpt-4.1-mini', ['gpt-4.1-mini', 'gpt-5-mini'], [1248, 1248], [156, 56], [156, 78], 2465],
  ['gpt-4.1-nano', ['gpt-5-nano'], [1248, 1248], [156, 56], [156, 78], 3742],
  ['o4-mini', ['o4-mini'], [1248, 1248], [156, 56], [156, 78], 2617],
  ['gpt-5', ['gpt-5', 'gpt-5-chat-latest'], [768, 2048], [96, 93], [96, 128], 1190],
  ['gpt-4o', ['gpt-4o', 'gpt-4.1', 'chatgpt-4o-latest'], [768, 2048], [96, 93], [96, 128], 1445],
  ['o1', ['o1', 'o3'], [768, 2048], [96, 93], [96, 128], 1275],
  ['gemini-3', ['gemini-3-pro', 'google/gemini-3.5-flash'], [2048, 2048], [256, 93], [256, 128], 1120],
  ['gemini-2.5', ['gemini-2.5-pro', 'models/gemini-1.5-flash'], [1536, 1152], [192, 52], [192, 72], 1032],
  ['kimi', ['moonshotai/Kimi-K3'], [1568, 1568], [196, 71], [196, 98], 3296],
  ['glm', ['z-ai/glm-4.6v', 'THUDM/ChatGLM-5', 'glm-5.3-flash'], [1568, 1568], [196, 98], [196, 98], 3296],
  ['grok', ['x-ai/grok-4'], [1568, 784], [196, 35], [196, 49], 1229],
  ['unknown', ['someone/new-model', 'qwen3-vl', 'llava:7b'], [1568, 784], [196, 35], [196, 49], 1650],
];

describe('shapes', () => {
  it.each(table)('S2, S3: %s', (name, ids, [width, height], readable, dense, tokens) => {
    for (const id of ids) {
      const shape = found(id);
      expect([shape.name, shape.width, shape.height], id).toEqual([name, width, height]);
      for (const [cell, size] of [
        [shape.readable, readable],
        [shape.dense, dense],
      ] as const) {
        const grid = gridOf(shape, cell);
        expect([grid.columns, grid.rows], id).toEqual(size);
      }
      expect(imageTokensFor({ modelId: id, kind: 'openai-chat', baseUrl: gateway }, shape), id).toBe(tokens);
    }
  });

  it('S2: a model that nobody knows is told by its API, and else has the conservative shape and at most five pages', () => {
    expect(read('new-model', 'gemini')?.name).toBe('gemini-3');
    expect(read('new-model', 'openai-responses')?.name).toBe('gpt-6');
    expect(read('new-model', 'openai-chat', gateway)).toMatchObject({ name: 'unknown', pages: 5 });
    expect(read('claude-opus-5', 'gemini')?.name).toBe('claude-high');
  });

  it('S2, S4: as many pages as the reader takes images', () => {
    const pages = (id: string) => found(id).pages;
    expect(['moonshotai/kimi-k3', 'glm-5.3-flashx', 'glm-4.6v', 'grok-4', 'new-model'].map(pages)).toEqual([80, 50, 5, 20, 5]);
  });

  it('S3: a reader whose images cost a fortune has no pages', () => {
    expect(read('gpt-4o-mini')).toBeNull();
  });

  it('S2: no page is larger than what the provider passes on unscaled, nor than what is sent to it', () => {
    for (const [, [id = '']] of table) {
      const shape = found(id);
      const reader = { modelId: id, kind: 'openai-chat' as const, baseUrl: gateway };
      const rule = prices.find((one) => one.rule === imageRuleOf(reader));
      expect(isUnscaled(formulaSchema.parse(rule?.formula), shape), id).toBe(true);
      const limits = pictureLimits(id, reader);
      expect(Math.max(shape.width, shape.height), id).toBeLessThanOrEqual(limits.longestSide);
      expect(shape.width * shape.height, id).toBeLessThanOrEqual(limits.pixels);
      expect(shape.pages, id).toBeLessThanOrEqual(Math.min(limits.count, mostPages));
    }
  });

  it('S3: a page is as high as costs least', () => {
    const shape = found('gemini-2.5-pro');
    const price = imagePriceOf({ imageRule: 'gemini-2.5' });
    const low = { ...gridOf(shape, shape.readable), from: 0, to: 1, rows: 10, width: 1536, height: 220, dense: false };
    const [page] = cheapestHeights([low], shape, price);
    expect(page?.height).toBe(1152);
    expect(priceOfPages([page ?? low], price)).toBe(1032);
    expect(cheapestHeights([low], shape, imagePriceOf({ imageRule: 'claude' }))[0]?.height).toBe(220);
  });
});

function isUnscaled(formula: Formula, { width, height }: Shape): boolean {
  const across = (side: number) => [Math.ceil(width / side), Math.ceil(height / side)].reduce((a, b) => a * b);
  switch (formula.type) {
    case 'cells':
      return Math.max(width, height) <= formula.longestSide && across(28) <= formula.most;
    case 'tiles':
      return Math.max(width, height) <= 2048 && Math.min(width, height) <= 768;
    case 'patches':
      return across(32) <= (formula.mostHigh ?? formula.most);
    case 'units':
      // Each tile is read at 768 pixels.
      return Math.floor(Math.min(width, height) / 1.5) <= 768;
    case 'flat':
      return Math.max(width, height) <= 3072;
  }
}
