import * as v from '@badrap/valita';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { FeedDeps, FeedType } from '../contract/feed-type.ts';
import type { Feed } from '../contract/feed.ts';
import { commonFields, networkFields } from '../contract/fields.ts';
import type { HistorySource } from '../contract/history-source.ts';
import type { IndexSource } from '../contract/index-source.ts';
import { createPolledFeed } from '../net/polled-feed.ts';
import type { PollRequest } from '../net/poll.ts';
import { readJson } from '../net/read-body.ts';
import { selectForHistory, selectInstruments } from '../contract/select-instruments.ts';
import { createBcraHistory } from './bcra-history.ts';
import { createBcraIndices } from './bcra-indices.ts';
import { bcraTickers, mapLatest, readSeries, seriesOf } from './bcra-mapper.ts';

const schema = v.object({
  ...commonFields('bcra', { staleAfterSeconds: 10_800 }),
  ...networkFields({
    url: 'https://api.bcra.gob.ar',
    // Each series has at most one new value a day.
    pollSeconds: { usual: 1_800, min: 300 },
    delayMinutes: 0,
  }),
});

type Config = v.Infer<typeof schema>;

/** Reserves, reference dollar and euro of the central bank of Argentina, with their history, and its indices. */
export const bcraType: FeedType<Config> = {
  type: 'bcra',
  schema,
  create,
  createHistory,
  createIndices,
};

/** The pause between two requests of one poll, in milliseconds. */
const spacingMs = 500;

/** The latest values of a series, newest first. The source refuses a lower limit. */
const latestRows = 10;

function create(config: Config, deps: FeedDeps): Feed {
  const tickers = selectInstruments(bcraTickers, { universe: deps.universe, config });
  return createPolledFeed(config, deps, {
    tickers,
    closedPollSeconds: 3_600,
    spacingMs,
    requests: [...tickers].flatMap((ticker) => seriesRequest(ticker, { config, deps })),
  });
}

function seriesRequest(
  ticker: Ticker,
  { config, deps: { universe } }: { readonly config: Config; readonly deps: FeedDeps },
): readonly PollRequest[] {
  const series = seriesOf(ticker);
  if (series === undefined) return [];
  const url = new URL(series.path, config.url);
  url.searchParams.set('limit', String(latestRows));
  const calendar = new SessionCalendar(universe.marketOf(universe.get(ticker)));
  return [
    {
      request: () => ({ url }),
      map: ({ snapshotAt, ...body }) => {
        const part = readSeries(readJson(body), series);
        return { ...mapLatest(part, { ticker, calendar, snapshotAt }), rows: part.rows };
      },
    },
  ];
}

function createHistory(config: Config, deps: FeedDeps): HistorySource {
  const tickers = selectForHistory(bcraTickers, { universe: deps.universe, config });
  return createBcraHistory(config, deps, tickers);
}

function createIndices(config: Config, deps: FeedDeps): IndexSource {
  return createBcraIndices(config, deps);
}
