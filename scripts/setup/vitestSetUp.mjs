// So that `npx vitest run` works in a fresh checkout too: the store's tests need the SQLite binding.
import { setUp } from './setUp.mjs';

export async function setup() {
  await setUp('unit');
}
