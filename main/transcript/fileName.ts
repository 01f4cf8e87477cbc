// Names of transcript files: readable, and different for different ids on every platform (case folding, reserved names, dots, lengths).
import { createHash } from 'node:crypto';
import type { AgentId, ConversationId } from '../../shared/model/ids';

/** `cnv_` and a ULID, as Bough makes them: kept as it stands. */
const own = /^cnv_[0-9A-HJKMNP-TV-Z]{26}$/;
const reserved = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/;
const longest = 100;

/**
 * Lower-case letters, digits, `_` and `-` stand for themselves, any other byte is `%` and two hex digits: so no dot comes from an id, and two ids
 * never differ by case alone. A long one is cut, with a hash behind `~`.
 */
export function safeName(id: string): string {
  const coded = [...Buffer.from(id)].map((byte) => (/[a-z0-9_-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : hex(byte)));
  const name = coded.join('');
  if (name.length > longest) return `${name.slice(0, longest)}~${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
  return reserved.test(name) || own.test(name.toUpperCase().replace('CNV', 'cnv')) ? hex(id.charCodeAt(0)) + name.slice(1) : name;
}

export function folderName(id: ConversationId): string {
  return own.test(id) ? id : safeName(id);
}

export function liveName(id: AgentId): string {
  return `${safeName(id)}.json`;
}

export function sealedName(id: AgentId, segment: number): string {
  return `${safeName(id)}.${segment}.json`;
}

/** Where a file that is not used goes; `count` from 1. */
export function asideName(id: AgentId, count: number): string {
  return `${safeName(id)}.aside-${count}.json`;
}

/** The numbers of the sealed files among these names, ascending. */
export function sealedSegments(id: AgentId, names: readonly string[]): number[] {
  const start = `${safeName(id)}.`;
  return names
    .flatMap((name) => (name.startsWith(start) ? (/^(\d{1,9})\.json$/.exec(name.slice(start.length))?.[1] ?? []) : []))
    .map(Number)
    .sort((a, b) => a - b);
}

function hex(byte: number): string {
  return `%${byte.toString(16).padStart(2, '0')}`;
}
