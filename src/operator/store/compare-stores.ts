import { createHash, type Hash } from 'node:crypto';
import { openPlace } from '../../node/place/open-place.ts';
import type { StoreInspection } from '../../store/contract/place.ts';
import type { Store } from '../../store/contract/store.ts';
import { rowsOf, storeTables, type StoreChunk, type StoreTable } from './store-rows.ts';

/** Maximum number of differences that are listed. Further ones are counted. */
const differencesMax = 20;

/** The rows of a table and their digest. Equal tables have equal digests, in any kind of store. */
export interface TableDigest {
  readonly table: StoreTable;
  readonly rows: number;
  /** SHA-256 over all rows, in hexadecimal. */
  readonly digest: string;
}

/** The result of comparing two stores row by row. */
export interface StoreComparison {
  readonly tables: readonly (TableDigest & { readonly different: number })[];
  /** The first differences: what they are about, and which store has what. */
  readonly differences: readonly string[];
}

/**
 * Reads a whole store, checks it for damage, and digests its rows. It changes nothing, and a service may
 * be running. Equal stores of any kind have equal digests.
 *
 * @throws {StoreFault} when the store is damaged or cannot be read.
 */
export async function checkStore(storeAt: string): Promise<{
  readonly name: string;
  readonly inspection: StoreInspection;
  readonly tables: readonly TableDigest[];
}> {
  await using place = openPlace(storeAt);
  const inspection = await place.inspect();
  await place.check(new AbortController().signal);
  await using store = await place.open({ mode: 'read' });
  return { name: place.name, inspection, tables: await digestStore(store) };
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

/** Counts and digests all rows of a store. */
async function digestStore(store: Store): Promise<readonly TableDigest[]> {
  const digests = new Digests();
  for await (const chunk of rowsOf(store)) digests.add(chunk);
  return digests.all();
}

/** Compares two stores row by row. The rows of one instrument of each are in memory at a time. */
export async function compareStores(one: Store, other: Store): Promise<StoreComparison> {
  const digests = new Digests();
  const different = new Map<StoreTable, number>();
  const differences: string[] = [];
  const note = (table: StoreTable, text: string): void => {
    different.set(table, (different.get(table) ?? 0) + 1);
    if (differences.length < differencesMax) differences.push(`${table}: ${text}`);
  };
  for await (const [table, a, b] of paired(rowsOf(one), rowsOf(other))) {
    if (a !== undefined) digests.add(a);
    const [left, right] = [a, b].map((chunk) => new Map(textsOf(chunk)));
    for (const [name, text] of left ?? []) {
      const found = right?.get(name);
      if (found === undefined) note(table, `${name} is missing in the second`);
      else if (found !== text)
        note(table, `${name} is ${text} in the first, ${found} in the second`);
    }
    for (const name of right?.keys() ?? []) {
      if (left?.has(name) !== true) note(table, `${name} is missing in the first`);
    }
  }
  const tables = digests
    .all()
    .map((digest) => ({ ...digest, different: different.get(digest.table) ?? 0 }));
  return { tables, differences };
}

/** Both streams of chunks, with the chunks of the same table and instrument side by side. */
async function* paired(
  one: AsyncIterator<StoreChunk, unknown>,
  other: AsyncIterator<StoreChunk, unknown>,
): AsyncGenerator<readonly [StoreTable, StoreChunk | undefined, StoreChunk | undefined]> {
  let [a, b] = await Promise.all([next(one), next(other)]);
  while (a !== undefined || b !== undefined) {
    const order = a === undefined ? 1 : b === undefined ? -1 : compareChunks(a, b);
    const [left, right] = [order <= 0 ? a : undefined, order >= 0 ? b : undefined];
    yield [(left ?? right)?.table ?? 'closes', left, right];
    if (left !== undefined) a = await next(one);
    if (right !== undefined) b = await next(other);
  }
}

async function next(chunks: AsyncIterator<StoreChunk, unknown>): Promise<StoreChunk | undefined> {
  const result = await chunks.next();
  return result.done === true ? undefined : result.value;
}

function compareChunks(a: StoreChunk, b: StoreChunk): number {
  const byTable = storeTables.indexOf(a.table) - storeTables.indexOf(b.table);
  return byTable === 0
    ? Buffer.compare(Buffer.from(a.ticker ?? ''), Buffer.from(b.ticker ?? ''))
    : byTable;
}

/** Digests the rows of each table in their order. */
class Digests {
  readonly #tables = new Map<StoreTable, { rows: number; readonly hash: Hash }>(
    storeTables.map((table) => [table, { rows: 0, hash: createHash('sha256') }]),
  );

  add(chunk: StoreChunk): void {
    const table = this.#tables.get(chunk.table);
    if (table === undefined) return;
    for (const [name, text] of textsOf(chunk)) {
      table.rows += 1;
      table.hash.update(`${name}\t${text}\n`);
    }
  }

  all(): readonly TableDigest[] {
    return Array.from(this.#tables, ([table, { rows, hash }]) => ({
      table,
      rows,
      digest: hash.digest('hex'),
    }));
  }
}

function textsOf(chunk: StoreChunk | undefined): readonly (readonly [string, string])[] {
  return (chunk?.rows ?? []).map(({ name, value }) => [name, canonical(value)] as const);
}

/** JSON with the members in the order of their names, and without those that are undefined. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
