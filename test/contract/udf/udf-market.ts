import {
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../../src/domain/calendar/plain-date.ts';
import { CorporateActions } from '../../../src/domain/history/corporate-actions.ts';
import type { CorporateAction } from '../../../src/domain/history/corporate-action.ts';
import type { DailyClose } from '../../../src/domain/history/daily-close.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { makeQuote, type SessionState } from '../../../src/domain/quotes/quote.ts';
import type { Bar } from '../../../src/domain/quotes/minute-bar.ts';
import type { PublicServerParts } from '../../../src/http/public-server.ts';
import { startTestServer, type TestServer } from '../../support/http/start-test-server.ts';
import { sampleUniverse } from '../../support/market/sample-market.ts';

export function day(date: string): EpochDay {
  return toEpochDay(date as PlainDate);
}

/** 00:00 UTC of a date, in seconds. */
export function dayTime(date: string): number {
  return day(date) * 86_400;
}

/** The body of `/udf/history`. */
export interface History {
  readonly s: string;
  readonly t: readonly number[];
  readonly o?: readonly number[];
  readonly h?: readonly number[];
  readonly l?: readonly number[];
  readonly c: readonly number[];
  readonly v?: readonly number[];
}

type QuoteParts = Parameters<typeof makeQuote>[1];

/** A server whose closes, bars, corporate actions and quotes a test sets, as the service does. */
export interface UdfServer extends AsyncDisposable {
  readonly server: TestServer;
  /** A response below `/udf`, checked against the contract. */
  get<T>(target: string): Promise<T>;
  history(query: string): Promise<History>;
  put(ticker: string, closes: readonly DailyClose[]): Promise<void>;
  record(ticker: string, bars: readonly Bar[]): Promise<void>;
  adopt(actions: readonly CorporateAction[]): void;
  /** Publishes a quote of a session. */
  show(
    ticker: string,
    session: Partial<SessionState> & { readonly date: string },
    more?: Partial<QuoteParts>,
  ): void;
}

export async function startUdfServer(parts: Partial<PublicServerParts> = {}): Promise<UdfServer> {
  let actions = new CorporateActions([]);
  let version = 10_000;
  const server = await startTestServer({ actions: () => actions, ...parts });
  const get = async <T>(target: string): Promise<T> =>
    (await server.get(`/udf/${target}`)).json() as T;
  return {
    server,
    get,
    history: (query) => get<History>(`history?${query}`),
    put: (ticker, closes) => server.putCloses(ticker, closes),
    record: async (ticker, bars) => {
      const rows = bars.map((bar) => ({ ticker: ticker as Ticker, bar }));
      await server.store.quotes.commit({ quotes: [], closes: [], bars: rows });
    },
    adopt: (inForce) => {
      const before = actions;
      actions = new CorporateActions(inForce);
      server.revisions.increase(actions.changedSince(before));
    },
    show: (ticker, { date, ...session }, more = {}) => {
      version += 1;
      const instrument = (parts.board?.universe ?? sampleUniverse).get(ticker as Ticker);
      const shown = { sessionDate: date as PlainDate, last: Number.NaN, volume: null, ...session };
      const quote = makeQuote(instrument, { version, session: shown, references: {}, ...more });
      server.board.adopt([quote]);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
