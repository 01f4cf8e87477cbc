// What is wrong with the arguments of a call, in words by which a model can mend them: limits that its schema does not name are said here. Pure.
import type * as z from 'zod/mini';

/** One clause a problem. `input` is what was sent; `known`: the names of what the tool takes, said where one is missing. */
export function inputProblems(issues: readonly z.core.$ZodIssue[], input: unknown, known: readonly string[]): string {
  const clauses = issues.map((issue) => `${placeOf(issue.path)} ${problemOf(issue, valueAt(input, issue.path))}`);
  const isMissing = issues.some((issue) => valueAt(input, issue.path) === undefined);
  return isMissing ? `${clauses.join('; ')}. The arguments are: ${known.join(', ')}` : clauses.join('; ');
}

type Path = z.core.$ZodIssue['path'];

const placeOf = (path: Path): string =>
  path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at === 0 ? '' : '.'}${String(key)}`)).join('') || 'The whole';

function valueAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined),
    input,
  );
}

const types: Record<string, string> = {
  string: 'a text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function problemOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${types[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'must not be empty'
        : `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}${typeof value === 'string' ? `, not ${value.length}` : ''}`;
    case 'invalid_format':
      return issue.message === 'Invalid input' ? 'has the wrong form' : issue.message;
    default:
      return issue.message;
  }
}

const unitOf = (origin: string): string => (origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '');

/** Many models send null for what they leave out; no tool takes one. */
export function withoutNulls(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}
