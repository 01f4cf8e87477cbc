import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OutlineBone, OutlineIndex } from './outline';
import { outlineOf, randomTurns } from './outlineArbitrary';
import { type OutlineChoice, type OutlineRow, outlineRows } from './outlineRows';

const nothing: OutlineChoice = { open: new Set(), extra: new Map(), filter: 'all', hits: null };
/** `a b<a c<b d<a` as prompts, in order of creation. */
const treeOf = (text: string) =>
  OutlineIndex.of(
    text.split(' ').map((each, at): OutlineBone => {
      const [id = '', parent] = each.split('<');
      return { seq: at + 1, id, parentId: parent ?? null, role: 'user', turnId: null };
    }),
  );
const shown = (rows: readonly OutlineRow[]) =>
  rows.map((row) => `${'.'.repeat(row.lane)}${row.kind === 'gap' ? `${row.to - row.from} turns` : row.turn.text}`);
const rowsOf = (text: string, tip: string, choice: Partial<OutlineChoice> = {}) =>
  outlineRows(outlineOf(treeOf(text), tip), { ...nothing, ...choice });
const turnNamed = (rows: readonly OutlineRow[], text: string) => {
  const row = rows.find((each) => each.kind === 'turn' && each.turn.text === text);
  if (row?.kind !== 'turn') throw new Error(`no row ${text}`);
  return row;
};

describe('outlineRows', () => {
  it('U5: branches beside the path come right under the message they leave, then the path goes on in its lane', () => {
    const rows = rowsOf('a b<a c<b d<a e<d f<e g<d h<a', 'f');
    expect(shown(rows)).toEqual(['a', '.b', '.h', 'd', '.g', 'e', 'f']);
    expect(rows.filter((row) => row.onPath).map((row) => row.key)).toEqual(['a', 'd', 'e', 'f']);
    expect(turnNamed(rows, 'f').isTip).toBe(true);
    expect(turnNamed(rows, 'b')).toMatchObject({ fold: 'folded', turns: 2, level: 2, isHead: true });
    expect(turnNamed(rows, 'h')).toMatchObject({ fold: null, turns: 1 });
  });

  it('U5: an unfolded branch goes on in one lane along what was written last, and its own branches one lane further in', () => {
    const text = 'a b<a c<b d<b e<d x<a';
    const rows = rowsOf(text, 'x', { open: new Set(['b']) });
    expect(shown(rows)).toEqual(['a', '.b', '..c', '.d', '.e', 'x']);
    expect(rows.map((row) => row.level)).toEqual([1, 2, 3, 3, 3, 1]);
    expect(turnNamed(rows, 'b').fold).toBe('open');
  });

  it('U5: a straight run is one muted row, and what was unfolded of it stands in its place', () => {
    const text = 'a b<a c<b d<c e<d f<e';
    expect(shown(rowsOf(text, 'f'))).toEqual(['a', '4 turns', 'f']);
    const extra = new Map([['a', [{ ...turnNamed(rowsOf(text, 'b'), 'b').turn }]]]);
    expect(shown(rowsOf(text, 'f', { extra }))).toEqual(['a', 'b', '3 turns', 'f']);
  });

  it('U5, T4: a tip in the middle of a run ends the path there; what goes on below it is beside the path', () => {
    const rows = rowsOf('a b<a c<b d<c e<d', 'b');
    expect(shown(rows)).toEqual(['a', 'b', '2 turns', 'e']);
    expect(rows.map((row) => row.onPath)).toEqual([true, true, false, false]);
  });

  it('T1, U5: other first prompts stand beside the one the path begins with', () => {
    expect(shown(rowsOf('a b<a c d<c', 'd'))).toEqual(['.a', 'c', 'd']);
  });

  it('U5: filters', () => {
    const text = 'a b<a c<b d<a e<d f<e g<f h<g';
    expect(shown(rowsOf(text, 'h', { filter: 'branchPoints' }))).toEqual(['a', '.b', 'h']);
    const bones: OutlineBone[] = [
      { seq: 1, id: 'p', parentId: null, role: 'user', turnId: '1' },
      { seq: 2, id: 'x', parentId: 'p', role: 'assistant', turnId: '1' },
      { seq: 3, id: 'y', parentId: 'p', role: 'assistant', turnId: '2' },
      { seq: 4, id: 'q', parentId: 'y', role: 'user', turnId: '3' },
    ];
    const outline = outlineOf(OutlineIndex.of(bones), 'q');
    expect(shown(outlineRows(outline, nothing))).toEqual(['p', '.x', 'y', 'q']);
    expect(shown(outlineRows(outline, { ...nothing, filter: 'prompts' }))).toEqual(['p', 'q']);
    const labelled = {
      ...outline,
      runs: outline.runs.map((run, at) => (at === 2 ? { ...run, shown: run.shown.map((turn) => ({ ...turn, label: 'L' })) } : run)),
    };
    expect(shown(outlineRows(labelled, { ...nothing, filter: 'labelled' }))).toEqual(['y', 'q']);
  });

  it('U5: a search shows what it found, folded or not, and the beginnings of the branches it is on', () => {
    const outline = outlineOf(treeOf('a b<a c<b d<c e<d f<e x<a'), 'x');
    const turn = { ...(outline.runs[1]?.shown.at(-1) ?? outline.runs[0]!.shown[0]!) };
    expect(shown(outlineRows(outline, { ...nothing, hits: new Map([[1, [turn]]]) }))).toEqual(['.b', '.f']);
  });

  it('U7: for any tree, what is folded is counted, each row knows its place, and levels grow by one', () => {
    fc.assert(
      fc.property(randomTurns, fc.nat(), (bones, pick) => {
        const index = OutlineIndex.of(bones);
        const tip = bones[pick % bones.length]?.id ?? null;
        const all = outlineRows(
          outlineOf(index, tip, () => true),
          { ...nothing, open: new Set(bones.map(({ id }) => id)) },
        );
        const turns = index.runs.reduce((sum, run) => sum + run.starts.length, 0);
        expect(all).toHaveLength(turns);
        expect(new Set(all.map((row) => row.key)).size).toBe(all.length);
        expect(all.filter((row) => row.kind === 'turn' && row.isTip)).toHaveLength(1);
        expect(all.filter((row) => row.onPath).every((row) => row.lane === 0 && row.level === 1)).toBe(true);
        let before = 0;
        for (const row of all) {
          if (before > 0) expect(row.level).toBeLessThanOrEqual(before + 1);
          expect(row.place).toBeLessThanOrEqual(row.group.size);
          expect(row.passes).toHaveLength(row.lane);
          before = row.level;
        }
        const folded = outlineRows(outlineOf(index, tip), nothing);
        const counted = folded.reduce((sum, row) => sum + (row.kind === 'gap' ? row.to - row.from : row.fold ? row.turns : 1), 0);
        expect(counted).toBe(turns);
      }),
    );
  });

  it('U5: lines lead from each row to the one it hangs under, and end where nothing follows', () => {
    const rows = rowsOf('a b<a d<a e<d', 'e');
    expect(rows.map(({ line }) => line)).toEqual([
      { above: null, below: 'path' },
      { above: null, below: null },
      { above: 'path', below: 'path' },
      { above: 'path', below: null },
    ]);
    expect(rows[1]).toMatchObject({ passes: ['path'], meets: 'path' });
  });
});
