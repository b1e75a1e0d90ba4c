import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { ActionRow } from '../../encoding/action-row.ts';
import type { CloseRow } from '../../encoding/close-row.ts';
import type { KeyRow } from '../../encoding/key-row.ts';
import type { QuoteRow } from '../../encoding/quote-row.ts';
import { damaged } from '../../encoding/damaged.ts';
import { blockOf, emptySeal, hashOfPrices, RestHash } from './close-hash.ts';
import { addHash, hashText } from './row-hash.ts';
import { hashOfAction, hashOfEvent, hashOfKey, sealOfQuote } from './set-hash.ts';
import type { EventRow } from './set-hash.ts';
import { SetSeal } from './set-seal.ts';
import type { SealedSet } from './set-seal.ts';

/**
 * Creates the seals of all rows of a database, within the transaction of the caller.
 *
 * @throws StoreFault `corrupt` when closes are not in order, or are not found by their instrument.
 */
export function sealExisting(database: DatabaseSync, path: string): void {
  sealCloses(database, path);
  const rowsOf = (query: string): readonly unknown[] => prepared(database, query).all();
  const seal = (subject: SealedSet, hashes: readonly number[]): void =>
    new SetSeal(database, path, subject).add(hashes);
  seal(
    'actions',
    (rowsOf(columns.actions) as readonly ActionRow[]).map((row) =>
      hashOfAction([...row, null, null]),
    ),
  );
  seal('keys', (rowsOf(columns.keys) as readonly KeyRow[]).map(hashOfKey));
  seal('key events', (rowsOf(columns.events) as readonly EventRow[]).map(hashOfEvent));
  const quotes = rowsOf(columns.quotes) as readonly QuoteRow[];
  const put = database.prepare('UPDATE quotes SET seal = ? WHERE ticker = ?');
  for (const row of quotes) put.run(sealOfQuote(row), row[0]);
  const tickers = quotes.map(([ticker]) => hashText(ticker));
  seal('quotes', tickers);
}

/** The rows as the schema of this step has them. Later schemas may have more columns. */
const columns = {
  actions: `
    SELECT ticker, ex_day, type, factor, amount, currency, new_ticker, source FROM corporate_actions`,
  keys: `
    SELECT id, name, scope, sha256, created_at, expires_at, revoked_at, disabled_at, labels, plan,
      rate_limit, replaces, family, last_used_at FROM api_keys`,
  events: 'SELECT at, who, what, key_id, detail FROM key_events',
  quotes: 'SELECT ticker, version, state, bar FROM quotes',
} as const;

function sealCloses(database: DatabaseSync, path: string): void {
  const closes = prepared(
    database,
    `
    SELECT day, close, volume, open, high, low, sources.name
    FROM closes LEFT JOIN sources ON sources.id = source_id WHERE instrument_id = ? ORDER BY day`,
  );
  const put = database.prepare(
    'INSERT INTO close_seals (instrument_id, block, rows, prices, rest) VALUES (?, ?, ?, ?, ?)',
  );
  const hash = new RestHash();
  const ids = prepared(database, 'SELECT id FROM instruments').all() as unknown as [number][];
  let sealed = 0;
  for (const [id] of ids) {
    let last = -Infinity;
    const blocks = new Map<number, ReturnType<typeof emptySeal>>();
    for (const row of closes.all(id) as unknown as readonly CloseRow[]) {
      const [day, close, volume, open, high, low, source] = row;
      if (day <= last) throw damaged(path, `the closes of instrument ${id} are not in order`);
      last = day;
      sealed += 1;
      const block = blockOf(day);
      const seal = blocks.get(block) ?? emptySeal();
      blocks.set(block, seal);
      seal.rows += 1;
      seal.prices = addHash(seal.prices, hashOfPrices(day, close, volume));
      seal.rest = addHash(seal.rest, hash.of({ day, open, high, low, source }));
    }
    for (const [block, { rows, prices, rest }] of blocks) put.run(id, block, rows, prices, rest);
  }
  const [all] = prepared(database, 'SELECT count(*) FROM closes').get() as unknown as [number];
  if (all !== sealed) {
    throw damaged(path, `${sealed} of ${all} closes are found by their instrument`);
  }
}

/** A statement whose rows are arrays, on any connection. */
function prepared(database: DatabaseSync, query: string): StatementSync {
  const statement = database.prepare(query);
  statement.setReturnArrays(true);
  return statement;
}
