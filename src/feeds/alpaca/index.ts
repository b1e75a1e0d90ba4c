import * as v from '@badrap/valita';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { FeedDeps, FeedType } from '../contract/feed-type.ts';
import type { Feed } from '../contract/feed.ts';
import { commonFields, historyUrlField, secretField, streamFields } from '../contract/fields.ts';
import type { HistorySource } from '../contract/history-source.ts';
import { createSocketFeed } from '../net/socket-feed.ts';
import { filesOf } from '../contract/secrets.ts';
import { selectWhere } from '../contract/select-instruments.ts';
import { usSymbolOf } from '../shapes/us-symbols.ts';
import { createAlpacaHistory } from './alpaca-history.ts';
import { mapAlpaca, subscription } from './alpaca-mapper.ts';

const schema = v.object({
  ...commonFields('alpaca', { staleAfterSeconds: 300 }),
  // Trades of the exchange IEX, which need no subscription. Of all exchanges: `/v2/sip`.
  ...streamFields({ url: 'wss://stream.data.alpaca.markets/v2/iex' }),
  historyUrl: historyUrlField('https://data.alpaca.markets'),
  key: secretField(),
  secret: secretField(),
});

type Config = v.Infer<typeof schema>;

/** US shares, ADRs and ETFs of Alpaca, in real time. Needs an account. */
export const alpacaType: FeedType<Config> = {
  type: 'alpaca',
  schema,
  create,
  createHistory,
  files: ({ key, secret }) => filesOf(key, secret),
};

/**
 * An account may open one connection, so a second one cannot replace the first: connections are used
 * for as long as they last. This is near the maximum of a timer.
 */
const lifetimeMs = 24 * 86_400_000;

function create(config: Config, deps: FeedDeps): Feed {
  const tickers = tickersBySymbol(config, deps);
  const url = new URL(config.url);
  return createSocketFeed(config, deps, {
    tickers: new Set(tickers.values()),
    connect: () => ({
      url,
      headers: keyHeaders(config, deps),
      subscribe: [subscription(tickers.keys())],
    }),
    map: (text) => mapAlpaca(text, tickers),
    limits: { lifetimeMs },
  });
}

function createHistory(config: Config, deps: FeedDeps): HistorySource {
  const symbols = tickersBySymbol(config, deps);
  return createAlpacaHistory(config, deps, { symbols, headers: () => keyHeaders(config, deps) });
}

function keyHeaders(config: Config, { secrets }: FeedDeps): Readonly<Record<string, string>> {
  return {
    'apca-api-key-id': secrets.read(config.key),
    'apca-api-secret-key': secrets.read(config.secret),
  };
}

/** The instruments that are taken from the source, by symbol. */
function tickersBySymbol(config: Config, { universe }: FeedDeps): ReadonlyMap<string, Ticker> {
  const instruments = selectWhere((one) => usSymbolOf(one) !== undefined, { universe, config });
  return new Map(instruments.map((one) => [usSymbolOf(one) ?? '', one.ticker]));
}
