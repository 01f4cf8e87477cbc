import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parseArguments } from './arguments';

it('W1: folders come from the command line, relative to where it was typed, the last one counts', () => {
  expect(parseArguments(['electron', '.', '--workspace=a', '--workspace=b', '--user-data-dir=/u', '--other'], '/home/x')).toEqual({
    workspace: resolve('/home/x', 'b'),
    userData: '/u',
  });
  expect(parseArguments(['electron', '--workspace='], '/')).toEqual({ workspace: null, userData: null });
});
