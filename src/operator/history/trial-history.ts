import type { CloseReader, HistoryWriter } from '../../store/contract/history-store.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';

/**
 * The history of a dry run. It reads the stored closes, and writes to a scratch store. A dry run
 * neither changes the store nor holds its lock, for which a running service would wait.
 *
 * @param stored absent if no store exists.
 */
export function trialHistory(
  stored: CloseReader | undefined,
  scratch: HistoryWriter,
): HistoryWriter {
  return {
    transaction: (work, stamp) =>
      scratch.transaction(
        (transaction) =>
          work({
            put: (ticker, closes) => transaction.put(ticker, closes),
            restore: (ticker, versions) => transaction.restore(ticker, versions),
            read: async (ticker, range) =>
              overlaid(
                (await stored?.readCloses(ticker, range)) ?? [],
                await transaction.read(ticker, range),
              ),
          }),
        stamp,
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
