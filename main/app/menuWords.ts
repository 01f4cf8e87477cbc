// Words of the native menus in the window's language. They are in the same files as the window's; what a language lacks is in English.
import type contextMenu from '../../assets/locales/en/contextMenu.json';
import type menu from '../../assets/locales/en/menu.json';
import type palette from '../../assets/locales/en/palette.json';
import { languageFor } from '../../shared/languages';

/** `what` has the titles of commands, by id. */
export type MenuWords = typeof menu & { text: typeof contextMenu; what: (typeof palette)['what'] };
type Area = 'menu' | 'contextMenu' | 'palette';
type Words = { readonly [key: string]: string | Words };

const files: Record<string, Words> = import.meta.glob<Words>('../../assets/locales/*/{menu,contextMenu,palette}.json', {
  eager: true,
  import: 'default',
});
const wordsAt = (language: string, area: Area): Words => files[`../../assets/locales/${language}/${area}.json`] ?? {};
const languages = [...new Set(Object.keys(files).map((path) => path.split('/').at(-2) as string))];

/** `preference` is a bundled language or `system`. */
export function menuWordsOf(preference: string, systemLocale: string): MenuWords {
  const language = languageFor(preference, systemLocale, languages);
  const area = (name: Area) => over(wordsAt('en', name), wordsAt(language, name));
  return { ...area('menu'), text: area('contextMenu'), what: area('palette')['what'] } as MenuWords;
}

function over(english: Words, own: Words): Words {
  const entries = Object.entries(english).map(([key, word]) => {
    const other = own[key];
    if (typeof word !== 'string') return [key, over(word, typeof other === 'object' ? other : {})];
    return [key, typeof other === 'string' ? other : word];
  });
  return Object.fromEntries(entries) as Words;
}
