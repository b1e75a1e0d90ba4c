import { firstEpochDay, lastEpochDay } from '../../domain/calendar/plain-date.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { Version } from '../../domain/changes/version.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Store } from '../../store/contract/store.ts';

/** The tables of a store, as its contract shows them, in the order in which they are copied. */
export const storeTables = [
  'closes',
  'changes of closes',
  'actions',
  'changes of actions',
  'indices',
  'replaced indices',
  'terms',
  'changes of terms',
  'keys',
  'audit log',
  'bars',
  'quotes',
] as const;

/** The name of a table. */
export type StoreTable = (typeof storeTables)[number];

/** A row of a store: what it is about, and its content as the contract gives it. */
interface StoreRow {
  readonly name: string;
  readonly value: unknown;
}

/** Rows that are read at once. They are those of one instrument, where a table is large. */
export interface StoreChunk {
  readonly table: StoreTable;
  /** The instrument. Absent for tables that are read at once. */
  readonly ticker?: Ticker;
  readonly rows: readonly StoreRow[];
}

export const wholeRange = { from: firstEpochDay, to: lastEpochDay };

/** The largest number of lines of the audit log that can be asked for. */
export const allEvents = Number.MAX_SAFE_INTEGER;

/** The instruments that have closes, by their bytes. */
export async function tickersWithCloses(store: Pick<Store, 'history'>): Promise<readonly Ticker[]> {
  return sorted((await store.history.changesSince(0)).tickers);
}

/** The instruments that may have bars, by their bytes: a bar always comes with a quote. */
export async function tickersWithBars(store: Pick<Store, 'quotes'>): Promise<readonly Ticker[]> {
  return sorted((await store.quotes.readAll()).map(({ ticker }) => ticker));
}

/**
 * Everything that a store contains, one instrument at a time, in an order that depends on the content
 * alone. Two stores are equal if they give the same rows.
 */
export async function* rowsOf(store: Store): AsyncGenerator<StoreChunk> {
  for (const ticker of await tickersWithCloses(store)) {
    const closes = await store.history.readCloses(ticker, wholeRange);
    const rows = closes.map((value) => ({ name: `${ticker} day ${value.day}`, value }));
    yield { table: 'closes', ticker, rows };
  }
  for (const ticker of await tickersWithCloses(store)) {
    const versions = await store.memory.readCloses(ticker, wholeRange);
    const rows = rowsOfChanges(versions, ({ day }) => `${ticker} day ${day}`);
    yield { table: 'changes of closes', ticker, rows };
  }
  const { actions } = await store.actions.readAll();
  yield {
    table: 'actions',
    rows: actions.map((value) => ({ name: nameOfAction(value), value })),
  };
  yield {
    table: 'changes of actions',
    rows: rowsOfChanges(await store.memory.readActions(), nameOfAction),
  };
  const { values } = await store.indices.readAll();
  yield {
    table: 'indices',
    rows: values.map((value) => ({ name: `${value.index} day ${value.day}`, value })),
  };
  const replaced = await store.indices.readReplaced();
  yield {
    table: 'replaced indices',
    rows: replaced.map((value, at) => ({
      name: `${value.index} day ${value.day} line ${at + 1}`,
      value,
    })),
  };
  const versions = await store.memory.readTerms();
  yield {
    table: 'terms',
    rows: versions
      .filter((version) => version.replaced === undefined)
      .map(({ value }) => ({ name: value.ticker, value })),
  };
  yield { table: 'changes of terms', rows: rowsOfChanges(versions, ({ ticker }) => ticker) };
  const { keys } = await store.keys.readAll();
  yield { table: 'keys', rows: keys.map((value) => ({ name: value.id, value })) };
  const events = await store.keys.readEvents({ max: allEvents });
  yield {
    table: 'audit log',
    rows: events.map((value, at) => ({ name: `line ${at + 1}`, value })),
  };
  for (const ticker of await tickersWithBars(store)) {
    const bars = await store.bars.readBars(ticker, wholeRange);
    const rows = bars.map((value) => ({ name: `${ticker} minute ${value.minute}`, value }));
    yield { table: 'bars', ticker, rows };
  }
  const quotes = (await store.quotes.readAll()).toSorted((a, b) => byBytes(a.ticker, b.ticker));
  yield { table: 'quotes', rows: quotes.map((value) => ({ name: value.ticker, value })) };
}

function nameOfAction({ ticker, exDay, type }: CorporateAction): string {
  return `${ticker} day ${exDay} ${type}`;
}

/** The changes of values, numbered for each of them. What is stored now is in a table of its own. */
function rowsOfChanges<T>(
  versions: readonly Version<T>[],
  nameOf: (value: T) => string,
): readonly StoreRow[] {
  const counts = new Map<string, number>();
  return versions.map(({ value, stored, replaced }) => {
    const name = nameOf(value);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return {
      name: `${name} change ${count}`,
      value: replaced === undefined ? { stored } : { value, stored, replaced },
    };
  });
}

function sorted(tickers: readonly Ticker[]): readonly Ticker[] {
  return tickers.toSorted(byBytes);
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
