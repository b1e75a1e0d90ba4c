import { useEffect, useState } from 'preact/hooks';

import { usableKey } from '../../key/api-key.ts';
import { followQuotes, type StreamState } from '../../market/api/quote-stream.ts';
import type { IntradayRow } from '../../market/api/quote.ts';
import type { Failure, Outcome } from '../../market/api/service.ts';
import type { IntradayCode } from '../../places/route.ts';
import { BarBook } from './bar-book.ts';
import {
  failureText,
  fetchBarsOfDays,
  fetchIntraday,
  intradayRanges,
  type RequestOptions,
} from './requests.ts';

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
export function useLiveBars(followed: Followed, range: IntradayCode | undefined): LiveBars {
  const [shown, setShown] = useState<{ readonly of: string; readonly bars: LiveBars }>();
  const wanted = JSON.stringify([range, followed]);
  useEffect(() => {
    if (range === undefined) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const show = (bars: LiveBars) => setShown({ of: wanted, bars });
    void followBars(followed, range, { signal, show });
    return () => stop.abort();
  }, [wanted, usableKey.value]);
  if (range === undefined) return nothing;
  return shown?.of === wanted ? shown.bars : loading;
}

/**
 * Follows the bars until the signal aborts. The bars of the dollar are requested after the others, because
 * the last session of an instrument may not be the last one of the dollar.
 */
function followBars(
  { tickers, dollar }: Followed,
  range: IntradayCode,
  {
    signal,
    show,
  }: {
    readonly signal: AbortSignal;
    readonly show: (bars: LiveBars) => void;
  },
): Promise<void> {
  const { interval, sessions } = intradayRanges[range];
  const books = new Map(tickers.map((ticker) => [ticker, new BarBook()]));
  /** The bars of the dollar, which may be one of the instruments too. */
  const dollars = new BarBook();
  const wanted = [...books.values(), ...(dollar === undefined ? [] : [dollars])];
  const received = new Set<BarBook>();
  let message: string | undefined;
  let isFramePending = false;
  const showNow = () => {
    isFramePending = false;
    if (signal.aborted) return;
    const isWhole = wanted.every((book) => received.has(book));
    show({
      series: Array.from(books.values(), (book) => (isWhole ? book.lastSessions(sessions) : [])),
      dollars: dollars.rows(),
      isLoading: !isWhole && message === undefined,
      ...(message === undefined ? {} : { message }),
    });
  };
  const showSoon = () => {
    if (!isFramePending) requestAnimationFrame(showNow);
    isFramePending = true;
  };
  const say = (text: string | undefined) => {
    message = text;
    showSoon();
  };
  const request = async (
    book: BarBook,
    fetchRows: (options: RequestOptions) => Promise<Outcome<readonly IntradayRow[]>>,
  ) => {
    const onFailure = (failure: Failure) => say(failureText(failure));
    const outcome = await fetchRows({ signal, onFailure });
    if (signal.aborted) return;
    if (!outcome.ok) return say(failureText(outcome.failure));
    book.setRequested(outcome.value);
    received.add(book);
    say(undefined);
  };
  const requestAll = async () => {
    for (const book of wanted) book.restart();
    await Promise.all(
      Array.from(books, ([ticker, book]) =>
        request(book, (options) => fetchIntraday(ticker, range, options)),
      ),
    );
    if (dollar === undefined) return;
    const shown = [...books.values()].flatMap((book) => book.lastSessions(sessions));
    const days = shown.map(({ fecha }) => fecha).toSorted();
    const [first, last] = [days[0], days.at(-1)];
    await request(dollars, (options) =>
      first === undefined || last === undefined
        ? fetchIntraday(dollar, range, options)
        : fetchBarsOfDays(dollar, { first, last }, { ...options, range }),
    );
  };
  const listener = {
    onState: (state: StreamState) => {
      if (state.kind === 'refused') say(failureText(state));
      if (state.kind === 'live') void requestAll();
    },
    onQuote: () => {},
    onBar: (row: IntradayRow) => {
      books.get(row.especie)?.addStreamed(row);
      if (row.especie === dollar) dollars.addStreamed(row);
      showSoon();
    },
  };
  const named = new Set([...tickers, ...(dollar === undefined ? [] : [dollar])]);
  const selection = new URLSearchParams({ especie: [...named].join(','), barras: interval });
  return followQuotes(selection.toString(), listener, signal);
}
