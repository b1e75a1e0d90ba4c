import * as v from '@badrap/valita';
import type { FeedDeps, FeedType } from '../contract/feed-type.ts';
import type { Feed } from '../contract/feed.ts';
import { commonFields, historyUrlField, streamFields } from '../contract/fields.ts';
import type { HistorySource } from '../contract/history-source.ts';
import { createSocketFeed } from '../net/socket-feed.ts';
import { selectForHistory, selectInstruments } from '../contract/select-instruments.ts';
import { createBinanceHistory } from './binance-history.ts';
import { BinanceMapper, binanceTickers, streamPath } from './binance-mapper.ts';

const schema = v.object({
  ...commonFields('binance', { staleAfterSeconds: 60 }),
  // These servers send market data only, and need no account.
  ...streamFields({ url: 'wss://data-stream.binance.vision' }),
  historyUrl: historyUrlField('https://data-api.binance.vision'),
});

type Config = v.Infer<typeof schema>;

/** Crypto assets on Binance, in real time. */
export const binanceType: FeedType<Config> = { type: 'binance', schema, create, createHistory };

function create(config: Config, deps: FeedDeps): Feed {
  const tickers = selectInstruments(binanceTickers, { universe: deps.universe, config });
  const url = new URL(streamPath(tickers), config.url);
  const mapper = new BinanceMapper(tickers);
  return createSocketFeed(config, deps, {
    tickers,
    connect: () => ({ url }),
    map: (text) => mapper.map(text),
    // Statistics come every second, and the connection is closed after 24 hours.
    limits: { idleMs: 20_000, lifetimeMs: 23 * 3_600_000 },
  });
}

function createHistory(config: Config, deps: FeedDeps): HistorySource {
  const tickers = selectForHistory(binanceTickers, { universe: deps.universe, config });
  return createBinanceHistory(config, deps, tickers);
}
