import { classesOf } from '../../domain/history/terms-changes.ts';
import { tickerKey, type Ticker } from '../../domain/instruments/ticker.ts';
import { didYouMean } from '../../lib/text/closest.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import type { Store } from '../../store/contract/store.ts';

/**
 * The stored spelling of a ticker that an operator names. The universe need not have it any more.
 *
 * @throws {UsageFault} when nothing is or was stored of it.
 */
export async function findStored(
  store: Pick<Store, 'history' | 'memory'>,
  spelling: string,
): Promise<Ticker> {
  const key = tickerKey(spelling);
  const { tickers } = await store.history.changesSince(0);
  const found = tickers.find((ticker) => tickerKey(ticker) === key);
  if (found !== undefined) return found;
  const version = (await store.memory.readActions()).find(
    ({ value }) => tickerKey(value.ticker) === key,
  );
  if (version !== undefined) return version.value.ticker;
  const classes = (await store.memory.readTerms()).flatMap(({ value }) => classesOf(value));
  const named = classes.find((ticker) => tickerKey(ticker) === key);
  if (named !== undefined) return named;
  throw new UsageFault(
    `The store has neither closes, corporate actions nor terms of ${spelling}.${didYouMean(spelling, tickers)} "pizarra export" writes what it has.`,
  );
}
