// Lines of a log as programs write them: JSON with a time, a level, an id, a path and numbers.
import { seeded } from './random';

export function jsonLog(characters: number): string {
  const random = seeded(17);
  const lines: string[] = [];
  let length = 0;
  for (let at = 0; length < characters; at++) {
    const line = JSON.stringify({
      time: new Date(1_700_000_000_000 + at * 1733 + random.between(0, 999)).toISOString(),
      level: random.pick(['info', 'debug', 'warn', 'error']),
      request: random.between(0, 2 ** 31).toString(16),
      path: `/api/v1/${random.pick(['users', 'orders', 'items'])}/${random.between(0, 9999)}`,
      ms: random.between(0, 900),
      ok: random.next() < 0.9,
    });
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join('\n');
}
