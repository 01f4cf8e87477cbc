// A number as a person types it: empty means "not set", a comma counts as a point.
export type TypedNumber = { ok: true; value: number | undefined } | { ok: false; value: undefined };

export function numberIn(
  text: string,
  { min, max = Number.MAX_SAFE_INTEGER, whole = false }: { min: number; max?: number; whole?: boolean },
): TypedNumber {
  const plain = text.replace(/[\s_']/g, '');
  if (plain === '') return { ok: true, value: undefined };
  const thousands = whole ? plain.replace(/[.,](?=\d{3}(\D|$))/g, '') : plain.replace(',', '.');
  const value = /^\d*\.?\d+$/.test(thousands) ? Number(thousands) : Number.NaN;
  const fits = value >= min && value <= max && (!whole || Number.isInteger(value));
  return fits ? { ok: true, value } : { ok: false, value: undefined };
}
