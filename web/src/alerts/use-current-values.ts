import type { Quote } from '../market/api/quote.ts';
import { valueOf, type Condition } from '../market/alerts/alert.ts';
import { useBonds } from '../market/rows/use-rows.ts';
import { canonicalTicker, canonicalTickers } from '../market/instruments.ts';
import { selectionQuery } from '../market/stream/joined-selection.ts';
import { useLiveQuotes } from '../market/use-live-quotes.ts';

/** What an alert watches. */
type Watching = Pick<Condition, 'ticker' | 'kind'>;

/** The quote of an instrument now, and the value that an alert watches. Undefined where they are not known. */
interface CurrentValue {
  readonly quote: Quote | undefined;
  readonly current: number | undefined;
}

/** Follows what alerts watch: live quotes, and the yields of bonds. Without a key, nothing is known. */
export function useCurrentValues(watched: readonly Watching[]): (one: Watching) => CurrentValue {
  const tickersOf = (some: readonly Watching[]) =>
    canonicalTickers(some.map(({ ticker }) => ticker));
  const tickers = tickersOf(watched);
  const bonds = tickersOf(watched.filter(({ kind }) => kind === 'tir'));
  const fields = watched.some(({ kind }) => kind === 'spread')
    ? (['compra', 'venta'] as const)
    : [];
  const live = useLiveQuotes(tickers.length === 0 ? undefined : { tickers, fields });
  const query = bonds.length === 0 ? undefined : selectionQuery({ tickers: bonds });
  const figures = useBonds(query).value;
  return ({ ticker, kind }) => {
    const name = canonicalTicker(ticker);
    const quote = live?.quote(name).value;
    const tir = figures?.get(name)?.tir ?? null;
    return { quote, current: quote && valueOf(kind, { ...quote, tir }) };
  };
}
