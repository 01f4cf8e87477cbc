import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Part } from '../../shared/model/message';
import type { ProviderEvent, VendorData } from '../../shared/model/request';
import { shownPart } from '../../shared/model/transcript';
import { StepContent } from './stepContent';

const vendor = fc.record({ family: fc.constant('gemini' as const), json: fc.json() }) satisfies fc.Arbitrary<VendorData>;
const index = fc.nat(2);
const name = fc.constantFrom('read_file', 'edit_file');
const event: fc.Arbitrary<ProviderEvent> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string() }),
  fc.record({ type: fc.constant('reasoning' as const), text: fc.string(), source: fc.constantFrom('a', 'b') }),
  fc.record({ type: fc.constant('vendor' as const), on: fc.constantFrom('text' as const, 'reasoning' as const, 'item' as const), vendor }),
  fc.record({ type: fc.constant('toolCallStarted' as const), index, name }),
  fc.record({ type: fc.constant('toolCallDelta' as const), index, name, text: fc.string() }),
  fc.record({ type: fc.constant('toolCall' as const), index, name, callId: fc.uuid(), arguments: fc.json(), valid: fc.constant(true) }),
);

/** What a window has after applying the changes one by one. */
function shownBy(events: readonly ProviderEvent[], content: StepContent): Part[] {
  const seen: Part[] = [];
  for (const each of events) {
    const change = content.add(each);
    if (change?.type === 'part') seen[change.index] = change.part;
    if (change?.type !== 'delta') continue;
    const old = seen[change.index];
    const before = old && 'text' in old ? old.text : old?.type === 'toolCall' ? old.arguments : '';
    expect(change.offset).toBe(before.length);
    const text = before + change.text;
    if (change.kind === 'toolCall') seen[change.index] = { type: 'toolCall', callId: '', name: '', ...change.call, arguments: text };
    else if (change.kind === 'text') seen[change.index] = { type: 'text', text };
    else seen[change.index] = { type: 'reasoning', text, source: change.source };
  }
  return seen;
}

describe('StepContent', () => {
  it('X9: always: the changes put together are what is shown', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const content = new StepContent();
        expect(shownBy(events, content)).toEqual(content.shown);
      }),
    );
  });

  it('X3: always: every opaque datum is kept byte for byte, in order, and no unfinished call is kept', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const content = new StepContent();
        for (const each of events) content.add(each);
        const kept = content.content.flatMap((part) => ('vendor' in part && part.vendor ? [part.vendor] : []));
        expect(kept).toEqual(events.flatMap((each) => (each.type === 'vendor' ? [each.vendor] : [])));
        const ids = events.flatMap((each) => (each.type === 'toolCall' ? [each.callId] : []));
        expect(content.calls.map(({ callId }) => callId).sort()).toEqual([...ids].sort());
        expect(StepContent.of(content.content).shown).toEqual(content.content.flatMap(shownPart));
      }),
    );
  });

  it('X3: neighbouring words are one part, until opaque data ends it', () => {
    const content = new StepContent();
    const data: VendorData = { family: 'gemini', json: '{"thoughtSignature":"x"}' };
    for (const each of [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'vendor', on: 'text', vendor: data },
      { type: 'text', text: 'c' },
    ] satisfies ProviderEvent[])
      content.add(each);
    expect(content.content).toEqual([
      { type: 'text', text: 'ab', vendor: data },
      { type: 'text', text: 'c' },
    ]);
  });

  it('X9: a call in the making counts for nothing, a whole one does', () => {
    const content = new StepContent();
    content.add({ type: 'toolCallStarted', index: 0, name: 'read_file' });
    content.add({ type: 'toolCallDelta', index: 0, name: 'read_file', text: '{"pa' });
    expect([content.isEmpty, content.content, content.shown.length]).toEqual([true, [], 1]);
    content.add({ type: 'toolCall', index: 0, callId: 'c1', name: 'read_file', arguments: '{}', valid: true });
    expect([content.isEmpty, content.calls.length]).toEqual([false, 1]);
  });
});
