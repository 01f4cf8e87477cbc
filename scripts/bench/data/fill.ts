// Writes the whole data through the real schema: one transaction after another into a database that nobody else reads yet.

import { createConversation } from '../../../main/store/conversations';
import { change, connectionOf, transaction, type WritableDb } from '../../../main/store/database';
import { messageColumns } from '../../../main/store/messageRow';
import { type ConversationId, makeNewId } from '../../../shared/model/ids';
import { benchAgent, type Grown, Growth } from './grow';
import { type Random, seeded } from './random';
import { planConversations, type Scale } from './sizes';
import { makeTexts } from './texts';
import { titleWords } from './words';

/** Autumn 2026: as good a day as any, and the same on every machine. */
const begin = Date.UTC(2026, 8, 1);
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** ULIDs from a seeded source; they sort by time, as those of the program do. */
function seededUlid(random: Random, now: () => number): () => string {
  const encode = (value: number, length: number) => {
    let text = '';
    let rest = value;
    for (let at = 0; at < length; at++) {
      text = `${alphabet[rest % 32]}${text}`;
      rest = Math.floor(rest / 32);
    }
    return text;
  };
  let count = 0;
  return () => `${encode(now(), 10)}${encode(count++, 8)}${encode(Math.floor(random.next() * 2 ** 40), 8)}`;
}

const insertMessage = `INSERT INTO messages
  (id, conversation_id, parent_id, role, status, agent_id, turn_id, model, text, parts, usage, meta, created_at, ordinal, depth, jump_id)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Conversations grow in bursts of 2 to 37 messages between each other, as they do when people use several at once. */
export function fill(db: WritableDb, scale: Scale, seed: number): void {
  const random = seeded(seed);
  let clock = begin;
  const now = () => clock;
  const source = { random, texts: makeTexts(random), newId: makeNewId(seededUlid(random, now)), now };
  const connection = connectionOf(db);
  connection.pragma('synchronous = OFF');
  connection.pragma('cache_size = -262144');
  const growing = planConversations(random, scale).map((plan) => new Growth(plan, source));
  transaction(db, () => {
    for (const { plan } of growing) {
      const title = Array.from({ length: random.between(2, 5) }, () => random.pick(titleWords)).join(' ');
      createConversation(db, { id: plan.id as ConversationId, now: begin, agentId: benchAgent, title, titleSource: 'auto' });
    }
  });
  const bursts = drawBursts(random, growing);
  for (let at = 0; at < bursts.length; at += burstsAtOnce) {
    transaction(db, () => {
      for (const growth of bursts.slice(at, at + burstsAtOnce)) {
        const size = Math.min(growth.plan.messages - growth.made, 2 * random.between(1, 18));
        for (let one = 0; one < size; one++) {
          clock += random.between(1, 7) * 900;
          write(db, growth.next(), growth, clock);
        }
      }
    });
    connection.pragma('wal_checkpoint(TRUNCATE)');
  }
  for (const growth of growing) {
    transaction(db, () => {
      while (growth.made < growth.plan.messages) write(db, growth.next(), growth, clock);
    });
  }
  connection.pragma('wal_checkpoint(TRUNCATE)');
}

const burstsAtOnce = 2_000;
const usualBurst = 19;

/** Whose turn it is, in a seeded order; a conversation has as many turns as its length needs, more or less. */
function drawBursts(random: Random, growing: readonly Growth[]): Growth[] {
  const turns = growing.flatMap((growth) => Array.from({ length: Math.ceil(growth.plan.messages / usualBurst) }, () => growth));
  for (let at = turns.length - 1; at > 0; at--) {
    const other = random.between(0, at);
    [turns[at], turns[other]] = [turns[other] as Growth, turns[at] as Growth];
  }
  return turns;
}

const remember = 'INSERT OR REPLACE INTO branch_tips (conversation_id, child_id, tip_id, turn_id) VALUES (?, ?, ?, NULL)';
/** The last message of a conversation makes it whole: its tip, and the tips of the branches that were left. */
function write(db: WritableDb, { message, ordinal, depth, jumpId }: Grown, growth: Growth, now: number): void {
  change(db, insertMessage).run(...messageColumns(message), ordinal, depth, jumpId);
  if (growth.made < growth.plan.messages) return;
  for (const { childId, tipId } of growth.left) change(db, remember).run(growth.plan.id, childId, tipId);
  change(db, 'UPDATE conversations SET tip_id = ?, updated_at = ? WHERE id = ?').run(growth.tipId, now, growth.plan.id);
}
