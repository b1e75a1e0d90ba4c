import type { DailyClose } from '../domain/history/daily-close.ts';
import type { ChangeStamp, HistoryTransaction } from '../store/contract/history-store.ts';
import { callMethod, mapMethods, type StoreParts } from '../store/contract/store.ts';
import type { ImportStore } from './importer.ts';

/** Rolls back a transaction of a dry run. */
const rollback = new Error('a dry run stores nothing');

/**
 * The store of a dry run. It reads what is stored, and writes the closes of a file to a scratch store, whose
 * transaction is rolled back. So a dry run neither changes the store nor holds its lock, for which a running service
 * would wait.
 *
 * @param stored absent if no store exists.
 */
export function trialStore(stored: StoreParts | undefined, scratch: StoreParts): ImportStore {
  const parts = mapMethods(
    (method) =>
      async (...args) =>
        method.kind === 'write' ? undefined : callMethod(stored ?? scratch, method, args),
  );
  const transaction = async <T>(
    work: (transaction: HistoryTransaction) => Promise<T>,
    stamp: ChangeStamp,
  ): Promise<T> => {
    let result: { readonly value: T } | undefined;
    try {
      return await scratch.history.transaction(async (written) => {
        result = { value: await work(over(stored, written)) };
        throw rollback;
      }, stamp);
    } catch (fault) {
      if (fault === rollback && result !== undefined) return result.value;
      throw fault;
    }
  };
  return { ...parts, history: { transaction } };
}

/** A transaction that reads its closes over the stored ones. */
function over(stored: StoreParts | undefined, written: HistoryTransaction): HistoryTransaction {
  return {
    put: (ticker, closes) => written.put(ticker, closes),
    restore: (ticker, versions) => written.restore(ticker, versions),
    read: async (ticker, range) =>
      overlaid(
        (await stored?.history.readCloses(ticker, range)) ?? [],
        await written.read(ticker, range),
      ),
  };
}

/** Both lists of closes, ascending. A close of the second list replaces that of the same day. */
function overlaid(
  before: readonly DailyClose[],
  after: readonly DailyClose[],
): readonly DailyClose[] {
  if (after.length === 0) return before;
  const byDay = new Map([...before, ...after].map((close) => [close.day, close]));
  return [...byDay.values()].sort((a, b) => a.day - b.day);
}
