// A workspace with the benchmark's data, as a person would have it: settings made, checked and backed up today.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setPinned } from '../../main/store/conversations';
import { connectionOf } from '../../main/store/database';
import { setMeta } from '../../main/store/meta';
import { openStore, type WriteStore } from '../../main/store/open';
import { layoutOf } from '../../main/workspace/layout';
import { conversationsOfLength } from '../../scripts/bench/store/targets';
import type { ConversationId } from '../../shared/model/ids';

/** `hundred`: a conversation whose path has about a hundred messages; it and the extreme ones are pinned. */
export type BenchFolders = { workspace: string; userData: string; hundred: string; remove(): void };

const settings = {
  version: 1,
  providers: [{ id: 'demo', name: 'Demo', kind: 'demo' }],
  agents: [{ id: 'assistant', name: 'Assistant', model: 'demo/demo-large' }],
  preferences: { autoTitle: false },
};

/** `data`: the database to copy, null for a workspace without messages. The copy is made beside it. */
export function makeWorkspace(cache: string, data: string | null, lastConversationId: string): BenchFolders {
  const root = mkdtempSync(join(data ? dirname(data) : cache, 'run-'));
  const folders = { workspace: join(root, 'workspace'), userData: join(root, 'user') };
  const layout = layoutOf(folders.workspace);
  mkdirSync(layout.backups, { recursive: true });
  mkdirSync(folders.userData, { recursive: true });
  writeFileSync(join(folders.userData, 'settings.json'), JSON.stringify(settings));
  writeFileSync(layout.settings, JSON.stringify({ interface: { lastConversationId } }));
  if (data) copyFileSync(data, layout.database);
  let hundred = '';
  const store = openStore({ file: layout.database, mode: 'write', now: Date.now });
  try {
    // The daily check and backup are not part of what is measured.
    setMeta(store.db, 'checkedAt', String(Date.now()));
    const stamp = new Date().toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
    writeFileSync(join(layout.backups, `bough-${stamp}.db`), '');
    if (data) hundred = pinForClicks(store);
  } finally {
    store.close();
  }
  return { ...folders, hundred, remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }) };
}

/** So that these conversations are at the top of the list, where they can be clicked. */
function pinForClicks({ db }: WriteStore): string {
  const extreme = connectionOf(db)
    .prepare<[], string>("SELECT id FROM conversations WHERE id GLOB 'cnv_bench_[a-z]*' ORDER BY id")
    .pluck()
    .all();
  const [hundred] = conversationsOfLength(db, 100, 1);
  if (!hundred) throw new Error('The data has no usual conversation.');
  for (const [at, id] of [...extreme, hundred.conversationId].entries()) {
    setPinned(db, { conversationId: id as ConversationId, pinned: true, now: 1_790_000_000_000 + at });
  }
  return hundred.conversationId;
}
