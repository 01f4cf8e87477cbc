import { describe, expect, it } from 'vitest';
import type { RequestMessage } from '../../shared/model/request';
import { pictureLimits } from '../providers/pictures/readers';
import type { ImageDetail } from './imageFormulas';
import { imagePriceOf, imageRuleOf, imageTokensFor } from './imagePrice';
import { toRequestParts } from './requestParts';
import { builtTokens, mostBuiltTokens } from './requestSize';

const gateway = 'https://openrouter.ai/api/v1';
const priceOf = (modelId: string, width: number, height: number, detail?: ImageDetail) =>
  imageTokensFor({ modelId, kind: 'openai-chat', baseUrl: gateway }, { width, height }, detail);

describe('Claude', () => {
  // Cells of 28 pixels, and what was measured on top: 4 tokens of the standard tier, 3 of the high one.
  it.each([
    [1000, 1000, 1296, 1296],
    [1024, 1024, 1369, 1369],
    [1092, 1092, 1521, 1521],
    [1568, 728, 1456, 1456],
    [1568, 784, 1568, 1568],
    [1568, 1568, 1521, 3136],
    [1932, 1932, 1521, 4761],
    [1928, 1928, 1521, 4761],
    [1960, 1960, 1521, 4761],
    [2576, 1204, 1512, 3956],
    [768, 1932, 1288, 1932],
    [1920, 1080, 1560, 2691],
  ])('S3: %i × %i', (width, height, standard, high) => {
    for (const model of ['anthropic/claude-sonnet-4.5', 'claude-haiku-4-5', 'claude-opus-4-1-20250805', 'claude-3-7-sonnet-latest'])
      expect(priceOf(model, width, height)).toBe(standard + 4);
    for (const model of [
      'claude-opus-4-7',
      'us.anthropic.claude-opus-4-8-v1:0',
      'anthropic/Claude-Opus-5',
      'claude-sonnet-5',
      'claude-fable-latest',
      'claude-mythos-5',
    ])
      expect(priceOf(model, width, height)).toBe(high + 3);
  });

  it('S3: 4K is below the limit of its tier', () => {
    expect(priceOf('claude-sonnet-4-5', 3840, 2160)).toBe(1564);
    expect(priceOf('claude-opus-5', 3840, 2160)).toBeLessThanOrEqual(4787);
    expect(priceOf('claude-opus-5', 3840, 2160)).toBeGreaterThan(4600);
  });
});

describe('OpenAI', () => {
  const columns: [models: string[], detail?: ImageDetail][] = [
    [['gpt-4o', 'gpt-4.1', 'gpt-4.5-preview', 'chatgpt-4o-latest', 'openai/gpt-4o-2024-08-06']],
    [['gpt-5', 'gpt-5-chat-latest', 'gpt-5-2025-08-07']],
    [['o1', 'o3']],
    [['gpt-4o-mini']],
    [['gpt-4.1-mini', 'openai/gpt-5-mini']],
    [['gpt-4.1-nano', 'gpt-5-nano']],
    [['o4-mini']],
    [['gpt-5.5', 'gpt-5.4', 'gpt-5.6'], 'high'],
    [['gpt-5.5', 'gpt-5.4', 'gpt-5.6'], 'original'],
  ];
  const table: [number, number, number[]][] = [
    [512, 512, [255, 210, 225, 8500, 415, 630, 441, 308, 308]],
    [768, 768, [765, 630, 675, 25_501, 934, 1417, 991, 692, 692]],
    [1024, 1024, [765, 630, 675, 25_501, 1659, 2520, 1762, 1229, 1229]],
    [1092, 1092, [765, 630, 675, 25_501, 1985, 3014, 2107, 1470, 1470]],
    [1568, 728, [1445, 1190, 1275, 48_169, 1826, 2773, 1939, 1353, 1353]],
    [1568, 1568, [765, 630, 675, 25_501, 2465, 3742, 2617, 2882, 2882]],
    [1932, 1932, [765, 630, 675, 25_501, 2465, 3742, 2617, 2882, 4466]],
    [2048, 2048, [765, 630, 675, 25_501, 2465, 3742, 2617, 3000, 4916]],
    [768, 2048, [1445, 1190, 1275, 48_169, 2489, 3779, 2642, 1844, 1844]],
    [1920, 1080, [1105, 910, 975, 36_835, 2443, 3710, 2594, 2448, 2448]],
  ];
  it.each(table)('S3: %i × %i', (width, height, prices) => {
    expect(columns.map(([models, detail]) => [...new Set(models.map((model) => priceOf(model, width, height, detail)))])).toEqual(
      prices.map((price) => [price]),
    );
  });

  it('S3: the worked example, models without a measured factor, low detail, and what later models say of themselves', () => {
    expect(priceOf('gpt-5.2', 1800, 2400)).toBe(1452);
    for (const model of ['gpt-5.1', 'gpt-5.3-codex', 'gpt-5-codex-mini', 'gpt-5.1-codex-mini'])
      expect(priceOf(model, 1248, 1248)).toBe(1521);
    expect(priceOf('gpt-4o', 2000, 2000, 'low')).toBe(85);
    expect(priceOf('gpt-6-astra', 1024, 1024)).toBe(1229);
    expect(priceOf('gpt-6-astra', 1920, 1080)).toBe(2448);
    expect(priceOf('gpt-6-astra', 2560, 1440, 'high')).toBeLessThanOrEqual(3000);
  });
});

describe('Gemini', () => {
  it.each([
    [384, 384, 258],
    [960, 540, 1548],
    [1000, 1000, 1032],
    [1568, 1568, 1032],
    [1568, 728, 2064],
    [1533, 1152, 1032],
  ])('S3: up to 2.5, %i × %i', (width, height, tokens) => {
    for (const model of ['gemini-2.5-pro', 'google/gemini-2.0-flash', 'models/gemini-1.5-flash'])
      expect(priceOf(model, width, height)).toBe(tokens);
  });

  it('S3: a resolution that is asked for has one price, and 3 has one for every size', () => {
    expect([priceOf('gemini-2.5-pro', 900, 900, 'low'), priceOf('gemini-2.5-pro', 900, 900, 'medium')]).toEqual([64, 256]);
    const details = ['low', 'medium', 'high', 'ultraHigh', 'auto'] as const;
    for (const side of [200, 2048])
      expect(details.map((detail) => priceOf('google/gemini-3-pro', side, side, detail))).toEqual([280, 560, 1120, 2240, 1120]);
  });

  it('S3: a strip of a few pixels costs no fortune', () => {
    expect(priceOf('gemini-2.5-pro', 3000, 1)).toBe(12 * 258);
  });
});

describe('others', () => {
  it.each([
    [768, 336, 268],
    [764, 980, 748],
  ])('S3: Grok, as measured, %i × %i', (width, height, tokens) => {
    expect(priceOf('x-ai/grok-4', width, height)).toBe(tokens);
  });

  it('S3: who is not known has the highest of the usual prices', () => {
    expect(priceOf('someone/new-model', 1568, 1568)).toBe(Math.ceil(3139 * 1.05));
    expect(imagePriceOf({})({ width: 1568, height: 1568 })).toBe(priceOf('someone/new-model', 1568, 1568));
    expect(imagePriceOf({ imageRule: 'from a newer version' })({ width: 9, height: 9 })).toBe(priceOf('someone/new-model', 9, 9));
  });

  it('S3: a size that is not known costs the most that it may', () => {
    const most = (modelId: string) => imageTokensFor({ modelId, kind: 'openai-chat', baseUrl: gateway }, {});
    expect([most('claude-sonnet-4-5'), most('claude-opus-5'), most('gpt-4o'), most('gpt-4o-mini'), most('gemini-3-pro')]).toEqual([
      1572, 4764, 1445, 48_169, 1120,
    ]);
    expect(imageTokensFor({ modelId: 'gpt-4o', kind: 'openai-chat' }, { width: 0, height: Number.NaN })).toBe(1445);
  });

  it('S3: the model’s id says who reads, then the server, whatever the address looks like', () => {
    const rule = (modelId: string, kind: 'openai-chat' | 'openai-responses' | 'gemini', baseUrl?: string) =>
      imageRuleOf({ modelId, kind, baseUrl });
    expect(rule('us.anthropic.claude-opus-4-8-v1:0', 'openai-responses')).toBe('claude-high');
    expect(rule('google/gemini-3-pro', 'openai-chat', gateway)).toBe('gemini-3');
    expect(rule('tuned-model', 'gemini', 'https://proxy.example')).toBe('gemini-3');
    expect(rule('ft-x', 'openai-chat', 'https://eu.api.openai.com/v1')).toBe('gpt-6');
    expect(rule('ft-x', 'openai-chat')).toBe('gpt-6');
    expect(rule('ft-x', 'openai-chat', 'https://notopenai.com')).toBe('unknown');
    expect(rule('ft-x', 'openai-chat', 'api.x.ai/v1')).toBe('grok');
    expect(rule('llava', 'openai-chat', 'http://127.0.0.1:11434/v1')).toBe('unknown');
  });

  it('P7: where the price minds, it is that of the size that is sent', () => {
    for (const model of ['gpt-5.5', 'gpt-6'])
      expect(pictureLimits(model, { kind: 'openai-responses' })).toMatchObject({ longestSide: 2048, pixels: 4_194_304 });
    expect(priceOf('gpt-5.5', 4096, 4096)).toBe(priceOf('gpt-5.5', 2048, 2048));
  });
});

describe('in a request', () => {
  const image = (width?: number, height?: number) => ({
    type: 'image' as const,
    hash: 'a'.repeat(64) as never,
    mime: 'image/png',
    name: 'x',
    width,
    height,
  });
  const messages: RequestMessage[] = [
    { role: 'user', parts: [image(1092, 1092)] },
    {
      role: 'tool',
      parts: [{ type: 'toolResult', callId: 'c', name: 'n', content: '', isError: false, images: [image(), image(1000, 1000)] }],
    },
  ];
  const claude = imagePriceOf({ imageRule: 'claude' });
  const high = imagePriceOf({ imageRule: 'claude-high' });

  it('L7: images count by their reader’s price, what was counted for one reader is not taken for another', () => {
    const built = { messages };
    expect(builtTokens(built, true)).toBe(3000 + 8);
    expect(builtTokens(built, true, claude)).toBe(1525 + 1572 + 1300 + 8);
    expect(builtTokens(built, true, high)).toBe(1524 + 4764 + 1299 + 8);
    expect(builtTokens(built, true, claude)).toBe(1525 + 1572 + 1300 + 8);
    expect(mostBuiltTokens(built, claude)).toBe(1525 + 1572 + 1300 + 8);
    expect(builtTokens(built, true)).toBe(3000 + 8);
  });

  it('L7: the size goes along from the message into the request, where it is known', () => {
    const stored = { type: 'image' as const, hash: 'a'.repeat(64) as never, mime: 'image/png', name: 'x', size: 9 };
    const sight = { vision: true, texts: new Map(), missing: new Set<never>() };
    expect(toRequestParts({ ...stored, width: 1092, height: 1092 }, sight)).toEqual([image(1092, 1092)]);
    expect(toRequestParts(stored, sight)).toEqual([image()]);
    expect(toRequestParts({ ...stored, width: 1092 }, sight)).toEqual([image()]);
  });

  it('L7: models of one rule share one price, so that nothing is counted twice', () => {
    expect(imagePriceOf({ imageRule: 'claude' })).toBe(claude);
    expect(imagePriceOf({})).toBe(imagePriceOf({ imageRule: 'gone' }));
  });
});
