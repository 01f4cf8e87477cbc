// When something was, in the words of the language.
import { useTranslation } from 'react-i18next';

const formats = new Map<string, Intl.DateTimeFormat>();

export function useWhen(): (at: number) => string {
  const { language } = useTranslation('memory').i18n;
  const format = formats.get(language) ?? new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  formats.set(language, format);
  return (at) => format.format(at);
}
