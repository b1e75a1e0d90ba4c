import * as v from '@badrap/valita';
import type { FeedDeps, FeedType } from '../contract/feed-type.ts';
import type { Feed } from '../contract/feed.ts';
import { commonFields, networkFields } from '../contract/fields.ts';
import { createPolledFeed } from '../net/polled-feed.ts';
import { readJson, requireList } from '../net/read-body.ts';
import { onlySelected, selectInstruments } from '../contract/select-instruments.ts';
import { dolarapiTickers, dollarsPath, mapEntries } from './dolarapi-mapper.ts';
import { mapDolarapiLine } from './dolarapi-recording.ts';

const schema = v.object({
  // The documents are published hourly, every three hours at weekends.
  ...commonFields('dolarapi', { staleAfterSeconds: 14_400 }),
  ...networkFields({
    url: 'https://dolarapi.com',
    pollSeconds: { usual: 900, min: 60 },
    delayMinutes: 0,
  }),
});

type Config = v.Infer<typeof schema>;

/** The dollars of dolarapi.com. */
export const dolarapiType: FeedType<Config> = {
  type: 'dolarapi',
  schema,
  create,
  mapRecordedLine: mapDolarapiLine,
};

function create(config: Config, deps: FeedDeps): Feed {
  const tickers = selectInstruments(dolarapiTickers(), { universe: deps.universe, config });
  const url = new URL('/v1/dolares', config.url);
  return createPolledFeed(config, deps, {
    tickers,
    closedPollSeconds: 3_600,
    requests: [
      {
        request: () => ({ url }),
        map: ({ snapshotAt, ...body }) => {
          const entries = requireList(readJson(body));
          // The documents are written by a machine in UTC.
          const snapshot = { at: snapshotAt, path: dollarsPath, isFromUtcMachine: true };
          const mapped = mapEntries(entries, snapshot);
          return { ...onlySelected(mapped, tickers), rows: entries.length };
        },
      },
    ],
  });
}
