import * as v from '@badrap/valita';
import type { Ticker } from '../../domain/ticker.ts';
import type { FeedDeps, FeedType } from '../feed-type.ts';
import type { Feed } from '../feed.ts';
import { commonFields, networkFields } from '../fields.ts';
import type { HistorySource } from '../history-source.ts';
import { createPolledFeed } from '../net/polled-feed.ts';
import { readJson } from '../net/read-body.ts';
import { selectWhere } from '../select-instruments.ts';
import { createYahooHistory } from './yahoo-history.ts';
import { chartPath, mapChart, yahooSymbolOf } from './yahoo-mapper.ts';
import type { YahooSymbol } from './yahoo-mapper.ts';
import { requestHeaders, spacingMs } from './yahoo-request.ts';

const schema = v.object({
  // A poll of some 500 instruments takes some ten minutes.
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

function create(config: Config, deps: FeedDeps): Feed {
  const symbols = symbolsOf(config, deps);
  return createPolledFeed(config, deps, {
    tickers: new Set(symbols.keys()),
    closedPollSeconds: 14_400,
    spacingMs,
    requests: [...symbols.values()].map((yahoo) => {
      const url = new URL(chartPath(yahoo), config.url);
      url.search = 'range=1d&interval=1d&includePrePost=false';
      return {
        request: () => ({ url, headers: requestHeaders }),
        map: (body) => mapChart(readJson(body), yahoo),
      };
    }),
  });
}

function createHistory(config: Config, deps: FeedDeps): HistorySource {
  return createYahooHistory(config, deps, symbolsOf(config, deps));
}

/** The instruments that are taken from the source. */
function symbolsOf(config: Config, { universe }: FeedDeps): ReadonlyMap<Ticker, YahooSymbol> {
  const symbols = new Map<Ticker, YahooSymbol>();
  for (const instrument of selectWhere((one) => yahooSymbolOf(one) !== undefined, {
    universe,
    config,
  })) {
    const yahoo = yahooSymbolOf(instrument);
    if (yahoo !== undefined) symbols.set(instrument.ticker, yahoo);
  }
  return symbols;
}
