// The only place that sets innerHTML; by type it takes nothing but what the sanitizer returned.
import type { HTMLAttributes } from 'react';
import type { CleanHtml } from './sanitize';

type Props = Omit<HTMLAttributes<HTMLElement>, 'children' | 'dangerouslySetInnerHTML'> & { html: CleanHtml; as?: 'div' | 'span' | 'li' };

export function SafeHtml({ html, as: Tag = 'div', ...rest }: Props) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: CleanHtml is made by the sanitizer alone
  return <Tag {...rest} dangerouslySetInnerHTML={{ __html: html }} />;
}
