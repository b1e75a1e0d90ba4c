import type * as v from '@badrap/valita';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import type { Pause } from '../../lib/time/pause.ts';
import type { Feed, LineMapper, Source } from './feed.ts';
import type { FollowedServices } from './followed-services.ts';
import type { HistorySource, IndexSource } from './history-source.ts';
import type { FetchLimits, NetworkOptions, SocketLimits } from './network.ts';
import type { Secrets } from './secrets.ts';

/** The fields of every feed in the configuration, as they are written there. */
export interface FeedConfig {
  readonly name: string;
  readonly type: string;
  readonly staleAfterSeconds: number;
  /** Codes of markets of the universe. */
  readonly markets?: readonly string[] | undefined;
  /** Tickers of the universe; only network sources have the field. */
  readonly instruments?: InstrumentChoice | undefined;
  /** How much later than the market the source is. Only polled sources that state their delay have the field. */
  readonly delayMinutes?: number | undefined;
  /** The path of a PEM file with authorities; only network sources have the field. */
  readonly ca?: string | undefined;
  /** Only network sources have the field. */
  readonly userAgent?: string | undefined;
}

/** Which of the instruments that a source offers are taken from it. */
interface InstrumentChoice {
  /** Only these. Absent: all. */
  readonly include?: readonly string[] | undefined;
  /** All but these. */
  readonly exclude?: readonly string[] | undefined;
}

/** What a feed is built from, besides its configuration. */
export interface FeedDeps {
  readonly universe: Universe;
  /** The clock that updates are judged by: with a replay, the recording's. */
  readonly clock: Clock;
  readonly log: Log;
  /** Returns numbers from 0 up to but not including 1. */
  readonly random: () => number;
  /** Waits in real time; rejects when the signal aborts. */
  readonly pause: Pause;
  /** Relative paths in the configuration start here. */
  readonly directory: string;
  readonly secrets: Secrets;
  /** The services that this one follows. Absent where none runs, as in a check. */
  readonly follows?: FollowedServices;
  /** The instruments that sources with a higher priority have, as far as they are known in advance. */
  readonly earlier?: ReadonlySet<Ticker>;
  /**
   * The minute under way of an instrument, as it is stored here. Absent where bars are not recorded: then a feed
   * of whole quotes sends none.
   */
  readonly latestBar?: (ticker: Ticker) => Pick<Bar, 'day' | 'minute'> | undefined;
  /** How the feed connects. By default as its type decides, and unobserved. */
  readonly network?: NetworkOptions;
  /** Replace the limits of network connections; for tests. */
  readonly fetchLimits?: Partial<FetchLimits>;
  readonly socketLimits?: Partial<SocketLimits>;
}

/**
 * A type of feed: all that a folder of `feeds/` exports. The list of all types is
 * `config/feeds/feed-types.ts`; nothing else names one.
 */
export interface FeedType<Config extends FeedConfig = FeedConfig> {
  /** The value of `type:` in the configuration. */
  readonly type: Config['type'];
  /** Validates one feed of the configuration. A field that it does not name is a fault. */
  readonly schema: v.ObjectType<Record<string, v.Type | v.Optional>, undefined> & v.Type<Config>;
  /** Builds the feed. Connects to nothing yet. Absent for a source that pushes by itself. */
  create?(config: Config, deps: FeedDeps): Feed;
  /** Builds a reader of the source's daily history. Connects to nothing yet. */
  createHistory?(config: Config, deps: FeedDeps): HistorySource;
  /** Builds a reader of the indices that the source publishes. Connects to nothing yet. */
  createIndices?(config: Config, deps: FeedDeps): IndexSource;
  /** Reads a line of a recording of this source: `format:` of a replay then takes its type. */
  readonly mapRecordedLine?: LineMapper;
  /** The clock of the whole service while this feed runs, where it brings its own. */
  createClock?(config: Config, real: Clock): Clock;
  /** Whether the markets of the service are open all day, every day, while this feed runs. */
  opensAllDay?(config: Config): boolean;
  /** The files that the feed reads, relative to the configuration file. */
  files?(config: Config): readonly string[];
  /** Whether its feeds start processes, which needs a right of its own (`serve --least-rights`). */
  readonly startsProcesses?: boolean;
  /** Why no other feed may run beside one of this type. Absent: others may. */
  readonly mustBeAlone?: string;
  /** Why the configuration may name one feed of this type only. Absent: it may name several. */
  readonly mustBeSingle?: string;
}

/** The part of a configuration that supervision needs, for a source that sends without a delay. */
export function sourceOf({ name, staleAfterSeconds, markets }: FeedConfig): Source {
  return {
    name,
    staleAfterMs: staleAfterSeconds * 1_000,
    markets: markets === undefined ? undefined : new Set(markets),
    delayMinutes: 0,
  };
}
