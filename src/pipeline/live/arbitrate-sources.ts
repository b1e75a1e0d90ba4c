import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { hasPrices, type Update } from '../../domain/quotes/update.ts';
import type { Outcome } from '../../engine/engine.ts';
import { implausibleInstant } from '../../engine/plausibility.ts';

/**
 * The time since which the reports of a source count, in epoch milliseconds: `-Infinity` for a source
 * that works, `Infinity` for one that is stale or failed. Between them is a source some of whose
 * requests fail: it counts only for the instruments that it still reports.
 */
export type ReliableSince = (source: string) => number;

/** What one source has reported. The arrays have an element for each instrument of the universe. */
interface Reports {
  readonly name: string;
  /** The latest session for which it reported a value that the engine took. */
  readonly sessions: (PlainDate | undefined)[];
  /** The latest session for which it reported the official close. */
  readonly closes: (PlainDate | undefined)[];
  /** When it reported last, in epoch milliseconds. */
  readonly reportedAt: number[];
}

/**
 * Decides which of several sources of an instrument is used. The order of the sources is their
 * priority.
 *
 * A source is used for an instrument and a session unless a source with a higher priority works and
 * has reported the same instrument for that session or a later one. So the next source stands in
 * while the first is stale or failed, and from the open until the first reports an instrument. It
 * stands in no longer once the first has recovered. When the engine refuses a value of a source or holds it, the
 * next source stands in until the first reports one that the engine takes.
 *
 * The official close of a session is decided on separately, because a source of prices may have
 * none: it is taken from the first source that reports it. A source that has reported only the book
 * has not reported the instrument: another one gives the price.
 *
 * The arbiter looks at sources only. The engine ensures that a quote never goes back in time,
 * whichever source an update is from.
 *
 * It does no I/O and has no clock: {@link admit} selects the updates of a batch, and after the engine
 * has folded them, {@link record} stores which were taken.
 */
export class SourceArbiter {
  readonly #universe: Universe;
  readonly #calendars: MarketCalendars;
  /** In order of priority. */
  readonly #sources: readonly Reports[];

  constructor(options: {
    /** The names of all sources, that with the highest priority first. */
    readonly order: readonly string[];
    readonly universe: Universe;
    readonly calendars: MarketCalendars;
  }) {
    this.#universe = options.universe;
    this.#calendars = options.calendars;
    this.#sources = options.order.map((name) => ({
      name,
      sessions: [],
      closes: [],
      reportedAt: [],
    }));
  }

  /**
   * Selects from the updates of a source those that are used. The result has the same length and
   * order: an update, the official close alone of an update whose prices are superseded, or
   * undefined. It is the same array when all updates are used.
   */
  admit(
    source: string,
    updates: readonly Update[],
    { now, reliableSince }: { readonly now: number; readonly reliableSince: ReliableSince },
  ): readonly (Update | undefined)[] {
    const preferred = this.#sources
      .slice(0, this.#rankOf(source))
      .map((reports) => ({ reports, since: reliableSince(reports.name) }))
      .filter(({ since }) => since !== Infinity);
    if (preferred.length === 0) return updates;
    return updates.map((update) => this.#admitOne(update, preferred, now));
  }

  /** Stores the outcomes of the updates that the engine has folded. */
  record(
    source: string,
    updates: readonly Update[],
    { outcomes, now }: { readonly outcomes: readonly Outcome[]; readonly now: number },
  ): void {
    const reports = this.#sources[this.#rankOf(source)];
    if (reports === undefined) throw new Error(`no source is named ${source}`);
    for (const [index, update] of updates.entries()) {
      const instrument = this.#universe.find(update.ticker);
      const outcome = outcomes[index];
      if (instrument === undefined || outcome === undefined) continue;
      const isRefused = typeof outcome === 'object' && outcome.part === undefined;
      const isDoubted = outcome === 'held' || isRefused;
      if (isDoubted) reports.sessions[instrument.position] = undefined;
      if (isDoubted || notFolded.has(outcome)) continue;
      reports.reportedAt[instrument.position] = now;
      if (hasPrices(update)) this.#recordOne(reports, instrument, update);
    }
  }

  #admitOne(
    update: Update,
    preferred: readonly { readonly reports: Reports; readonly since: number }[],
    now: number,
  ): Update | undefined {
    const instrument = this.#universe.find(update.ticker);
    // The engine refuses these, with a reason.
    if (instrument === undefined || implausibleInstant(update.at, now) !== undefined) return update;
    const { position } = instrument;
    const session = this.#sessionOf(instrument, update);
    const others = preferred.filter(
      ({ reports, since }) => (reports.reportedAt[position] ?? -Infinity) >= since,
    );
    const isSuperseded = others.some(({ reports }) => isFrom(reports.sessions[position], session));
    if (!isSuperseded) return update;
    const { ticker, at, close } = update;
    const hasClose = others.some(({ reports }) => isFrom(reports.closes[position], session));
    return close === undefined || hasClose ? undefined : { ticker, at, close };
  }

  #recordOne(reports: Reports, instrument: Instrument, update: Update): void {
    const { position } = instrument;
    const session = this.#sessionOf(instrument, update);
    if (!isFrom(reports.sessions[position], session)) reports.sessions[position] = session;
    if (update.close === undefined) return;
    if (!isFrom(reports.closes[position], session)) reports.closes[position] = session;
  }

  #sessionOf(instrument: Instrument, { at }: Update): PlainDate {
    return this.#calendars.of(instrument).sessionAt(at);
  }

  #rankOf(source: string): number {
    const rank = this.#sources.findIndex(({ name }) => name === source);
    if (rank === -1) throw new Error(`no source is named ${source}`);
    return rank;
  }
}

/** The outcomes of updates that are not of the session of a quote. */
const notFolded: ReadonlySet<Outcome> = new Set([
  'earlier-session',
  'off-hours',
  'no-price-yet',
  'repeated-session',
]);

/** Whether a reported session is one session or a later one. */
function isFrom(reported: PlainDate | undefined, session: PlainDate): boolean {
  return reported !== undefined && reported >= session;
}
