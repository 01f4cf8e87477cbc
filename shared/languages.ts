// Which of the languages at hand a person reads: their choice, or for `system` the nearest to the system's. One rule for window and menus.

/** English when no other fits. */
export function languageFor(preference: string, systemLocale: string, known: readonly string[]): string {
  const wished = preference === 'system' ? systemLocale : preference;
  return known.find((tag) => tag === wished) ?? known.find((tag) => tag === wished.split('-')[0]) ?? 'en';
}
