import * as v from '@badrap/valita';
import type { FeedDeps, FeedType } from '../contract/feed-type.ts';
import type { Feed } from '../contract/feed.ts';
import { commonFields, historyUrlField, streamFields } from '../contract/fields.ts';
import type { HistorySource } from '../contract/history-source.ts';
import { createSocketFeed } from '../net/socket-feed.ts';
import { selectForHistory, selectInstruments } from '../contract/select-instruments.ts';
import { createKrakenHistory } from './kraken-history.ts';
import { krakenTickers, mapKraken, subscription, tickersByPair } from './kraken-mapper.ts';

const schema = v.object({
  ...commonFields('kraken', { staleAfterSeconds: 60 }),
  ...streamFields({ url: 'wss://ws.kraken.com/v2' }),
  historyUrl: historyUrlField('https://api.kraken.com'),
});

type Config = v.Infer<typeof schema>;

/** Crypto assets on Kraken, in real time. */
export const krakenType: FeedType<Config> = { type: 'kraken', schema, create, createHistory };

function create(config: Config, deps: FeedDeps): Feed {
  const tickers = selectInstruments(krakenTickers, { universe: deps.universe, config });
  const byPair = tickersByPair(tickers);
  const url = new URL(config.url);
  return createSocketFeed(config, deps, {
    tickers,
    connect: () => ({ url, subscribe: [subscription(tickers)] }),
    map: (text) => mapKraken(text, byPair),
    // The source sends a heartbeat about once a second.
    limits: { idleMs: 20_000 },
  });
}

function createHistory(config: Config, deps: FeedDeps): HistorySource {
  const tickers = selectForHistory(krakenTickers, { universe: deps.universe, config });
  return createKrakenHistory(config, deps, tickers);
}
