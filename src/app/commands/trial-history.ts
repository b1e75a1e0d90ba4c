import type { CloseReader, HistoryWriter } from '../../store/history-store.ts';
import type { DailyClose } from '../../domain/daily-close.ts';

/**
 * History for a trial: it reads what is stored, and what a transaction puts goes to a scratch store.
 * So a trial neither changes the store nor holds the lock for which a running service would wait.
 *
 * @param stored absent where there is no store.
 */
export function trialHistory(
  stored: CloseReader | undefined,
  scratch: HistoryWriter,
): HistoryWriter {
  return {
    transaction: (work) =>
      scratch.transaction((transaction) =>
        work({
          put: (ticker, closes) => transaction.put(ticker, closes),
          read: async (ticker, range) =>
            overlaid(
              (await stored?.readCloses(ticker, range)) ?? [],
              await transaction.read(ticker, range),
            ),
        }),
      ),
  };
}

/** Closes, ascending, of which the later ones replace those of the same day. */
function overlaid(
  before: readonly DailyClose[],
  after: readonly DailyClose[],
): readonly DailyClose[] {
  if (after.length === 0) return before;
  const byDay = new Map([...before, ...after].map((close) => [close.day, close]));
  return [...byDay.values()].sort((a, b) => a.day - b.day);
}
