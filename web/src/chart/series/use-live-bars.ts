import { useEffect, useState } from 'preact/hooks';

import { followQuotes } from '../../market/api/quote-stream.ts';
import type { StreamState } from '../../market/api/quote-stream.ts';
import { retried } from '../../market/api/retry.ts';
import type { IntradayRow } from '../../market/api/quote.ts';
import type { IntradayCode } from '../../places/route.ts';
import { BarBook } from './bar-book.ts';
import { fetchIntraday, intradayRanges } from './intraday-request.ts';
import { failureText } from './use-histories.ts';

/** The intraday bars of the requested instruments. */
export interface LiveBars {
  /** The bars of each instrument, in the order of the request. Empty until all are received. */
  readonly series: readonly (readonly IntradayRow[])[];
  readonly isLoading: boolean;
  /** The reason why the bars could not be read. */
  readonly message?: string;
}

const loading: LiveBars = { series: [], isLoading: true };
const nothing: LiveBars = { series: [], isLoading: false };

/**
 * Follows the intraday bars of a range while the component is mounted. Without a range it follows
 * nothing. The stream is opened first, and the bars are requested whenever it is connected, so that
 * none is missing. A frame shows all changes that came since the one before.
 */
export function useLiveBars(
  tickers: readonly string[],
  range: IntradayCode | undefined,
  key: string,
): LiveBars {
  const [shown, setShown] = useState<{ readonly of: string; readonly bars: LiveBars }>();
  const wanted = `${range} ${tickers.join(',')}`;
  useEffect(() => {
    if (range === undefined) return undefined;
    const stop = new AbortController();
    const show = (bars: LiveBars) => setShown({ of: wanted, bars });
    const follower = new BarFollower(tickers, range, { key, signal: stop.signal, show });
    void follower.follow();
    return () => stop.abort();
  }, [wanted, key]);
  if (range === undefined) return nothing;
  return shown?.of === wanted ? shown.bars : loading;
}

/** Follows the bars until its signal aborts. */
class BarFollower {
  readonly #books: ReadonlyMap<string, BarBook>;
  readonly #range: IntradayCode;
  readonly #key: string;
  readonly #signal: AbortSignal;
  readonly #show: (bars: LiveBars) => void;
  readonly #received = new Set<string>();
  #message: string | undefined;
  #isFramePending = false;

  constructor(
    tickers: readonly string[],
    range: IntradayCode,
    {
      key,
      signal,
      show,
    }: {
      readonly key: string;
      readonly signal: AbortSignal;
      readonly show: (bars: LiveBars) => void;
    },
  ) {
    this.#books = new Map(tickers.map((ticker) => [ticker, new BarBook()]));
    this.#range = range;
    this.#key = key;
    this.#signal = signal;
    this.#show = show;
  }

  follow(): Promise<void> {
    const selection = new URLSearchParams({
      especie: [...this.#books.keys()].join(','),
      barras: intradayRanges[this.#range].interval,
    });
    const listener = {
      onState: (state: StreamState) => this.#onState(state),
      onQuote: () => {},
      onBar: (row: IntradayRow) => {
        this.#books.get(row.especie)?.addStreamed(row);
        this.#showSoon();
      },
    };
    return followQuotes(selection.toString(), this.#key, listener, this.#signal);
  }

  #onState(state: StreamState): void {
    if (state.kind === 'refused') this.#fail(failureText(state));
    if (state.kind !== 'live') return;
    for (const [ticker, book] of this.#books) {
      book.restart();
      void this.#request(ticker, book);
    }
  }

  async #request(ticker: string, book: BarBook): Promise<void> {
    const options = { key: this.#key, signal: this.#signal };
    const request = () => fetchIntraday(ticker, this.#range, options);
    const outcome = await retried(request, this.#signal, (failure) =>
      this.#fail(failureText(failure)),
    );
    if (this.#signal.aborted) return;
    if (!outcome.ok) return this.#fail(failureText(outcome.failure));
    book.setRequested(outcome.value);
    this.#received.add(ticker);
    this.#message = undefined;
    this.#showSoon();
  }

  #fail(message: string | undefined): void {
    this.#message = message;
    this.#showSoon();
  }

  #showSoon(): void {
    if (this.#isFramePending) return;
    this.#isFramePending = true;
    requestAnimationFrame(() => {
      this.#isFramePending = false;
      if (this.#signal.aborted) return;
      const { sessions } = intradayRanges[this.#range];
      const isWhole = this.#received.size === this.#books.size;
      this.#show({
        series: [...this.#books.values()].map((book) =>
          isWhole ? book.lastSessions(sessions) : [],
        ),
        isLoading: !isWhole && this.#message === undefined,
        ...(this.#message === undefined ? {} : { message: this.#message }),
      });
    });
  }
}
