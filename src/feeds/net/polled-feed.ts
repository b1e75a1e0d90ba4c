import * as v from '@badrap/valita';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { commonFields, networkFields, type NetworkDefaults } from '../contract/fields.ts';
import { selectInstruments, tickersOf, type Offer } from '../contract/select-instruments.ts';
import { sourceOf, type FeedConfig, type FeedDeps, type FeedType } from '../contract/feed-type.ts';
import type { Feed } from '../contract/feed.ts';
import { emptyFeed } from './empty-feed.ts';
import { createFetch } from './fetch-limited.ts';
import { createPoll, type PollRequest } from './poll.ts';
import { marketsOf, TradingHours } from '../contract/trading-hours.ts';

/** The configuration of a polled source: {@link networkFields} has these fields. */
interface PolledConfig extends FeedConfig {
  readonly pollSeconds: number;
  /** Absent for a source that does not state its delay. */
  readonly delayMinutes?: number | undefined;
}

/** The fields of the configuration of a source that {@link polledType} declares. */
export type PolledSourceConfig = v.Infer<ReturnType<typeof schemaOf>>;

function schemaOf(
  type: string,
  defaults: { readonly staleAfterSeconds: number } & NetworkDefaults,
) {
  return v.object({ ...commonFields(type, defaults), ...networkFields(defaults) });
}

/** What a polled source declares: the defaults of its configuration, its instruments, and its requests. */
interface PolledDeclaration
  extends
    NetworkDefaults,
    Pick<PolledSource, 'closedPollSeconds' | 'spacingMs'>,
    Pick<
      FeedType<PolledSourceConfig>,
      'type' | 'createHistory' | 'createIndices' | 'mapRecordedLine'
    > {
  readonly staleAfterSeconds: number;
  readonly offers: Offer;
  /** The requests of a poll for the instruments that are taken from the source, in the order of the universe. */
  readonly requests: (
    instruments: readonly Instrument[],
    config: PolledSourceConfig,
    deps: FeedDeps,
  ) => readonly PollRequest[];
}

/** The type of a feed that polls a source without an account. */
export function polledType(source: PolledDeclaration): FeedType<PolledSourceConfig> {
  const { type, createHistory, createIndices, mapRecordedLine } = source;
  return {
    type,
    schema: schemaOf(type, source),
    ...(createHistory && { createHistory }),
    ...(createIndices && { createIndices }),
    ...(mapRecordedLine && { mapRecordedLine }),
    create(config, deps) {
      const instruments = selectInstruments(source.offers, { universe: deps.universe, config });
      const tickers = tickersOf(instruments);
      const requests = source.requests(instruments, config, deps);
      return createPolledFeed(config, deps, {
        ...source,
        tickers,
        requests: requests.map((one) => onlyOf(tickers, one)),
      });
    },
  };
}

/** A request without the updates of instruments that are not taken from the source. */
function onlyOf(
  tickers: ReadonlySet<Ticker>,
  { map, instead, ...request }: PollRequest,
): PollRequest {
  return {
    ...request,
    ...(instead && { instead: instead.map((one) => onlyOf(tickers, one)) }),
    async map(polled, signal) {
      const message = await map(polled, signal);
      return { ...message, updates: message.updates.filter(({ ticker }) => tickers.has(ticker)) };
    },
  };
}

/** How to poll a source, and the tickers for which it is used. */
interface PolledSource {
  /** The tickers whose prices the source has. The hours of their markets decide how often it is polled. */
  readonly tickers: ReadonlySet<Ticker>;
  readonly requests: readonly PollRequest[];
  /** The interval while all of their markets are closed, in seconds. */
  readonly closedPollSeconds: number;
  /** The pause between two requests of one poll, in milliseconds. */
  readonly spacingMs?: number;
}

/** Time after a close, and after the delay of a source, in which it may still change prices, in ms. */
const settleMs = 30 * 60_000;

/**
 * Interval in seconds. A source that is polled less often gives too few prices for the rule that five prices
 * set a close aside, so fewer of them suffice.
 */
const slowPollSeconds = 30;

/** Creates a feed that polls a source over HTTP. Without tickers, it sends no request, and ends. */
export function createPolledFeed(config: PolledConfig, deps: FeedDeps, source: PolledSource): Feed {
  const { tickers } = source;
  if (tickers.size === 0) return emptyFeed(config, deps);
  const { clock, network } = deps;
  const observer = network?.observer;
  const { delayMinutes } = config;
  const always = source.requests.filter(({ isDue }) => isDue === undefined);
  const delayMs = (delayMinutes ?? 0) * 60_000;
  const batches = createPoll(
    {
      requests: source.requests,
      hours: new TradingHours(deps.universe, {
        markets: marketsOf(deps.universe, tickers),
        graceMs: delayMs + settleMs,
      }),
      pollMs: config.pollSeconds * 1_000,
      closedPollMs: source.closedPollSeconds * 1_000,
      spacingMs: source.spacingMs ?? 0,
      delayMs,
    },
    { ...deps, observer, fetch: createFetch({ clock, limits: deps.fetchLimits, network }) },
  );
  return {
    ...sourceOf(config),
    delayMinutes,
    tickers,
    isPolledSlowly: config.pollSeconds > slowPollSeconds,
    batches(signal) {
      observer?.begins({ tickers, kind: 'request', paths: always.length });
      return batches(signal);
    },
  };
}
