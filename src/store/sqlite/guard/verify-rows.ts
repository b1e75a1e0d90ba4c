import type { DatabaseSync } from 'node:sqlite';

import { firstEpochDay, lastEpochDay } from '../../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import {
  replacedActionColumns,
  storedActionColumns,
  type ReplacedActionRow,
  type StoredActionRow,
} from '../../encoding/action-row.ts';
import { damaged } from '../../encoding/damaged.ts';
import { keyColumns, type KeyRow } from '../../encoding/key-row.ts';
import {
  indexColumns,
  replacedIndexColumns,
  type IndexRow,
  type ReplacedIndexRow,
} from '../../encoding/index-row.ts';
import {
  replacedTermsColumns,
  termsColumns,
  type ReplacedTermsRow,
  type TermsRow,
} from '../../encoding/terms-row.ts';
import type { QuoteRow } from '../../encoding/quote-row.ts';
import { StoredBars } from '../rows/stored-bars.ts';
import { StoredChanges } from '../seals/stored-changes.ts';
import { BarSeals } from '../seals/bar-seals.ts';
import { hashText } from '../seals/row-hash.ts';
import {
  hashOfAction,
  hashOfEvent,
  hashOfIndexValue,
  hashOfKey,
  hashOfTerms,
  sealOfQuote,
  type EventRow,
} from '../seals/set-hash.ts';
import { SetSeal, type SealedSet } from '../seals/set-seal.ts';
import { Snapshot } from '../seals/snapshot.ts';
import { VerifiedCloses } from '../seals/verified-closes.ts';

const always = { from: firstEpochDay, to: lastEpochDay };

/**
 * Reads every row of a database with the newest schema, and compares it with its seal. So it also finds a number
 * that was changed within a sound page. Takes about a microsecond for each close.
 *
 * @throws StoreFault `corrupt`
 */
export function verifyRows(database: DatabaseSync, path: string): void {
  const snapshot = new Snapshot(database);
  const closes = new VerifiedCloses(database, path);
  const [bars, barSeals] = [new StoredBars(database, path), new BarSeals(database, path)];
  const changes = new StoredChanges(database, path);
  const requireChange = (change: number): void => void changes.of(change);
  const all = (query: string): readonly unknown[] => database.prepare(query).all();
  for (const table of ['instruments', 'instrument_seals']) {
    const rows = all(`SELECT ticker FROM ${table}`) as readonly (readonly [Ticker])[];
    for (const [ticker] of rows) {
      snapshot.run(() => {
        const id = closes.idOf(ticker);
        if (id === undefined) throw damaged(path, `the instrument ${ticker} is not found`);
        if (table !== 'instruments') return;
        closes.verifyAll(id, requireChange);
        for (const row of closes.replaced(id, always)) requireChange(row[7]);
        const range = { from: -Infinity, to: Infinity, sinceMinute: -Infinity };
        barSeals.verify(id, range, bars.of(id, range.from, range.to, range.sinceMinute));
      });
    }
  }
  const verify = (subject: SealedSet, hashes: () => readonly number[]): void =>
    snapshot.run(() => new SetSeal(database, path, subject).verify(hashes()));
  verify('actions', () => (all(columns.actions) as readonly StoredActionRow[]).map(hashOfAction));
  verify('replaced actions', () =>
    (all(columns.replacedActions) as readonly ReplacedActionRow[]).map(hashOfAction),
  );
  verify('indices', () => (all(columns.indices) as readonly IndexRow[]).map(hashOfIndexValue));
  verify('replaced indices', () =>
    (all(columns.replacedIndices) as readonly ReplacedIndexRow[]).map(hashOfIndexValue),
  );
  verify('terms', () => (all(columns.terms) as readonly TermsRow[]).map(hashOfTerms));
  verify('replaced terms', () =>
    (all(columns.replacedTerms) as readonly ReplacedTermsRow[]).map(hashOfTerms),
  );
  verify('keys', () => (all(columns.keys) as readonly KeyRow[]).map(hashOfKey));
  verify('key events', () => (all(columns.events) as readonly EventRow[]).map(hashOfEvent));
  verify('quotes', () =>
    (all(columns.quotes) as readonly (readonly [...QuoteRow, seal: number | null])[]).map(
      ([ticker, version, state, bar, seal]) => {
        if (seal === sealOfQuote([ticker, version, state, bar])) return hashText(ticker);
        throw damaged(path, `the quote of ${ticker} is not as it was stored`);
      },
    ),
  );
}

const columns = {
  actions: `SELECT ${storedActionColumns.join(', ')} FROM corporate_actions`,
  replacedActions: `SELECT ${replacedActionColumns.join(', ')} FROM replaced_actions`,
  indices: `SELECT ${indexColumns.join(', ')} FROM index_values`,
  replacedIndices: `SELECT ${replacedIndexColumns.join(', ')} FROM replaced_index_values`,
  terms: `SELECT ${termsColumns.join(', ')} FROM bond_terms`,
  replacedTerms: `SELECT ${replacedTermsColumns.join(', ')} FROM replaced_bond_terms`,
  keys: `SELECT ${keyColumns.join(', ')} FROM api_keys`,
  events: 'SELECT at, who, what, key_id, detail FROM key_events',
  quotes: 'SELECT ticker, version, state, bar, seal FROM quotes',
} as const;
