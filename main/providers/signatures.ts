// What Gemini wants back with a part (peers research 2.8): its thought signature byte for byte, and the id of a call where it gave one.
import * as z from 'zod/mini';
import type { VendorData } from '../../shared/model/request';
import { parseJson } from '../lib/parseJson';

export type Signature = { thoughtSignature?: string | undefined; id?: string | undefined };

const shape = z.object({ thoughtSignature: z.optional(z.string()), id: z.optional(z.string()) });

export function signatureData(signature: Signature): VendorData | null {
  const { thoughtSignature, id } = signature;
  if (!thoughtSignature && !id) return null;
  return { family: 'gemini', json: JSON.stringify({ ...(thoughtSignature ? { thoughtSignature } : {}), ...(id ? { id } : {}) }) };
}

/** Null for the data of another family. */
export function readSignature(vendor: VendorData | undefined): Signature | null {
  if (vendor?.family !== 'gemini') return null;
  const parsed = shape.safeParse(parseJson(vendor.json));
  return parsed.success ? parsed.data : null;
}

/** Google accepts this in place of a signature for calls that another model made. */
export const standInSignature = 'skip_thought_signature_validator';
