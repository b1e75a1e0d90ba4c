import * as v from '@badrap/valita';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { FeedDeps, FeedType } from '../contract/feed-type.ts';
import type { Feed } from '../contract/feed.ts';
import { commonFields, networkFields } from '../contract/fields.ts';
import type { HistorySource } from '../contract/history-source.ts';
import { createPolledFeed } from '../net/polled-feed.ts';
import type { PollRequest } from '../net/poll.ts';
import { readJson, requireList } from '../net/read-body.ts';
import { TradeDetector } from '../net/trade-detector.ts';
import { selectWhere } from '../contract/select-instruments.ts';
import { createData912History } from './data912-history.ts';
import {
  historyPath,
  mapPanel,
  panelNames,
  tickersOfPanel,
  type PanelName,
} from './data912-mapper.ts';

const schema = v.object({
  ...commonFields('data912', { staleAfterSeconds: 600 }),
  ...networkFields({
    url: 'https://data912.com',
    // The panels are refreshed every 20 seconds, and a cache stores them for 30.
    pollSeconds: { usual: 30, min: 20 },
    // The source does not state its delay. Its description says that it is not in real time.
    delayMinutes: undefined,
  }),
});

type Config = v.Infer<typeof schema>;

/** Shares, bonds, notes, corporate bonds and CEDEARs of BYMA, and US shares and ADRs, of data912.com. */
export const data912Type: FeedType<Config> = { type: 'data912', schema, create, createHistory };

/** At most two requests a second; the source allows 120 a minute on each path. */
const spacingMs = 500;

function create(config: Config, deps: FeedDeps): Feed {
  const instruments = selectWhere(
    (one) => panelNames.some((name) => tickersOfPanel(name, [one]).size > 0),
    { universe: deps.universe, config },
  );
  const owners = new Map<Ticker, PanelName>();
  const requests = panelNames.flatMap((name) => {
    const tickers = tickersOfPanel(name, instruments);
    return tickers.size === 0 ? [] : [panelRequest(name, { config, deps, tickers, owners })];
  });
  return createPolledFeed(config, deps, {
    tickers: new Set(instruments.map(({ ticker }) => ticker)),
    closedPollSeconds: 300,
    spacingMs,
    requests,
  });
}

function panelRequest(
  name: PanelName,
  {
    config,
    deps,
    tickers,
    owners,
  }: {
    readonly config: Config;
    readonly deps: FeedDeps;
    readonly tickers: ReadonlyMap<string, Ticker>;
    /** An instrument that two panels have is taken from the panel that had it first. */
    readonly owners: Map<Ticker, PanelName>;
  },
): PollRequest {
  const url = new URL(`/live/${name}`, config.url);
  const detector = new TradeDetector(deps.universe, { isResetAsWhole: false });
  return {
    request: () => ({ url }),
    repeat: (snapshotAt) => detector.repeat(snapshotAt),
    map: ({ snapshotAt, ...body }) => {
      const sent = requireList(readJson(body));
      const { rows, rejected } = mapPanel(sent, { tickers, at: snapshotAt });
      const own = rows.filter(({ update: { ticker } }) => {
        if (!owners.has(ticker)) owners.set(ticker, name);
        return owners.get(ticker) === name;
      });
      const traded = detector.detect(own, snapshotAt);
      return {
        updates: traded.updates,
        rejected: [...rejected, ...traded.rejected],
        read: rows.map(({ update }) => update),
      };
    },
  };
}

function createHistory(config: Config, deps: FeedDeps): HistorySource {
  const instruments = selectWhere((one) => historyPath(one) !== undefined, {
    universe: deps.universe,
    config,
  });
  return createData912History(config, deps, instruments);
}
