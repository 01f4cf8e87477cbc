// The system this window runs on, as far as keys need it.
export const isMac = typeof navigator !== 'undefined' && /mac/i.test(navigator.platform);
