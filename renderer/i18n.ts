// Words of the window: one JSON file an area in assets/locales/<language>/. English is bundled, so that no text ever waits;
// other languages are chunks, and what they lack is shown in English.
import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { languageFor } from '../shared/languages';
import { formatBytes, formatList } from './ui/format';

type Words = Record<string, unknown>;
const english = import.meta.glob<Words>('../assets/locales/en/*.json', { eager: true, import: 'default' });
const others = import.meta.glob<Words>(['../assets/locales/*/*.json', '!../assets/locales/en/*.json'], { import: 'default' });

function placeOf(path: string): { language: string; area: string } {
  const [file = '', language = ''] = path.split('/').reverse();
  return { language, area: file.replace('.json', '') };
}

/** Languages that have at least one file. */
const bundledTags = [...new Set(['en', ...Object.keys(others).map((path) => placeOf(path).language)])];

/** The same, each by its own name. */
export const bundledLanguages = (): { tag: string; name: string }[] => bundledTags.map((tag) => ({ tag, name: nameOf(tag) }));

/** Begun with a capital, as it stands alone. */
function nameOf(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

const resources = { en: Object.fromEntries(Object.entries(english).map(([path, words]) => [placeOf(path).area, words])) };

export const words: i18n = createInstance();
void words.use(initReactI18next).init({
  lng: 'en',
  fallbackLng: 'en',
  initAsync: false,
  resources,
  ns: Object.keys(resources.en),
  defaultNS: 'app',
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
});

/**
 * What hooks are given: the same words behind an object without fields of its own. Each use of `useTranslation` copies every field of the
 * object it is given, which was an eighth of the time a conversation takes to show.
 */
export const wordsForHooks: i18n = Object.create(words);

// `{{size, bytes}}` and `{{names, list}}` in a text.
words.services.formatter?.add('bytes', (value: unknown, language) => formatBytes(Number(value), language ?? 'en'));
words.services.formatter?.add('list', (value: unknown, language) => formatList((value as string[]).map(String), language ?? 'en'));

/** Shows the person's language: their choice, or for `system` the nearest to the system's. */
export async function showWordsOf(preference: string, systemLocale: string): Promise<void> {
  const tag = languageFor(preference, systemLocale, bundledTags);
  if (tag !== 'en' && !words.hasResourceBundle(tag, 'app')) await load(tag);
  if (words.language !== tag) await words.changeLanguage(tag);
  document.documentElement.lang = tag;
}

async function load(tag: string): Promise<void> {
  const files = Object.entries(others).filter(([path]) => placeOf(path).language === tag);
  await Promise.all(files.map(async ([path, get]) => words.addResourceBundle(tag, placeOf(path).area, await get(), true, true)));
}
