import * as v from '@badrap/valita';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { FeedDeps, FeedType } from '../contract/feed-type.ts';
import type { Feed, FeedMessage } from '../contract/feed.ts';
import { commonFields, networkFields } from '../contract/fields.ts';
import type { HistorySource } from '../contract/history-source.ts';
import { chunksOf } from '../net/chunks-of.ts';
import type { PollRequest } from '../net/poll.ts';
import { createPolledFeed } from '../net/polled-feed.ts';
import { readJson } from '../net/read-body.ts';
import { newFirst, selectWhere } from '../contract/select-instruments.ts';
import { createYahooHistory } from './yahoo-history.ts';
import { yahooSymbolOf, type YahooSymbol } from '../shapes/yahoo-symbols.ts';
import { chartPath, mapChart, mapSpark, sparkPath } from './yahoo-mapper.ts';
import { requestHeaders, spacingMs } from './yahoo-request.ts';

const schema = v.object({
  ...commonFields('yahoo', { staleAfterSeconds: 5_400 }),
  ...networkFields({
    url: 'https://query2.finance.yahoo.com',
    pollSeconds: { usual: 900, min: 900 },
    // Shares of BYMA are 20 minutes late, others up to 15.
    delayMinutes: 20,
  }),
});

type Config = v.Infer<typeof schema>;

/** US shares and ETFs, and shares, CEDEARs and the index of BYMA, of Yahoo Finance. */
export const yahooType: FeedType<Config> = { type: 'yahoo', schema, create, createHistory };

/** The source answers 400 to a request for more. */
const symbolsPerRequest = 20;

/** The maximum number of opens that a poll requests, each with a chart of its own. */
const chartsPerPoll = 30;

function create(config: Config, deps: FeedDeps): Feed {
  const symbols = [...symbolsOf(config, deps).values()];
  const opens = new KnownOpens();
  const chartOf = (yahoo: YahooSymbol): PollRequest => {
    const url = new URL(chartPath(yahoo), config.url);
    url.search = 'range=1d&interval=1d&includePrePost=false';
    return {
      request: () => ({ url, headers: requestHeaders }),
      map: (body) => opens.known(mapChart(readJson(body), yahoo)),
    };
  };
  const sparks = chunksOf(symbols, symbolsPerRequest).map((some): PollRequest => ({
    request: () => ({ url: new URL(sparkPath(some), config.url), headers: requestHeaders }),
    map: (body) => opens.wanted(mapSpark(readJson(body), some)),
    instead: some.map(chartOf),
  }));
  // Another source gives the open of the other instruments.
  const alone = symbols.filter(({ ticker }) => deps.earlier?.has(ticker) !== true);
  const charts = alone.map((yahoo) => ({
    ...chartOf(yahoo),
    isDue: () => opens.isDue(yahoo.ticker),
  }));
  return createPolledFeed(config, deps, {
    tickers: new Set(symbols.map(({ ticker }) => ticker)),
    closedPollSeconds: 14_400,
    spacingMs,
    requests: [...sparks, ...charts],
  });
}

/** For which instruments the open of the session is known: the charts of several instruments have none. */
class KnownOpens {
  readonly #wanted = new Map<Ticker, number>();
  readonly #known = new Map<Ticker, number>();
  #left = chartsPerPoll;

  /** Takes note of the sessions of a response. */
  wanted(message: FeedMessage): FeedMessage {
    this.#left = chartsPerPoll;
    for (const { ticker, at } of message.updates) this.#wanted.set(ticker, dayOf(at));
    return message;
  }

  /** Takes note of the opens of a response. A session whose open it lacks has none. */
  known(message: FeedMessage): FeedMessage {
    for (const { ticker, at } of message.updates) this.#known.set(ticker, dayOf(at));
    return message;
  }

  /** Whether the open of an instrument is to be requested now. Counts the requests of a poll. */
  isDue(ticker: Ticker): boolean {
    const day = this.#wanted.get(ticker);
    if (day === undefined || this.#known.get(ticker) === day || this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}

/** The day of an instant in UTC: every session of the source is within one. */
function dayOf(at: number): number {
  return Math.floor(at / 86_400_000);
}

function createHistory(config: Config, deps: FeedDeps): HistorySource {
  return createYahooHistory(config, deps, symbolsOf(config, deps));
}

/** The instruments that are taken from the source, those first that no other source has. */
function symbolsOf(
  config: Config,
  { universe, earlier }: FeedDeps,
): ReadonlyMap<Ticker, YahooSymbol> {
  const symbols = new Map<Ticker, YahooSymbol>();
  const offered = selectWhere((one) => yahooSymbolOf(one) !== undefined, { universe, config });
  for (const instrument of newFirst(offered, earlier)) {
    const yahoo = yahooSymbolOf(instrument);
    if (yahoo !== undefined) symbols.set(instrument.ticker, yahoo);
  }
  return symbols;
}
