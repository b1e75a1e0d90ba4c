import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import { dollarOf } from '../../chart/figures/conversion.ts';
import type { LiveQuotes } from '../../market/live-quotes.ts';
import type { SessionPaths } from '../../market/paths/session-paths.ts';
import { useSessionPaths } from '../../market/paths/use-session-paths.ts';
import { useLiveQuotes } from '../../market/use-live-quotes.ts';
import type { CurrencyCode } from '../../places/chart-choices.ts';
import { pathsInDollars, quotesInDollars } from './in-dollars.ts';

/** What a board shows: its quotes, and the paths of their sessions. */
interface Shown {
  readonly live: LiveQuotes;
  readonly paths: SessionPaths;
}

const none = { tickers: [] };

/** The quotes and paths of a board in the chosen currency. The prices of the dollar come from the same stream. */
export function useBoardInDollars(own: Shown, currency: CurrencyCode): Shown {
  const ticker = dollarOf(currency);
  const selection = ticker === undefined ? undefined : { tickers: [ticker] };
  const dollar = useLiveQuotes(selection);
  const dollarPaths = useSessionPaths(selection ?? none, dollar);
  return useMemo(() => {
    if (ticker === undefined) return own;
    const dollarQuote = computed(() => {
      // The quote is known once the selection is listed.
      void dollar?.tickers.value;
      return dollar?.quote(ticker)?.value;
    });
    return {
      live: quotesInDollars(own.live, ticker, dollarQuote),
      paths: pathsInDollars(own.paths, () => dollarPaths.path(ticker)),
    };
  }, [own.live, own.paths, ticker, dollar, dollarPaths]);
}
