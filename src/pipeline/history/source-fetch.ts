import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import {
  doubtTexts,
  impossibleTexts,
  type Doubt,
  type Impossible,
} from '../../domain/history/judge/judgement.ts';
import {
  conflictOf,
  type CloseConflict,
  type FetchDecision,
} from '../../domain/history/offered-close.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { reject, type Rejected, type RejectionReason } from '../../feeds/contract/feed.ts';
import type { FailedInstrument } from '../source-requests.ts';
import type { JudgedOffers, StoredMove } from './judge-offers.ts';

/** Why a row of a source is not stored. Metrics use it as a label. */
export type RowReason = RejectionReason | Doubt | Impossible | 'no-session' | 'other-basis';

/** The reasons in words, for reports and logs. */
const rowReasonTexts: Readonly<Record<RowReason, string>> = {
  ...doubtTexts,
  ...impossibleTexts,
  'no-session': 'the market had no session on this day',
  'other-basis':
    'the source differs from the stored closes beside this day by the factor of a split: it adjusts its prices',
  'no-price': 'no price',
  'bad-instant': 'a day on which the market does not trade, or a day to come',
  'not-traded': 'the instrument did not trade: the close before, repeated without a volume',
  unintelligible: 'not in the format of the source',
  'not-offered': 'the source does not have the instrument',
  'no-instrument': 'a symbol that is not in the universe',
  'too-long': 'longer than the limit',
  crossed: 'the bid is above the ask',
  incomplete: 'the source sent fewer rows than it has',
  outdated: 'older than the source can be',
  repeated: 'a second row of the same instrument',
};

/** A row of a source that is not stored. */
export interface RejectedRow extends Omit<Rejected<RowReason>, 'symbol'> {
  readonly ticker: Ticker;
}

/** A row that the reader of the source rejected. */
export function rejectedRow(ticker: Ticker, { date, sample, reason }: Rejected): RejectedRow {
  return { ticker, ...(date !== undefined && { date }), sample, reason };
}

/** A close that is not stored. */
export function rejectedClose(
  ticker: Ticker,
  { day, open, high, low, close, volume }: DailyClose,
  reason: RowReason,
): RejectedRow {
  const { sample } = reject(reason, { open, high, low, close, volume });
  return { ticker, date: fromEpochDay(day), sample, reason };
}

/** Whether the judge of prices rejected a row, or its basis is another one. An operator should know. */
function isDoubtful({ reason }: RejectedRow): boolean {
  return reason in doubtTexts || reason in impossibleTexts || reason === 'other-basis';
}

/** A row as a line without a line end: `GGAL 2026-11-19 {"close":541000}: the close is outside …`. */
export function formatRejectedRow({ ticker, date, sample, reason }: RejectedRow): string {
  const day = date === undefined ? '' : ` ${date}`;
  // The sample of an instrument that a source does not have is its ticker.
  const sent = sample === ticker ? '' : ` ${sample}`;
  return `${ticker}${day}${sent}: ${rowReasonTexts[reason]}`;
}

/** Maximum number of entries of each list in the result of one source. All entries are counted. */
const listedMax = 10_000;

/** What one source has given so far. */
export class SourceTally {
  readonly source: string;
  requests = 0;
  added = 0;
  /** Stored closes of this source that it has corrected. */
  corrected = 0;
  /** Stored closes of later sources that it has replaced by different ones. */
  replaced = 0;
  /** Stored closes of later sources that are equal to those of this source, which is now their source. */
  takenOver = 0;
  /** Instruments of which a close has changed. */
  instruments = 0;
  /** Rows that are not stored: no close, of a day without a session, or doubtful. */
  rejected = 0;
  /** Their number for each reason. */
  readonly rejectedByReason = new Map<RowReason, number>();
  /** Closes that differ from the stored ones, which are kept. */
  different = 0;
  /** The first {@link listedMax} of them. */
  readonly conflicts: CloseConflict[] = [];
  /** The first {@link listedMax} closes of later sources that were replaced. */
  readonly replacements: CloseConflict[] = [];
  /** The first {@link listedMax} closes that are stored although their move looks like that of a split. */
  readonly moves: StoredMove[] = [];
  /** The number of corporate actions that the source has added. */
  actions = 0;
  /** Actions that the stored closes contradict. They are not stored. */
  readonly contradicted: CorporateAction[] = [];
  /** Instruments that wait for an earlier source, which has come to the maximum of its requests. */
  waiting = 0;
  /** Instruments that the source did not serve. */
  failed: readonly FailedInstrument[] = [];
  /** Why the source was left before its last instrument. */
  stopped?: string | undefined;
  /** The first {@link listedMax} rejected rows with doubtful values, which an operator should check. */
  readonly doubtfulRows: RejectedRow[] = [];
  /** The first {@link listedMax} other rejected rows. */
  readonly otherRows: RejectedRow[] = [];

  constructor(source: string) {
    this.source = source;
  }

  reject(rows: readonly RejectedRow[]): void {
    this.rejected += rows.length;
    for (const row of rows) {
      const { reason } = row;
      this.rejectedByReason.set(reason, (this.rejectedByReason.get(reason) ?? 0) + 1);
      const list = isDoubtful(row) ? this.doubtfulRows : this.otherRows;
      if (list.length < listedMax) list.push(row);
    }
  }

  /** Counts and lists what was decided about a close. */
  count(ticker: Ticker, { outcome, offered, stored }: FetchDecision): void {
    if (outcome === 'added') this.added += 1;
    else if (outcome === 'corrected') this.corrected += 1;
    else if (outcome === 'taken-over') this.takenOver += 1;
    if (stored === undefined || (outcome !== 'kept' && outcome !== 'replaced')) return;
    this[outcome === 'kept' ? 'different' : 'replaced'] += 1;
    const list = outcome === 'kept' ? this.conflicts : this.replacements;
    if (list.length < listedMax) list.push(conflictOf(ticker, stored, offered));
  }

  addMoves(ticker: Ticker, moves: JudgedOffers['moves']): void {
    const free = listedMax - this.moves.length;
    this.moves.push(...moves.slice(0, free).map((move) => ({ ticker, ...move })));
  }
}

/** What one source gave. */
export type SourceFetch = Readonly<Omit<SourceTally, 'count' | 'reject' | 'addMoves'>>;
