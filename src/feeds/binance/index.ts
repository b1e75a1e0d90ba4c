import * as v from '@badrap/valita';
import type { FeedDeps, FeedType } from '../feed-type.ts';
import type { Feed } from '../feed.ts';
import { commonFields, streamFields } from '../fields.ts';
import { createSocketFeed } from '../net/socket-feed.ts';
import { selectInstruments } from '../select-instruments.ts';
import { BinanceMapper, binanceTickers, streamPath } from './binance-mapper.ts';

const schema = v.object({
  ...commonFields('binance', { staleAfterSeconds: 60 }),
  // This server sends market data only, and needs no account.
  ...streamFields({ url: 'wss://data-stream.binance.vision' }),
});

type Config = v.Infer<typeof schema>;

/** Crypto assets on Binance, in real time. */
export const binanceType: FeedType<Config> = { type: 'binance', schema, create };

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
