import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Update } from '../../domain/quotes/update.ts';
import type { Outcome } from '../../engine/engine.ts';
import type { StaleSource } from '../../domain/quotes/sources-state.ts';
import type { FeedBatch, Rejected, RejectionReason, Source } from '../../feeds/contract/feed.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { FaultSummary } from './fault-summary.ts';

/** The connection state of a source. */
export type FeedPhase =
  /** No batch since the start or the last failure. */
  | 'connecting'
  | 'connected'
  /** Failed. The supervisor pauses before the next attempt, or the feed recovers by itself. */
  | 'waiting'
  /** The source has ended. The feed is not started again. */
  | 'ended';

/** The result of an update of a source: that of the engine, or that it did not reach the engine. */
export type IntakeOutcome =
  | Outcome
  /** A source with a higher priority is used for the instrument. The update changes nothing. */
  | 'superseded';

/** An outcome, or the reason of a refusal, as a label for metrics. */
type OutcomeLabel =
  | Extract<IntakeOutcome, string>
  | 'book-refused'
  | 'range-refused'
  | Extract<Outcome, { readonly refused: unknown }>['refused'];

/** The label of an outcome. */
export function labelOf(outcome: IntakeOutcome): OutcomeLabel {
  if (typeof outcome === 'string') return outcome;
  return outcome.part === undefined ? outcome.refused : `${outcome.part}-refused`;
}

/** The counters of one source since the service started, and when it sent its last batch. */
interface FeedTally {
  /** Number of updates, by outcome. */
  readonly updates: Map<OutcomeLabel, number>;
  /** The parts of its messages that were no update, by reason. */
  readonly rejected: Map<RejectionReason, number>;
  /** How often it failed. */
  failures: number;
  /** Instant of the last batch, in epoch milliseconds. */
  lastBatchAt: number | undefined;
}

/** The state of one source at one instant. */
export interface FeedState extends Readonly<Pick<FeedTally, 'failures' | 'lastBatchAt'>> {
  readonly name: string;
  readonly phase: FeedPhase;
  /** No batch for longer than the limit of the source, while one of its markets is open. */
  readonly isStale: boolean;
  /** Whether data is expected of it: not of a source that is not configured or has ended. */
  readonly isWatched: boolean;
  /** Whether it pushes its updates. The service does not connect to it. */
  readonly isPushed: boolean;
  /** Whether it has neither responded nor failed yet, and had little time to. */
  readonly isStarting: boolean;
  /** Number of instruments whose price it gave. */
  readonly instruments: number;
  /**
   * How much later than its instant the newest update arrived, in milliseconds. Undefined before the
   * first update. It includes the delay of the source. It does not grow while nothing new arrives.
   */
  readonly lagMs: number | undefined;
  readonly updates: ReadonlyMap<OutcomeLabel, number>;
  readonly rejected: ReadonlyMap<RejectionReason, number>;
  /** The last failure; undefined before the first. `phase` says whether the feed has recovered since. */
  readonly lastFault: FaultSummary | undefined;
}

/**
 * The counters of each source and the instant of its last batch, by name. They outlive the supervisor, so a reload
 * of the configuration resets no counter, and a source that was stale before it is stale after it.
 */
export class FeedTallies {
  readonly #tallies = new Map<string, FeedTally>();

  of(name: string): FeedTally {
    return this.#tallies.getOrInsertComputed(name, () => {
      return { updates: new Map(), rejected: new Map(), failures: 0, lastBatchAt: undefined };
    });
  }
}

/** Time for a first response or failure, in milliseconds. A market that is closed may give neither. */
const startMsMax = 30_000;

/** Tracks the state of one source. */
export class FeedWatch {
  readonly source: Source;
  readonly #isPushed: boolean;
  phase: FeedPhase = 'connecting';
  readonly #universe: Universe;
  readonly #calendars: MarketCalendars;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #tally: FeedTally;
  readonly #marketsHeard = new Set<string>();
  #hasBatch = false;
  /** The latest instant of an update; one that is in the future counts as its arrival. */
  #newestAt = -Infinity;
  #lagMs: number | undefined;
  #requestsFailedAt = -Infinity;
  /** The stale sources of the followed service, by their names there. */
  #followed: readonly StaleSource[] = [];
  #lastFault: FaultSummary | undefined;

  constructor(
    source: Source,
    deps: {
      readonly universe: Universe;
      /** All sources share them. */
      readonly calendars: MarketCalendars;
      readonly clock: Clock;
      readonly tallies: FeedTallies;
      readonly isPushed?: boolean;
    },
  ) {
    this.source = source;
    this.#isPushed = deps.isPushed ?? false;
    this.#tally = deps.tallies.of(source.name);
    this.#universe = deps.universe;
    this.#calendars = deps.calendars;
    this.#clock = deps.clock;
    this.#startedAt = deps.clock.now();
  }

  /** Notes that the source delivered a batch. An empty batch counts too: the source is working. */
  heard(updates: readonly Update[]): void {
    this.phase = 'connected';
    const now = this.#clock.now();
    this.#tally.lastBatchAt = now;
    this.#hasBatch = true;
    const newestBefore = this.#newestAt;
    for (const { ticker, at } of updates) {
      if (at > this.#newestAt) this.#newestAt = Math.min(at, now);
      const instrument: Instrument | undefined = this.#universe.find(ticker);
      if (instrument !== undefined) this.#marketsHeard.add(instrument.market);
    }
    if (this.#newestAt > newestBefore) this.#lagMs = now - this.#newestAt;
  }

  /** Notes a price that the source gave before the service or its configuration was loaded. */
  recall({ market }: Instrument, at: number | undefined): void {
    this.#marketsHeard.add(market);
    if (at !== undefined && at > this.#newestAt) this.#newestAt = at;
  }

  /** Counts the outcomes of a batch. */
  count(outcomes: readonly IntakeOutcome[]): void {
    for (const outcome of outcomes) countOne(this.#tally.updates, labelOf(outcome));
  }

  /** Counts the parts of a message that were no update. */
  countRejected(rejected: readonly Rejected[]): void {
    for (const { reason } of rejected) countOne(this.#tally.rejected, reason);
  }

  /** Counts requests that failed while the feed continues. */
  countFailed(failed: NonNullable<FeedBatch['failed']>): void {
    this.#tally.failures += failed.length;
    if (failed.length > 0) this.#requestsFailedAt = this.#clock.now();
  }

  /** Notes the stale sources of a followed service. Absent: they are as before. */
  followed(stale: FeedBatch['stale']): void {
    this.#followed = stale ?? this.#followed;
  }

  failed(fault: FaultSummary): void {
    this.phase = 'waiting';
    this.#tally.failures += 1;
    this.#lastFault = fault;
  }

  /** As {@link ReliableSince}. */
  reliableSince(): number {
    const now = this.#clock.now();
    if (this.phase !== 'connected' || this.#isIdleTooLong(now)) return Infinity;
    const { staleAfterMs } = this.source;
    return now - this.#requestsFailedAt <= staleAfterMs ? now - staleAfterMs : -Infinity;
  }

  state(): Omit<FeedState, 'instruments'> {
    return {
      name: this.source.name,
      phase: this.phase,
      isWatched: this.phase !== 'ended' && this.source.staleAfterMs !== Infinity,
      isPushed: this.#isPushed,
      isStarting:
        !this.#hasBatch &&
        this.#lastFault === undefined &&
        this.#clock.now() - this.#startedAt < startMsMax,
      isStale: this.phase !== 'ended' && this.#isIdleTooLong(this.#clock.now()),
      lagMs: this.#lagMs,
      ...this.#tally,
      updates: new Map(this.#tally.updates),
      rejected: new Map(this.#tally.rejected),
      lastFault: this.#lastFault,
    };
  }

  /** What clients see: the source while it is stale, or else the stale sources of the service that it follows. */
  stale(): readonly StaleSource[] {
    if (this.phase === 'ended') return [];
    const now = this.#clock.now();
    const own = new Set([...(this.source.markets ?? []), ...this.#marketsHeard]);
    const open = [...this.#calendars.byMarket].flatMap(([code, calendar]) =>
      (own.size === 0 || own.has(code)) && calendar.stateAt(now) !== 'closed' ? [code] : [],
    );
    const { name } = this.source;
    if (this.#isIdleTooLong(now)) {
      const lastPriceAt = this.#newestAt === -Infinity ? undefined : this.#newestAt;
      return [{ name, markets: open, lastPriceAt }];
    }
    return this.#followed.flatMap((one) => {
      const markets = open.filter((code) => one.markets.includes(code));
      return markets.length === 0 ? [] : [{ ...one, via: name, markets }];
    });
  }

  #isIdleTooLong(now: number): boolean {
    const since = this.#tally.lastBatchAt ?? this.#startedAt;
    return this.#watchedCalendars().some((calendar) => {
      if (calendar.stateAt(now) === 'closed') return false;
      // A source sends nothing overnight, so idle time counts from the open.
      const opensAt = calendar.opensAt(calendar.sessionAt(now));
      return now - Math.max(since, opensAt) > this.source.staleAfterMs;
    });
  }

  #watchedCalendars(): readonly SessionCalendar[] {
    const heard = this.#marketsHeard.size === 0 ? undefined : this.#marketsHeard;
    const markets = this.source.markets ?? heard;
    return [...this.#calendars.byMarket].flatMap(([code, calendar]) =>
      markets === undefined || markets.has(code) ? [calendar] : [],
    );
  }
}

function countOne<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
