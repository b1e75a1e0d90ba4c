import * as v from '@badrap/valita';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { FeedDeps, FeedType } from '../contract/feed-type.ts';
import type { Feed } from '../contract/feed.ts';
import { commonFields, networkFields } from '../contract/fields.ts';
import { createPolledFeed } from '../net/polled-feed.ts';
import type { PollRequest } from '../net/poll.ts';
import { readJson } from '../net/read-body.ts';
import { selectInstruments } from '../contract/select-instruments.ts';
import { coinPath, criptoyaTickers, dollarsPath, mapCoin, mapDollars } from './criptoya-mapper.ts';

const schema = v.object({
  ...commonFields('criptoya', { staleAfterSeconds: 900 }),
  ...networkFields({
    url: 'https://criptoya.com',
    pollSeconds: { usual: 120, min: 60 },
    delayMinutes: 0,
  }),
});

type Config = v.Infer<typeof schema>;

/** The crypto dollar and crypto assets in pesos, of the exchanges that criptoya.com compares. */
export const criptoyaType: FeedType<Config> = { type: 'criptoya', schema, create };

/** The pause between two requests of one poll, in milliseconds. */
const spacingMs = 500;

function create(config: Config, deps: FeedDeps): Feed {
  const tickers = selectInstruments(criptoyaTickers, { universe: deps.universe, config });
  return createPolledFeed(config, deps, {
    tickers,
    closedPollSeconds: 600,
    spacingMs,
    requests: [...tickers].map((ticker) => requestOf(ticker, config)),
  });
}

function requestOf(ticker: Ticker, config: Config): PollRequest {
  const path = coinPath(ticker);
  const url = new URL(path ?? dollarsPath, config.url);
  const map = path === undefined ? mapDollars : mapCoin;
  return {
    request: () => ({ url }),
    map: ({ snapshotAt, ...body }) => map(readJson(body), { ticker, snapshotAt }),
  };
}
