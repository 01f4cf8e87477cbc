// An open list: every item but the last is settled; only the last is read again.
import { type CompileContext, compileItem, isList } from '../compile';
import { readBlocks } from '../grammar';
import { heal } from '../heal';
import type { ListItem } from '../nodes';
import type { OpenBlock } from './openBlock';

type Kind = { ordered: boolean; mark: string; start: number };

function kindOf(raw: string): Kind | null {
  const hit = /^ {0,3}(?:([-*+])|(\d{1,9})([.)]))(?:\s|$)/.exec(raw);
  if (!hit) return null;
  return { ordered: hit[2] !== undefined, mark: hit[1] ?? hit[3] ?? '', start: Number(hit[2] ?? 1) };
}

export function openList(text: string, start: number, context: CompileContext): OpenBlock | null {
  const kind = kindOf(text.slice(start, start + 40));
  if (!kind) return null;
  const raws: string[] = [];
  let items: ListItem[] = [];
  let loose = false;
  let at = start;
  let last = '';
  const setLoose = () => {
    if (loose) return;
    loose = true;
    items = raws.map((raw) => compileItem(raw, true, context));
  };
  return {
    update(source) {
      const tail = source.slice(at);
      const blocks = readBlocks(tail, context.options, { ...context.links }).filter((block) => block.type !== 'space');
      const [list] = blocks;
      if (blocks.length !== 1 || !isList(list)) return false;
      const head = kindOf(list.raw);
      if (!head || head.ordered !== kind.ordered || head.mark !== kind.mark) return false;
      if (list.loose) setLoose();
      for (const item of list.items.slice(0, -1)) {
        // A blank line between two items makes the whole list loose.
        if (/\n[ \t]*\n[ \t]*$/.test(item.raw)) setLoose();
        raws.push(item.raw);
        items = [...items, compileItem(item.raw, loose, context)];
        at += item.raw.length;
      }
      last = list.items.at(-1)?.raw ?? '';
      return true;
    },
    nodes() {
      const tail = compileItem(heal(last), loose, context);
      return [
        { kind: 'list', key: `open list ${start} ${at} ${last.length}`, ordered: kind.ordered, start: kind.start, items: [...items, tail] },
      ];
    },
  };
}
