// A model with perfect eyes, for tests: it knows what stands on every page that was made, and looks things up as the demo does. What it does not know
// was not sent.
import { shippedGlyphs } from '../../main/context/snapshot/glyphsFixture';
import { makePages, type PagesArgs, type PagesOutcome } from '../../main/context/snapshot/makePages';
import { lineMark } from '../../main/context/snapshot/print';
import { lookUp } from '../../main/providers/demo/lookUp';
import { hashOf } from '../../main/transcript/blobs';

type Part = { text?: string; image_url?: { url: string } };
type Body = { messages: { role: string; content?: string | Part[] | null }[] };

export class PagesReader {
  readonly #texts = new Map<string, string>();

  /** The program's own, noted. */
  readonly makePages = async (args: PagesArgs): Promise<PagesOutcome> => {
    const outcome = makePages(shippedGlyphs(), args);
    for (const { png, text } of outcome.ok ? outcome.pages.pages : []) this.#texts.set(hashOf(png), text.replaceAll(lineMark, '\n'));
    return outcome;
  };

  /** To the last question of a request. */
  answer(body: string): string {
    const messages = (JSON.parse(body) as Body).messages.map(({ role, content }) => {
      const parts = Array.isArray(content) ? content : [{ text: content ?? '' }];
      const text = parts.map((part: Part) => part.text ?? this.#seen(part.image_url?.url ?? '')).join('');
      return { role: role === 'assistant' ? ('assistant' as const) : ('user' as const), parts: [{ type: 'text' as const, text }] };
    });
    return lookUp({ system: '', messages }, messages.at(-1)?.parts[0]?.text ?? '') ?? 'I do not know.';
  }

  #seen(url: string): string {
    return this.#texts.get(hashOf(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))) ?? '';
  }
}
