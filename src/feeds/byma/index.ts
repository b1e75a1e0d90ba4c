import * as v from '@badrap/valita';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { FeedDeps, FeedType } from '../contract/feed-type.ts';
import type { Feed } from '../contract/feed.ts';
import { commonFields, networkFields } from '../contract/fields.ts';
import type { HistorySource } from '../contract/history-source.ts';
import { createPolledFeed } from '../net/polled-feed.ts';
import type { PollRequest } from '../net/poll.ts';
import { readJson } from '../net/read-body.ts';
import { TradeDetector } from '../net/trade-detector.ts';
import { selectWhere } from '../contract/select-instruments.ts';
import { createBymaHistory } from './byma-history.ts';
import {
  hasHistory,
  isInPanel,
  mapPanel,
  panelNames,
  requestBody,
  type PanelName,
  type PanelTime,
} from './byma-mapper.ts';
import { pathOf, requestHeaders, spacingMs } from './byma-request.ts';

const schema = v.object({
  ...commonFields('byma', { staleAfterSeconds: 1_800 }),
  ...networkFields({
    url: 'https://open.bymadata.com.ar',
    pollSeconds: { usual: 60, min: 30 },
    delayMinutes: 20,
  }),
});

type Config = v.Infer<typeof schema>;

/** BYMA Open Data: the MERVAL, repo rates, and the panels of securities, delayed. */
export const bymaType: FeedType<Config> = { type: 'byma', schema, create, createHistory };

/** How far the clock of the exchange may be ahead, in milliseconds. */
const clockToleranceMs = 60_000;

function create(config: Config, deps: FeedDeps): Feed {
  const { universe } = deps;
  const instruments = selectWhere((one) => panelNames.some((name) => isInPanel(name, one)), {
    universe,
    config,
  });
  return createPolledFeed(config, deps, {
    tickers: new Set(instruments.map(({ ticker }) => ticker)),
    closedPollSeconds: 900,
    spacingMs,
    requests: panelNames.flatMap((name) => {
      const members = instruments.filter((one) => isInPanel(name, one));
      return members.length === 0 ? [] : [panelRequest(name, { config, deps, members })];
    }),
  });
}

function panelRequest(
  name: PanelName,
  {
    config,
    deps: { universe },
    members,
  }: {
    readonly config: Config;
    readonly deps: FeedDeps;
    readonly members: readonly Instrument[];
  },
): PollRequest {
  const url = new URL(pathOf(name), config.url);
  const tickers = new Set(members.map(({ ticker }) => ticker));
  const [first] = members;
  const calendar = first && new SessionCalendar(universe.marketOf(first));
  // Before a session all numbers of a panel are 0.
  const detector = new TradeDetector(universe, { isResetAsWhole: true });
  return {
    request: () => ({
      url,
      method: 'POST',
      headers: requestHeaders(config.url),
      body: requestBody(name),
    }),
    repeat: (snapshotAt) => detector.repeat(snapshotAt),
    map: ({ snapshotAt, ...body }) => {
      const time = timeOf(snapshotAt, { calendar, delayMinutes: config.delayMinutes });
      const { rows, rejected } = mapPanel(name, readJson(body), { tickers, time });
      const traded = detector.detect(rows, snapshotAt);
      return {
        updates: traded.updates,
        rejected: [...rejected, ...traded.rejected],
        read: rows.map(({ update }) => update),
      };
    },
  };
}

/** The rows have a time of day: it is that of the session that was under way. */
function timeOf(
  snapshotAt: number,
  {
    calendar,
    delayMinutes,
  }: { readonly calendar: SessionCalendar | undefined; readonly delayMinutes: number },
): PanelTime {
  const midnight = calendar?.startOfDay(calendar.sessionAt(snapshotAt)) ?? Number.NaN;
  // The delay may be shorter than the configuration says.
  return { snapshotAt, midnight, latestAt: snapshotAt + delayMinutes * 60_000 + clockToleranceMs };
}

function createHistory(config: Config, deps: FeedDeps): HistorySource {
  const { universe } = deps;
  return createBymaHistory(config, deps, selectWhere(hasHistory, { universe, config }));
}
