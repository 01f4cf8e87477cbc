import { describe, expect, it } from 'vitest';
import { FailureError } from '../../shared/model/failure';
import { isLocalUrl, normalizeBaseUrl, withVersion } from './baseUrl';

describe('base URLs', () => {
  it.each([
    [undefined, 'https://api.openai.com/v1'],
    ['  ', 'https://api.openai.com/v1'],
    ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
    ['http://127.0.0.1:8080/v1///', 'http://127.0.0.1:8080/v1'],
    ['localhost:1234', 'http://localhost:1234'],
    ['192.168.1.5:11434/v1', 'http://192.168.1.5:11434/v1'],
    ['openrouter.ai/api/v1', 'https://openrouter.ai/api/v1'],
    ['https://openrouter.ai/api/v1/chat/completions', 'https://openrouter.ai/api/v1'],
    ['https://api.openai.com/v1/responses?x=1#y', 'https://api.openai.com/v1'],
    ['https://host/v1/models/', 'https://host/v1'],
  ])('P1: %s', (typed, expected) => {
    expect(normalizeBaseUrl('openai-chat', typed)).toBe(expected);
  });

  it('P1: Gemini addresses lose their version, which the library adds', () => {
    const host = 'https://generativelanguage.googleapis.com';
    for (const typed of ['', host, `${host}/v1beta`, `${host}/v1beta/models`, `${host}/v1beta/models/gemini-2.5-pro:streamGenerateContent`])
      expect(normalizeBaseUrl('gemini', typed)).toBe(host);
    expect(normalizeBaseUrl('gemini', 'http://proxy.example/google/')).toBe('http://proxy.example/google');
  });

  it('P5, Z3: what is no address is refused with the code badUrl, and shows no password', () => {
    for (const typed of ['ftp://host', 'http://', 'not a url', 'javascript://x', 'https://user:hunter2@host/v1']) {
      let caught: unknown;
      try {
        normalizeBaseUrl('openai-chat', typed);
      } catch (error) {
        caught = error;
      }
      expect(caught).toBeInstanceOf(FailureError);
      expect(caught).toMatchObject({ failure: { code: 'badUrl' } });
      expect(JSON.stringify(caught)).not.toContain('hunter2');
    }
  });

  it('P1: /v1 is tried only where no version stands', () => {
    expect(withVersion('http://localhost:1234')).toBe('http://localhost:1234/v1');
    expect(withVersion('https://host/api')).toBe('https://host/api/v1');
    for (const versioned of ['http://localhost/v1', 'https://host/v1beta/openai', 'https://host/api/paas/v4'])
      expect(withVersion(versioned)).toBeNull();
  });

  it('P3: which servers are local', () => {
    for (const host of [
      'localhost',
      '127.0.0.1',
      '127.1.2.3',
      '[::1]',
      '10.0.0.2',
      '172.16.0.1',
      '192.168.0.9',
      '100.64.0.1',
      '169.254.1.1',
      'nas',
      'nas.local',
      'box.lan',
      '[fd00::1]',
      '[fe80::1]',
    ]) {
      expect(isLocalUrl(`http://${host}:8080/v1`), host).toBe(true);
    }
    for (const host of ['api.openai.com', '172.32.0.1', '8.8.8.8', '192.169.0.1', '[2001:db8::1]', 'localhost.evil.com', 'fd.example.com'])
      expect(isLocalUrl(`http://${host}/v1`), host).toBe(false);
    expect(isLocalUrl('')).toBe(false);
  });
});
