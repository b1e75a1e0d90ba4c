import type { DailyClose } from '../../domain/history/daily-close.ts';
import {
  doubtTexts,
  impossibleTexts,
  type Doubt,
  type Impossible,
} from '../../domain/history/judge/judgement.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { reject, type Rejected, type RejectionReason } from '../../feeds/contract/feed.ts';

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
export function isDoubtful({ reason }: RejectedRow): boolean {
  return reason in doubtTexts || reason in impossibleTexts || reason === 'other-basis';
}

/** A row as a line without a line end: `GGAL 2026-11-19 {"close":541000}: the close is outside …`. */
export function formatRejectedRow({ ticker, date, sample, reason }: RejectedRow): string {
  const day = date === undefined ? '' : ` ${date}`;
  // The sample of an instrument that a source does not have is its ticker.
  const sent = sample === ticker ? '' : ` ${sample}`;
  return `${ticker}${day}${sent}: ${rowReasonTexts[reason]}`;
}
