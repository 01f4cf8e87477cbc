// Puts the person's theme, text size, motion and language on the page, and follows the system where they say so.
import { useEffect, useLayoutEffect } from 'react';
import { showWordsOf } from '../../i18n';
import { useInfo, useSettings } from '../../state/appSlice';
import { narrowBelow, setNarrow } from '../../state/layoutSlice';

const systemDark = () => window.matchMedia('(prefers-color-scheme: dark)');

/** Before the settings are known: what the system says. */
export function showSystemTheme(): void {
  document.documentElement.dataset.theme = systemDark().matches ? 'dark' : 'light';
}

/** Gives the text scale, 1 at normal size. */
export function useAppearance(): number {
  const preferences = useSettings()?.preferences;
  const locale = useInfo()?.locale;
  const { theme = 'system', textSize = 100, reducedMotion = 'system', language = 'system' } = preferences ?? {};
  const scale = textSize / 100;
  useLayoutEffect(() => {
    if (theme !== 'system') {
      document.documentElement.dataset.theme = theme;
      return;
    }
    showSystemTheme();
    const query = systemDark();
    query.addEventListener('change', showSystemTheme);
    return () => query.removeEventListener('change', showSystemTheme);
  }, [theme]);
  useLayoutEffect(() => {
    document.documentElement.style.setProperty('--text-scale', String(scale));
    const measure = () => setNarrow(window.innerWidth / scale <= narrowBelow);
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [scale]);
  useLayoutEffect(() => {
    if (reducedMotion === 'on') document.documentElement.dataset.motion = 'reduce';
    else delete document.documentElement.dataset.motion;
  }, [reducedMotion]);
  useEffect(() => {
    if (locale) void showWordsOf(language, locale);
  }, [language, locale]);
  return scale;
}
