// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { withoutDirectives } from './drawings';

describe('diagram sources', () => {
  it('Z2, Z4: configuration inside a diagram is taken out, closed or not', () => {
    expect(withoutDirectives('%%{init: {"securityLevel": "loose"}}%%\nflowchart LR').code.trim()).toBe('flowchart LR');
    expect(withoutDirectives('flowchart LR\n%%{init: {"a": 1}').code.trim()).toBe('flowchart LR');
    expect(withoutDirectives('---\nconfig:\n  securityLevel: loose\n---\nflowchart LR').code.trim()).toBe('flowchart LR');
    expect(withoutDirectives('%%{init: %%{init: {}}%% }%%\npie').code).not.toContain('%%{');
  });

  it('U7: the title names the image', () => {
    expect(withoutDirectives('---\ntitle: "Steps"\n---\nflowchart LR').title).toBe('Steps');
    expect(withoutDirectives('sequenceDiagram\n  title One step\n').title).toBe('One step');
    expect(withoutDirectives('flowchart LR\n  accTitle: Flow\n').title).toBe('Flow');
    expect(withoutDirectives('flowchart LR\n  A --> B').title).toBe('');
  });
});
