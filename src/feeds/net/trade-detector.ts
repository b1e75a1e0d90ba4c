import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { type FeedMessage, type Rejected, reject } from '../contract/feed.ts';
import { bookOf, isSameReport, withoutBook, type BookOfUpdate } from '../shapes/book-fields.ts';
import type { PollRequest, Polled } from './polled-feed.ts';
import { oneOfEach } from './without-repeats.ts';

/**
 * How long after a close a snapshot is still taken, in minutes. Closing prices are settled by then;
 * the engine ignores later prices anyway (contract 2.6.1).
 */
const settleMinutes = 15;

/** A snapshot of a source that does not say on which day an instrument traded. */
export interface Snapshot {
  /**
   * A row has no last price if the source says that there was no trade in the session. `trades` is the
   * number of trades in the session so far, if the source counts them. The book is that of the snapshot,
   * whenever the last trade was.
   */
  readonly rows: readonly Update[];
  readonly rejected: readonly Rejected[];
  /** Updates with an instant of the source, which need no detection. */
  readonly dated?: readonly Update[];
  /** As {@link FeedMessage.read}. Absent: the rows and the dated updates. */
  readonly read?: readonly Update[];
}

/** A request whose rows have no date: each poll yields those that have traded since. */
export function snapshotRequest(
  universe: Universe,
  {
    map,
    request,
    ...options
  }: ConstructorParameters<typeof TradeDetector>[1] & {
    readonly request: PollRequest['request'];
    readonly map: (polled: Polled, signal: AbortSignal) => Snapshot | Promise<Snapshot>;
  },
): PollRequest {
  const detector = new TradeDetector(universe, options);
  return {
    request,
    repeat: (snapshotAt) => detector.repeat(snapshotAt),
    async map(polled, signal) {
      const { rows, rejected, dated = [], read } = await map(polled, signal);
      const traded = detector.detect(rows, polled.snapshotAt);
      return {
        updates: [...dated, ...traded.updates],
        rejected: [...rejected, ...traded.rejected],
        read: read ?? [...dated, ...rows],
      };
    },
  };
}

/** What changes in a row when its instrument trades. */
interface Activity {
  readonly last: number | undefined;
  readonly volume: number | undefined;
  readonly trades: number | undefined;
}

/**
 * Finds the rows of a snapshot whose instruments have traded in the current session. A source that
 * dates nothing repeats the prices of the previous session before the open, and for instruments that
 * do not trade all day. Neither may begin a session (contract 2.6).
 *
 * An instrument has traded when its price, its volume or its number of trades differs from its
 * reference. The reference is the first snapshot after the open. If the last snapshot before the open
 * showed no volume and no trades, the source had already begun to count anew, and that snapshot is
 * the reference. Then an instrument that traded once, at the open, is not missed.
 *
 * A row is passed on when its instrument has traded, and again whenever its activity changes. While
 * only its book changes, the book is passed on alone, with the instant of the snapshot. One
 * detector reads the snapshots of one panel, because a symbol may occur in several panels.
 */
export class TradeDetector {
  readonly #universe: Universe;
  readonly #isResetAsWhole: boolean;
  readonly #calendars: MarketCalendars;
  readonly #rows = new Map<Ticker, RowHistory>();
  /** The latest session of each market in which some row has traded. */
  readonly #tradedSessions = new Map<SessionCalendar, PlainDate | undefined>();
  #latestRows: readonly Update[] = [];
  #latestAt = -Infinity;

  /**
   * @param options.isResetAsWhole whether the source clears all rows of a panel before a session. Then
   *   one row that trades proves that every row with a price belongs to this session.
   */
  constructor(universe: Universe, options: { readonly isResetAsWhole: boolean }) {
    this.#universe = universe;
    this.#calendars = new MarketCalendars(universe);
    this.#isResetAsWhole = options.isResetAsWhole;
  }

  /**
   * The updates of a snapshot. Rows of instruments that have not traded are rejected. Rows outside the
   * hours of their market give nothing. A snapshot that is older than the one before, which a cache
   * may deliver, is rejected as a whole. Of several rows of one instrument, one is used.
   */
  detect(sent: readonly Update[], snapshotAt: number): FeedMessage {
    if (snapshotAt < this.#latestAt) {
      return { updates: [], rejected: [reject('outdated', new Date(snapshotAt).toISOString())] };
    }
    const { used: rows, repeated } = oneOfEach(sent, (ticker) => this.#rows.get(ticker)?.last);
    this.#latestAt = snapshotAt;
    this.#latestRows = rows;
    // All rows are recorded first, because one of them may prove that the others have traded.
    const inSession = rows.filter((row) => this.#record(row, snapshotAt));
    const updates: Update[] = [];
    const rejected: Rejected[] = [...repeated];
    for (const update of inSession) {
      const row = this.#rows.get(update.ticker);
      if (row === undefined) continue;
      const { last, volume, trades } = update;
      if (last === undefined || !(row.hasTraded || this.#isProvedByPanel(row))) {
        rejected.push(reject('not-traded', { last, volume, trades }, update.ticker));
      } else {
        updates.push(...row.pass(update, snapshotAt));
      }
    }
    return { updates, rejected };
  }

  /**
   * Records that the rows of the latest snapshot are still those of a later instant. Without it, the first
   * snapshot that changes after an open would be the reference, and its trades would be missed.
   */
  repeat(snapshotAt: number): void {
    this.detect(this.#latestRows, snapshotAt);
  }

  /** Records a row. False when the snapshot is outside the hours of the row's market. */
  #record({ ticker, last, volume, trades }: Update, snapshotAt: number): boolean {
    const calendar = this.#calendars.of(this.#universe.get(ticker));
    const isInSession = calendar.isWithinSession(snapshotAt, settleMinutes * 60_000);
    const row = this.#rows.getOrInsertComputed(ticker, () => new RowHistory(calendar));
    row.record({ last, volume, trades }, { at: snapshotAt, isInSession });
    if (row.hasTraded) this.#tradedSessions.set(calendar, row.session);
    return isInSession;
  }

  #isProvedByPanel({ calendar, session }: RowHistory): boolean {
    return this.#isResetAsWhole && this.#tradedSessions.get(calendar) === session;
  }
}

/** What the snapshots have shown of one instrument. */
class RowHistory {
  readonly calendar: SessionCalendar;
  /** The session of the latest snapshot, which is the previous session before an open. */
  session: PlainDate | undefined;
  /** Whether the instrument is known to have traded in the session. */
  hasTraded = false;
  /** Whether the latest snapshot was within the hours of its session. */
  #wasInSession = false;
  #latest: Activity | undefined;
  /** The activity to which the snapshots of the session are compared. */
  #reference: Activity | undefined;
  /** The activity that was last passed on in the session. */
  #passed: Activity | undefined;
  /** The book that was last passed on in the session. */
  #passedBook: BookOfUpdate | undefined;

  constructor(calendar: SessionCalendar) {
    this.calendar = calendar;
  }

  /** The price of the latest snapshot. */
  get last(): number | undefined {
    return this.#latest?.last;
  }

  record(
    activity: Activity,
    { at, isInSession }: { readonly at: number; readonly isInSession: boolean },
  ): void {
    const session = this.calendar.sessionAt(at);
    if (!isInSession || !this.#wasInSession || session !== this.session) {
      this.#reference = this.#isClearedBefore(session) ? this.#latest : activity;
      this.#passed = undefined;
      this.#passedBook = undefined;
      this.hasTraded = false;
    } else if (!this.hasTraded && hasDecreased(this.#latest, activity)) {
      // The source reset its counters after the open.
      this.#reference = activity;
    }
    this.hasTraded ||= isInSession && !isSame(this.#reference, activity);
    this.session = session;
    this.#wasInSession = isInSession;
    this.#latest = activity;
  }

  /** What of the latest row differs from what was passed on before: the row, its book, or nothing. */
  pass(update: Update, snapshotAt: number): readonly Update[] {
    const book = bookOf(update);
    const hasTradedAnew = !isSame(this.#passed, this.#latest);
    const hasNewBook = book !== undefined && !isSameReport(this.#passedBook, book);
    this.#passed = this.#latest;
    this.#passedBook = book;
    const { ticker, at } = update;
    if (hasTradedAnew && at === snapshotAt) return [update];
    return [
      ...(hasTradedAnew ? [withoutBook(update)] : []),
      ...(hasNewBook ? [{ ticker, at: snapshotAt, ...book }] : []),
    ];
  }

  /** Whether the latest snapshot was taken shortly before a session, and its counters were at zero. */
  #isClearedBefore(session: PlainDate): boolean {
    if (this.#wasInSession || this.session !== this.calendar.previousSession(session)) return false;
    const { volume, trades } = this.#latest ?? {};
    return (volume ?? trades) !== undefined && (volume ?? 0) === 0 && (trades ?? 0) === 0;
  }
}

function isSame(a: Activity | undefined, b: Activity | undefined): boolean {
  return a?.last === b?.last && a?.volume === b?.volume && a?.trades === b?.trades;
}

/** Whether a counter is lower than before. Within a session, counters only increase. */
function hasDecreased(before: Activity | undefined, after: Activity): boolean {
  return (after.volume ?? 0) < (before?.volume ?? 0) || (after.trades ?? 0) < (before?.trades ?? 0);
}
