import { useEffect, useState } from 'preact/hooks';

import { followQuotes, type StreamState } from '../../market/api/quote-stream.ts';
import type { IntradayRow } from '../../market/api/quote.ts';
import type { Outcome } from '../../market/api/service.ts';
import type { IntradayCode } from '../../places/route.ts';
import { BarBook } from './bar-book.ts';
import {
  fetchBarsOfDays,
  fetchIntraday,
  intradayRanges,
  type IntradayOptions,
} from './intraday-request.ts';
import { failureText } from './use-histories.ts';

/** The intraday bars of the requested instruments. */
export interface LiveBars {
  /** The bars of each instrument, in the order of the request. Empty until all are received. */
  readonly series: readonly (readonly IntradayRow[])[];
  /** The bars of the dollar on the days of the others. */
  readonly dollars: readonly IntradayRow[];
  readonly isLoading: boolean;
  /** The reason why the bars could not be read. */
  readonly message?: string;
}

/** The instruments whose bars are followed. */
interface Followed {
  readonly tickers: readonly string[];
  /** The dollar that divides their prices. Undefined if none does. */
  readonly dollar: string | undefined;
}

const loading: LiveBars = { series: [], dollars: [], isLoading: true };
const nothing: LiveBars = { series: [], dollars: [], isLoading: false };

/**
 * Follows the intraday bars of a range while the component is mounted. Without a range it follows
 * nothing. The stream is opened first, and the bars are requested whenever it is connected, so that
 * none is missing. A frame shows all changes that came since the one before.
 */
export function useLiveBars(
  { tickers, dollar }: Followed,
  range: IntradayCode | undefined,
  key: string,
): LiveBars {
  const [shown, setShown] = useState<{ readonly of: string; readonly bars: LiveBars }>();
  const wanted = `${range} ${tickers.join(',')} ${dollar ?? ''}`;
  useEffect(() => {
    if (range === undefined) return undefined;
    const stop = new AbortController();
    const show = (bars: LiveBars) => setShown({ of: wanted, bars });
    const follower = new BarFollower({ tickers, dollar }, range, {
      key,
      signal: stop.signal,
      show,
    });
    void follower.follow();
    return () => stop.abort();
  }, [wanted, key]);
  if (range === undefined) return nothing;
  return shown?.of === wanted ? shown.bars : loading;
}

/** The dollar among the received series. No ticker is like it. */
const dollarName = ' ';

/**
 * Follows the bars until its signal aborts. The bars of the dollar are requested after the others, because
 * the last session of an instrument may not be the last one of the dollar.
 */
class BarFollower {
  readonly #books: ReadonlyMap<string, BarBook>;
  readonly #dollar: string | undefined;
  /** The bars of the dollar, which may be one of the instruments too. */
  readonly #dollars = new BarBook();
  readonly #range: IntradayCode;
  readonly #key: string;
  readonly #signal: AbortSignal;
  readonly #show: (bars: LiveBars) => void;
  readonly #received = new Set<string>();
  #message: string | undefined;
  #isFramePending = false;

  constructor(
    { tickers, dollar }: Followed,
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
    this.#dollar = dollar;
    this.#range = range;
    this.#key = key;
    this.#signal = signal;
    this.#show = show;
  }

  follow(): Promise<void> {
    const selection = new URLSearchParams({
      especie: [...new Set([...this.#books.keys(), this.#dollar ?? []].flat())].join(','),
      barras: intradayRanges[this.#range].interval,
    });
    const listener = {
      onState: (state: StreamState) => this.#onState(state),
      onQuote: () => {},
      onBar: (row: IntradayRow) => {
        this.#books.get(row.especie)?.addStreamed(row);
        if (row.especie === this.#dollar) this.#dollars.addStreamed(row);
        this.#showSoon();
      },
    };
    return followQuotes(selection.toString(), this.#key, listener, this.#signal);
  }

  #onState(state: StreamState): void {
    if (state.kind === 'refused') this.#fail(failureText(state));
    if (state.kind === 'live') void this.#requestAll();
  }

  async #requestAll(): Promise<void> {
    const books = [...this.#books];
    for (const book of [...this.#books.values(), this.#dollars]) book.restart();
    await Promise.all(
      books.map(([ticker, book]) =>
        this.#request(ticker, book, (options) => fetchIntraday(ticker, this.#range, options)),
      ),
    );
    const dollar = this.#dollar;
    if (dollar === undefined) return;
    const days = books.flatMap(([, book]) => this.#rowsOf(book).map(({ fecha }) => fecha));
    const sorted = days.toSorted();
    const [first, last] = [sorted[0], sorted.at(-1)];
    await this.#request(dollarName, this.#dollars, (options) =>
      first === undefined || last === undefined
        ? fetchIntraday(dollar, this.#range, options)
        : fetchBarsOfDays(dollar, { first, last }, { ...options, range: this.#range }),
    );
  }

  async #request(
    name: string,
    book: BarBook,
    fetchRows: (options: IntradayOptions) => Promise<Outcome<readonly IntradayRow[]>>,
  ): Promise<void> {
    const outcome = await fetchRows({
      key: this.#key,
      signal: this.#signal,
      onFailure: (failure) => this.#fail(failureText(failure)),
    });
    if (this.#signal.aborted) return;
    if (!outcome.ok) return this.#fail(failureText(outcome.failure));
    book.setRequested(outcome.value);
    this.#received.add(name);
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
      const books = [...this.#books.values()];
      const wanted = [...this.#books.keys(), this.#dollar === undefined ? [] : dollarName].flat();
      const isWhole = wanted.every((name) => this.#received.has(name));
      this.#show({
        series: books.map((book) => (isWhole ? this.#rowsOf(book) : [])),
        dollars: this.#dollars.rows(),
        isLoading: !isWhole && this.#message === undefined,
        ...(this.#message === undefined ? {} : { message: this.#message }),
      });
    });
  }

  #rowsOf(book: BarBook): readonly IntradayRow[] {
    return book.lastSessions(intradayRanges[this.#range].sessions);
  }
}
