import { expect, it } from 'vitest';
import { safeExternalUrl } from './safeUrl';

it.each(['https://example.com/a?b#c', 'http://127.0.0.1:8080/', 'mailto:a@example.com'])('Z1: %s is opened', (url) => {
  expect(safeExternalUrl(url)).toBe(url);
});

it.each([
  'file:///etc/passwd',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'bough://run',
  'vscode://x',
  'smb://host/share',
  'ms-msdt:/id',
  'app://bough/index.html',
  'blob:https://a/b',
  '\\\\host\\share',
  '//host/share',
  'C:\\Windows\\System32\\calc.exe',
  'https://',
  'https://user:password@example.com/',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  '',
])('Z1, Z4: %j is not opened', (url) => {
  expect(safeExternalUrl(url)).toBeNull();
});
