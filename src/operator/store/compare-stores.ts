import { createHash } from 'node:crypto';
import { firstEpochDay, lastEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Version } from '../../domain/changes/version.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { openPlace } from '../../node/place/open-place.ts';
import type { StoreInspection } from '../../store/contract/place.ts';
import type { Store } from '../../store/contract/store.ts';
import type { VersionedStore } from '../../store/contract/versioned-stores.ts';

/** Maximum number of differences that are listed. Further ones are counted. */
const differencesMax = 20;

export const wholeRange = { from: firstEpochDay, to: lastEpochDay };

/** The largest number of lines of the audit log that can be asked for. */
export const allEvents = Number.MAX_SAFE_INTEGER;

/** The instruments that have closes, by their bytes. */
export async function tickersWithCloses(store: Pick<Store, 'history'>): Promise<readonly Ticker[]> {
  return (await store.history.changesSince(0)).tickers.toSorted(byBytes);
}

/** The instruments that may have bars, by their bytes: a bar always comes with a quote. */
export async function tickersWithBars(store: Pick<Store, 'quotes'>): Promise<readonly Ticker[]> {
  return (await store.quotes.readAll()).map(({ ticker }) => ticker).toSorted(byBytes);
}

/** A row: what it is about, and its content as the contract of the store gives it. */
type Row = readonly [name: string, value: unknown];

/** How a table is read: the rows of one instrument at a time, where it is large. */
interface Table {
  readonly tickers?: (store: Store) => Promise<readonly Ticker[]>;
  readonly rows: (store: Store, ticker: Ticker) => Promise<readonly Row[]>;
}

/**
 * The tables of a store, in the order in which they are copied. The order of their rows depends on the content alone.
 * Two stores are equal if they give the same rows.
 */
const storeTables: Readonly<Record<string, Table>> = {
  closes: {
    tickers: tickersWithCloses,
    rows: async ({ history }, ticker) =>
      named(await history.readCloses(ticker, wholeRange), ({ day }) => `${ticker} day ${day}`),
  },
  'changes of closes': {
    tickers: tickersWithCloses,
    rows: async ({ memory }, ticker) =>
      changes(await memory.readCloses(ticker, wholeRange), ({ day }) => `${ticker} day ${day}`),
  },
  ...versioned(
    'actions',
    (store) => store.actions,
    ({ ticker, exDay, type }) => `${ticker} day ${exDay} ${type}`,
  ),
  ...versioned(
    'indices',
    (store) => store.indices,
    ({ index, day }) => `${index} day ${day}`,
  ),
  ...versioned(
    'terms',
    (store) => store.terms,
    ({ ticker }) => ticker,
  ),
  keys: { rows: async (store) => named((await store.keys.readAll()).keys, ({ id }) => id) },
  'audit log': {
    rows: async ({ keys }) =>
      named(await keys.readEvents({ max: allEvents }), (_, line) => `line ${line}`),
  },
  bars: {
    tickers: tickersWithBars,
    rows: async ({ bars }, ticker) =>
      named(await bars.readBars(ticker, wholeRange), ({ minute }) => `${ticker} minute ${minute}`),
  },
  quotes: {
    rows: async (store) => {
      const quotes = await store.quotes.readAll();
      return named(
        quotes.toSorted((a, b) => byBytes(a.ticker, b.ticker)),
        ({ ticker }) => ticker,
      );
    },
  },
};

function named<T>(
  values: readonly T[],
  nameOf: (value: T, line: number) => string,
): readonly Row[] {
  return values.map((value, at) => [nameOf(value, at + 1), value]);
}

/** Two tables of a part of a store: its current values, and their changes. */
function versioned<T>(
  name: string,
  partOf: (store: Store) => Pick<VersionedStore<T>, 'readAll' | 'readVersions'>,
  nameOf: (value: T) => string,
): Readonly<Record<string, Table>> {
  return {
    [name]: { rows: async (store) => named((await partOf(store).readAll()).values, nameOf) },
    [`changes of ${name}`]: {
      rows: async (store) => changes(await partOf(store).readVersions(), nameOf),
    },
  };
}

/** The changes of values, numbered for each of them. What is stored now is in a table of its own. */
function changes<T>(versions: readonly Version<T>[], nameOf: (value: T) => string): readonly Row[] {
  const counts = new Map<string, number>();
  return versions.map(({ value, stored, replaced }) => {
    const name = nameOf(value);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return [
      `${name} change ${count}`,
      replaced === undefined ? { stored } : { value, stored, replaced },
    ];
  });
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The result of comparing two stores row by row. */
export interface StoreComparison {
  readonly tables: readonly {
    readonly table: string;
    readonly rows: number;
    /** SHA-256 over all rows of the first store, in hexadecimal. Equal tables have equal digests, in any kind of store. */
    readonly digest: string;
    readonly different: number;
  }[];
  /** The first differences: what they are about, and which store has what. */
  readonly differences: readonly string[];
}

/**
 * Reads a whole store, checks it for damage, and digests its rows. It changes nothing, and a service may
 * be running.
 *
 * @throws {StoreFault} when the store is damaged or cannot be read.
 */
export async function checkStore(storeAt: string): Promise<{
  readonly name: string;
  readonly inspection: StoreInspection;
  readonly tables: readonly Omit<StoreComparison['tables'][number], 'different'>[];
}> {
  await using place = openPlace(storeAt);
  const inspection = await place.inspect();
  await place.check(new AbortController().signal);
  await using store = await place.open({ mode: 'read' });
  const { tables } = await compareStores(store);
  return {
    name: place.name,
    inspection,
    tables: tables.map(({ table, rows, digest }) => ({ table, rows, digest })),
  };
}

/**
 * Compares two stores row by row. It changes nothing. A service that writes meanwhile makes them differ.
 *
 * @throws {StoreFault} when one of them cannot be read.
 */
export async function checkStores(
  oneAt: string,
  otherAt: string,
): Promise<StoreComparison & { readonly names: readonly [string, string] }> {
  await using one = openPlace(oneAt);
  await using other = openPlace(otherAt);
  await using first = await one.open({ mode: 'read' });
  await using second = await other.open({ mode: 'read' });
  return { ...(await compareStores(first, second)), names: [one.name, other.name] };
}

/**
 * Digests a store, and compares it row by row with another one, if there is one. The rows of one instrument of each
 * are in memory at a time.
 */
export async function compareStores(one: Store, other?: Store): Promise<StoreComparison> {
  const differences: string[] = [];
  const tables: StoreComparison['tables'][number][] = [];
  for (const [table, { tickers, rows: rowsOf }] of Object.entries(storeTables)) {
    const hash = createHash('sha256');
    let [rows, different] = [0, 0];
    const note = (text: string): void => {
      different += 1;
      if (differences.length < differencesMax) differences.push(`${table}: ${text}`);
    };
    for (const ticker of await partsOf(tickers, other === undefined ? [one] : [one, other])) {
      const texts = textsOf(await rowsOf(one, ticker));
      rows += texts.length;
      for (const [name, text] of texts) hash.update(`${name}\t${text}\n`);
      if (other === undefined) continue;
      const left = new Map(texts);
      const right = new Map(textsOf(await rowsOf(other, ticker)));
      for (const [name, text] of left) {
        const found = right.get(name);
        if (found === undefined) note(`${name} is missing in the second`);
        else if (found !== text) note(`${name} is ${text} in the first, ${found} in the second`);
      }
      for (const name of right.keys()) if (!left.has(name)) note(`${name} is missing in the first`);
    }
    tables.push({ table, rows, digest: hash.digest('hex'), different });
  }
  return { tables, differences };
}

/** The instruments of which stores have rows, by their bytes. A table that is read at once has one part. */
async function partsOf(
  tickers: Table['tickers'],
  stores: readonly Store[],
): Promise<Iterable<Ticker>> {
  if (tickers === undefined) return ['' as Ticker];
  const all = await Promise.all(stores.map(tickers));
  return new Set(all.flat().toSorted(byBytes));
}

function textsOf(rows: readonly Row[]): readonly (readonly [string, string])[] {
  return rows.map(([name, value]) => [name, canonical(value)]);
}

/** JSON with the members in the order of their names, and without those that are undefined. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
