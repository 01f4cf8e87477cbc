// The numbers of the ladder as they are typed (L21): empty means "as set first". Pure.
import {
  type CompactionNumbers,
  type CompactionSettings,
  compactionSettingsSchema,
  type Threshold,
} from '../../../shared/model/compaction';
import { numberIn } from './numberIn';

export type NumberKey = keyof CompactionNumbers;
export type NumberKind = 'threshold' | 'tokens' | 'bytes' | 'count' | 'percent' | 'mode';
export type NumberField = { key: NumberKey; kind: NumberKind };
export type NumberGroup = { name: 'when' | 'kept' | 'leftOut' | 'pages' | 'memory' | 'summary' | 'rest'; fields: readonly NumberField[] };

const tokens = (key: NumberKey): NumberField => ({ key, kind: 'tokens' });
export const numberGroups: readonly NumberGroup[] = [
  {
    name: 'when',
    fields: [
      { key: 'threshold', kind: 'threshold' },
      { key: 'requestThreshold', kind: 'threshold' },
      { key: 'maxRequestBytes', kind: 'bytes' },
    ],
  },
  {
    name: 'kept',
    fields: [
      tokens('retainedTokens'),
      { key: 'retainedBytes', kind: 'bytes' },
      { key: 'retainedSteps', kind: 'count' },
      tokens('retainedEnough'),
    ],
  },
  {
    name: 'leftOut',
    fields: [tokens('protectTokens'), tokens('minSavings'), tokens('minResultTokens'), { key: 'keepImages', kind: 'count' }],
  },
  { name: 'pages', fields: [{ key: 'snapshotMode', kind: 'mode' }] },
  {
    name: 'summary',
    fields: [
      { key: 'summaryMode', kind: 'mode' },
      { key: 'workerSteps', kind: 'count' },
      tokens('workerTokens'),
      tokens('workerWarning'),
      tokens('workerReserve'),
    ],
  },
  { name: 'memory', fields: [tokens('autoReadTokens'), tokens('rebuiltTokens')] },
  {
    name: 'rest',
    fields: [
      { key: 'failuresToPause', kind: 'count' },
      { key: 'recoveryShare', kind: 'percent' },
    ],
  },
];
export const numberFields = numberGroups.flatMap(({ fields }) => fields);

type ModeKey = 'snapshotMode' | 'summaryMode';
export const modes: { [K in ModeKey]: readonly CompactionNumbers[K][] } = {
  snapshotMode: ['auto', 'off'],
  summaryMode: ['auto', 'simple', 'worker'],
};
export const isModeKey = (key: NumberKey): key is ModeKey => key in modes;
export const thresholdUnits = ['percent', 'tokens', 'off'] as const;
export type ThresholdUnit = (typeof thresholdUnits)[number];
/** As typed; of a threshold with its unit: `percent:70`, `tokens:120000`, `off`. */
export type NumberDraft = Partial<Record<NumberKey, string>>;

const KiB = 1024;
const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

/** A saved value as it is typed. */
export function typedOf({ kind }: NumberField, value: CompactionNumbers[NumberKey]): string {
  if (kind === 'threshold') return thresholdTyped(value as Threshold);
  if (typeof value !== 'number') return String(value);
  if (kind === 'bytes') return String(rounded(value / KiB));
  return kind === 'percent' ? String(rounded(value * 100)) : String(value);
}
function thresholdTyped(value: Threshold): string {
  if (value === null) return 'off';
  return value <= 1 ? `percent:${rounded(value * 100)}` : `tokens:${value}`;
}

export function draftOf(settings: CompactionSettings): NumberDraft {
  const draft: NumberDraft = {};
  for (const field of numberFields) {
    const value = settings[field.key];
    if (value !== undefined) draft[field.key] = typedOf(field, value);
  }
  return draft;
}

export function thresholdParts(typed: string): { unit: ThresholdUnit | null; text: string } {
  const [unit = '', text = ''] = typed.split(':');
  return { unit: thresholdUnits.find((known) => known === unit) ?? null, text };
}

/** What is typed as a setting; `wrong` holds what could not be kept. */
export function readDraft(draft: NumberDraft): { settings: CompactionSettings; wrong: ReadonlySet<NumberKey> } {
  const settings: Record<string, unknown> = {};
  const wrong = new Set<NumberKey>();
  for (const { key, kind } of numberFields) {
    const typed = draft[key]?.trim() ?? '';
    if (typed === '') continue;
    const value = settingOf(kind, typed);
    if (value === undefined || !compactionSettingsSchema.safeParse({ [key]: value }).success) wrong.add(key);
    else settings[key] = value;
  }
  return { settings, wrong };
}

/** Undefined where it is none. */
function settingOf(kind: NumberKind, typed: string): number | string | null | undefined {
  switch (kind) {
    case 'mode':
      return typed;
    case 'threshold':
      return thresholdValue(thresholdParts(typed));
    case 'bytes': {
      const { value } = numberIn(typed, { min: 1 });
      return value === undefined ? undefined : Math.round(value * KiB);
    }
    case 'percent':
      return percentValue(typed);
    default:
      return numberIn(typed, { min: 0, whole: true }).value;
  }
}

function thresholdValue({ unit, text }: ReturnType<typeof thresholdParts>): number | null | undefined {
  if (unit === 'off') return null;
  return unit === 'tokens' ? numberIn(text, { min: 1000, whole: true }).value : percentValue(text);
}

function percentValue(typed: string): number | undefined {
  const { value } = numberIn(typed.replace(/%\s*$/, ''), { min: 1, max: 100 });
  return value === undefined ? undefined : rounded(value) / 100;
}
