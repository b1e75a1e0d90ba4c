import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { CloseVersion } from '../../domain/history/versions.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { flagName } from '../../config/settings/settings.ts';
import type { CopySummary, StorePlace } from '../../store/contract/place.ts';
import type { Store } from '../../store/contract/store.ts';
import { OperatorFault } from '../../lib/reports/operator-fault.ts';
import { openPlace } from '../../node/place/open-place.ts';
import type { KeyContent } from '../../store/contract/key-store.ts';
import {
  allEvents,
  canonical,
  compareStores,
  tickersWithBars,
  tickersWithCloses,
  wholeRange,
  type StoreComparison,
} from './compare-stores.ts';

/** Closes that are copied in one transaction, at least. */
const closesPerTransaction = 100_000;

/** Bars that are copied in one commit, at most. */
const barsPerCommit = 10_000;

/**
 * Copies a whole installation from one place to another, of any kind, and compares both row by row: closes,
 * corporate actions, indices, terms of bonds, the memory of their changes, keys with their audit log, bars and quotes
 * with their versions. The rows of one instrument are in memory at a time. The source is not changed. Until the
 * comparison has found no difference, the target is marked as an incomplete copy, and only another copy opens it. That
 * copy continues: it writes what the target lacks.
 *
 * @throws {OperatorFault} when the source or the target is served, or the target has data.
 * @throws {StoreFault} when one of them cannot be opened, read or written.
 */
export async function copyStore({
  from,
  to,
  onProgress: show = () => undefined,
}: {
  readonly from: string;
  readonly to: string;
  readonly onProgress?: (done: string) => void;
}): Promise<StoreComparison & { readonly from: string; readonly to: string }> {
  await using source = openPlace(from);
  await using target = openPlace(to);
  await requireUnserved(source);
  await requireUnserved(target);
  await using read = await source.open({ mode: 'read' });
  await using claim = await target.claim({ id: `copy-${process.pid}`, name: hostname() });
  await using written = await target.open({
    mode: 'create',
    claim,
    isResponsive: false,
    isCopyTarget: true,
  });
  if (!(await target.isUnfinishedCopy())) {
    await requireEmpty(target, written);
    await target.markCopy(true);
  }
  await copyCloses(read, written, show);
  await written.actions.restore(await read.actions.readVersions());
  await written.indices.restore(await read.indices.readVersions());
  await written.terms.restore(await read.terms.readVersions());
  const { keys } = await read.keys.readAll();
  const events = await read.keys.readEvents({ max: allEvents });
  await copyKeys({ keys, events }, { target, written });
  await copyBars(read, written, show);
  // The quotes come last: their versions are what followers continue from.
  const quotes = await read.quotes.readAll();
  if (quotes.length > 0) await written.quotes.commit({ quotes, closes: [] });
  show('comparing');
  const comparison = await compareStores(read, written);
  if (comparison.differences.length === 0) await target.markCopy(false);
  return { ...comparison, from: source.name, to: target.name };
}

/**
 * Requires that no service runs on a place.
 *
 * @throws {OperatorFault} when one does.
 */
async function requireUnserved(place: StorePlace): Promise<void> {
  const [node] = await place.nodes.live();
  const holder = await place.holder();
  if (node === undefined && holder === undefined) return;
  const host = node?.host ?? holder?.name;
  const where = host === undefined ? '' : `, on ${host}`;
  throw new OperatorFault(`A service runs on ${place.name}${where}. Stop it first.`);
}

/** A copy that continues may have copied the keys already. */
async function copyKeys(
  content: KeyContent,
  { target, written }: { readonly target: StorePlace; readonly written: Store },
): Promise<void> {
  const { keys } = await written.keys.readAll();
  if (keys.length === 0) {
    if (content.keys.length > 0) await written.keys.restore(content);
    return;
  }
  if (canonical(keys) === canonical(content.keys)) return;
  throw new OperatorFault(
    `The keys of the source have changed since the copy to ${target.name} was interrupted. Remove the copy, and copy again.`,
  );
}

/** A value that was removed counts, because a copy would replace its versions, too. */
async function requireEmpty(place: StorePlace, store: Store): Promise<void> {
  const [{ tickers }, actions, indices, terms, { keys }, quotes] = await Promise.all([
    store.history.changesSince(0),
    store.actions.readVersions(),
    store.indices.readVersions(),
    store.terms.readVersions(),
    store.keys.readAll(),
    store.quotes.readAll(),
  ]);
  const rows = [tickers, actions, indices, terms, keys, quotes];
  if (rows.every(({ length }) => length === 0)) return;
  throw new OperatorFault(
    `${place.name} has data already, and is not overwritten. Choose another place, or remove its store first.`,
  );
}

async function copyCloses(from: Store, to: Store, show: (done: string) => void): Promise<void> {
  let batch: { readonly ticker: Ticker; readonly closes: readonly CloseVersion[] }[] = [];
  let size = 0;
  // Every change of a copy is one of the source, so the time is not read.
  const stamp = { origin: 'unknown', now: () => 0 } as const;
  const put = (): Promise<void> =>
    to.history.transaction(async (transaction) => {
      for (const { ticker, closes } of batch) await transaction.restore(ticker, closes);
    }, stamp);
  for (const ticker of await tickersWithCloses(from)) {
    const closes = await from.memory.readCloses(ticker, wholeRange);
    batch.push({ ticker, closes });
    size += closes.length;
    if (size < closesPerTransaction) continue;
    await put();
    show(`closes of ${ticker}`);
    [batch, size] = [[], 0];
  }
  if (batch.length > 0) await put();
}

async function copyBars(from: Store, to: Store, show: (done: string) => void): Promise<void> {
  for (const ticker of await tickersWithBars(from)) {
    const all = await from.bars.readBars(ticker, wholeRange);
    for (let at = 0; at < all.length; at += barsPerCommit) {
      const bars = all.slice(at, at + barsPerCommit).map((bar) => ({ ticker, bar }));
      await to.quotes.commit({ quotes: [], closes: [], bars });
    }
    if (all.length > 0) show(`bars of ${ticker}`);
  }
}

/** Copies the store, as of one instant, into a new file. The store may be in use. */
export async function backUp(storeAt: string, file: string): Promise<CopySummary> {
  await using place = openPlace(storeAt);
  const summary = await place.backUp(file);
  const { rows } = summary;
  if (dataTables.some((table) => (rows[table] ?? 0) > 0)) return summary;
  await rm(file);
  throw new OperatorFault(
    `The store in ${place.name} has no closes, quotes, indices, corporate actions or keys, so no backup was made. Check ${flagName('store')}.`,
  );
}

/** The tables with what an operator would miss. The others describe it. */
const dataTables = ['closes', 'quotes', 'index_values', 'corporate_actions', 'api_keys'];
