import type { DailyClose } from '../../domain/daily-close.ts';
import { isoWeekday, toEpochDay } from '../../domain/plain-date.ts';
import type { EpochDay, PlainDate } from '../../domain/plain-date.ts';
import type { SessionCalendar } from '../../domain/session-calendar.ts';
import { isPrice } from '../as-record.ts';
import type { Rejected } from '../feed.ts';
import { barSettleMs } from '../history-source.ts';
import { reject } from '../sample.ts';

/** A daily bar as a source sent it. The fields hold whatever the source has. */
export interface SentBar {
  /** Undefined where the source sent no date that exists. */
  readonly date: PlainDate | undefined;
  readonly open?: unknown;
  readonly high?: unknown;
  readonly low?: unknown;
  readonly close: unknown;
  readonly volume?: unknown;
}

/**
 * The closes of the bars of one instrument, oldest first. Rejected are bars without a price, of a day
 * on which the market does not trade, of a placeholder day or of a day to come, and bars that repeat
 * the close before them without any volume. A session is left out until {@link barSettleMs} after its
 * close. Of two bars of one day, the later one is used.
 */
export function closesOfBars(
  bars: readonly SentBar[],
  { calendar, now }: { readonly calendar: SessionCalendar; readonly now: number },
): { readonly closes: readonly DailyClose[]; readonly rejected: readonly Rejected[] } {
  const rejected: Rejected[] = [];
  const byDay = new Map<EpochDay, DailyClose>();
  const current = toEpochDay(calendar.sessionAt(now));
  const lastFinal = toEpochDay(calendar.lastSessionOver(now, barSettleMs));
  for (const bar of bars) {
    const close = toClose(bar, calendar);
    if ('reason' in close) rejected.push(close);
    else if (close.day > current) rejected.push(reject('bad-instant', bar));
    else if (close.day <= lastFinal) byDay.set(close.day, close);
  }
  const closes: DailyClose[] = [];
  for (const close of [...byDay.values()].toSorted((a, b) => a.day - b.day)) {
    if (isCarriedForward(close, closes.at(-1))) rejected.push(reject('not-traded', close));
    else closes.push(close);
  }
  return { closes, rejected };
}

function toClose(
  { date, open, high, low, close, volume }: SentBar,
  { market }: SessionCalendar,
): DailyClose | Rejected {
  const sample = { date, close, volume };
  if (date === undefined) return reject('unintelligible', sample);
  if (!isPrice(close)) return reject('no-price', sample);
  const day = toEpochDay(date);
  // No source has bars of days before 1970: such a day is a placeholder.
  if (day < 0 || !market.weekdays.has(isoWeekday(day))) return reject('bad-instant', sample);
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
