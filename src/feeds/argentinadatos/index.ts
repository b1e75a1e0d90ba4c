import * as v from '@badrap/valita';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { FeedDeps, FeedType } from '../contract/feed-type.ts';
import type { Feed } from '../contract/feed.ts';
import { commonFields, networkFields } from '../contract/fields.ts';
import type { HistorySource } from '../contract/history-source.ts';
import { createPolledFeed } from '../net/polled-feed.ts';
import { readJson } from '../net/read-body.ts';
import { selectForHistory, selectInstruments } from '../contract/select-instruments.ts';
import { createArgentinadatosHistory } from './argentinadatos-history.ts';
import { countryRisk, historyTickers, latestPath, mapLatest } from './argentinadatos-mapper.ts';

const schema = v.object({
  ...commonFields('argentinadatos', { staleAfterSeconds: 14_400 }),
  ...networkFields({
    url: 'https://api.argentinadatos.com',
    // The documents are published a few times a day.
    pollSeconds: { usual: 3_600, min: 300 },
    delayMinutes: 0,
  }),
});

type Config = v.Infer<typeof schema>;

/** The country risk of argentinadatos.com, and the daily history of it and of the dollars. */
export const argentinadatosType: FeedType<Config> = {
  type: 'argentinadatos',
  schema,
  create,
  createHistory,
};

function create(config: Config, deps: FeedDeps): Feed {
  const { universe } = deps;
  const tickers = selectInstruments([countryRisk], { universe, config });
  const url = new URL(latestPath, config.url);
  return createPolledFeed(config, deps, {
    tickers,
    closedPollSeconds: 14_400,
    requests: [...tickers].map((ticker) => {
      const calendar = new SessionCalendar(universe.marketOf(universe.get(ticker)));
      return {
        request: () => ({ url }),
        map: ({ snapshotAt, ...body }) =>
          mapLatest(readJson(body), { ticker, calendar, snapshotAt }),
      };
    }),
  });
}

function createHistory(config: Config, deps: FeedDeps): HistorySource {
  const tickers = selectForHistory(historyTickers, { universe: deps.universe, config });
  return createArgentinadatosHistory(config, deps, tickers);
}
