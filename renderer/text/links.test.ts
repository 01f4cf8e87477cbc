import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFootnoteJump, isInlinePicture, safeUrl } from './links';

describe('addresses', () => {
  it.each([
    ['https://a.example/x?y=1#z', 'https://a.example/x?y=1#z'],
    ['HTTP://A.example', 'http://a.example/'],
    ['mailto:a@b.example', 'mailto:a@b.example'],
    [' https://a.example/a b ', 'https://a.example/a%20b%20'],
  ])('Z1: %j may be opened', (address, url) => {
    expect(safeUrl(address.trimStart())).toBe(url);
  });

  it.each([
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '//a.example',
    '/path',
    'ms-msdt:/id',
    'https:a.example',
    'http://',
    '',
  ])('Z1: %j may not', (address) => {
    expect(safeUrl(address)).toBeNull();
  });

  it('Z1: whatever passes is http, https or mailto to the browser too', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.string().map((text) => `https://${text}`),
        ),
        (address) => {
          const url = safeUrl(address);
          if (url !== null) expect(['http:', 'https:', 'mailto:']).toContain(new URL(url).protocol);
        },
      ),
    );
  });

  it('I5: only pictures that are pixels may be inline', () => {
    expect(isInlinePicture('data:image/png;base64,AAAA')).toBe(true);
    expect(isInlinePicture('data:image/svg+xml;base64,AAAA')).toBe(false);
    expect(isInlinePicture('data:image/png;base64,AA"onerror="x')).toBe(false);
    expect(isInlinePicture('https://a.example/x.png')).toBe(false);
  });

  it('Z1: a jump stays inside the message', () => {
    expect(isFootnoteJump('#fn-1')).toBe(true);
    expect(isFootnoteJump('#root')).toBe(false);
    expect(isFootnoteJump('#fn-"x')).toBe(false);
  });
});
