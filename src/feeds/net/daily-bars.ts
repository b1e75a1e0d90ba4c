import type { DailyClose } from '../../domain/history/daily-close.ts';
import {
  fromEpochDay,
  isoWeekday,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import { isPrice } from '../shapes/as-record.ts';
import type { RejectionReason } from '../contract/feed.ts';
import { barSettleMs, type RejectedBar } from '../contract/history-source.ts';
import { reject } from '../contract/sample.ts';

/** A daily bar as a source sent it. Its values are not checked yet, nor are their types. */
export interface SentBar {
  /** Undefined if the source sent no valid date. */
  readonly date: PlainDate | undefined;
  readonly open?: unknown;
  readonly high?: unknown;
  readonly low?: unknown;
  readonly close: unknown;
  readonly volume?: unknown;
}

/**
 * The closes of the bars of one instrument, oldest first. A bar is rejected if it has no price, if its day
 * is a placeholder, in the future, or a day on which the market does not trade, or if it repeats the close
 * before it without any volume. A session is left out until {@link barSettleMs} after its close. Of two
 * bars of one day, the later one is used.
 */
export function closesOfBars(
  bars: readonly SentBar[],
  { calendar, now }: { readonly calendar: SessionCalendar; readonly now: number },
): { readonly closes: readonly DailyClose[]; readonly rejected: readonly RejectedBar[] } {
  const rejected: RejectedBar[] = [];
  const byDay = new Map<EpochDay, DailyClose>();
  const current = toEpochDay(calendar.sessionAt(now));
  const lastFinal = toEpochDay(calendar.lastSessionOver(now, barSettleMs));
  for (const bar of bars) {
    const close = toClose(bar, calendar);
    if ('reason' in close) rejected.push(close);
    else if (close.day > current) rejected.push(rejectBar('bad-instant', bar));
    else if (close.day <= lastFinal) byDay.set(close.day, close);
  }
  const closes: DailyClose[] = [];
  for (const close of [...byDay.values()].toSorted((a, b) => a.day - b.day)) {
    if (isCarriedForward(close, closes.at(-1))) {
      rejected.push(rejectBar('not-traded', { ...close, date: fromEpochDay(close.day) }));
    } else closes.push(close);
  }
  return { closes, rejected };
}

function toClose(bar: SentBar, { market }: SessionCalendar): DailyClose | RejectedBar {
  const { date, open, high, low, close, volume } = bar;
  if (date === undefined) return rejectBar('unintelligible', bar);
  if (!isPrice(close)) return rejectBar('no-price', bar);
  const day = toEpochDay(date);
  // No source has bars of days before 1970: such a day is a placeholder.
  if (day < 0 || !market.weekdays.has(isoWeekday(day))) return rejectBar('bad-instant', bar);
  return {
    day,
    close,
    volume: typeof volume === 'number' && volume >= 0 ? volume : null,
    ...(isPrice(open) ? { open } : {}),
    ...(isPrice(high) ? { high } : {}),
    ...(isPrice(low) ? { low } : {}),
  };
}

function isCarriedForward(bar: DailyClose, before: DailyClose | undefined): boolean {
  const prices = [bar.open, bar.high, bar.low].filter((price) => price !== undefined);
  return (
    bar.volume === 0 && bar.close === before?.close && prices.every((price) => price === bar.close)
  );
}

/** The sample has the values in the order of a bar. */
function rejectBar(
  reason: RejectionReason,
  { date, open, high, low, close, volume }: SentBar,
): RejectedBar {
  const values = { open, high, low, close, volume };
  return { ...reject(reason, values), ...(date !== undefined && { date }) };
}
