import type { DailyClose } from '../../../src/domain/history/daily-close.ts';
import { rulesOf, type Instrument } from '../../../src/domain/instruments/instrument.ts';
import {
  isoWeekday,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../../src/domain/calendar/plain-date.ts';
import { seededRandom } from '../../support/random.ts';

/** The first day of the twenty years. */
const first = toEpochDay('2006-11-14' as PlainDate);
const last = toEpochDay('2026-11-13' as PlainDate);

/** Every n-th weekday is a holiday, which leaves about 252 sessions a year. */
const weekdaysPerHoliday = 29;

/** Maximum move of a day, as a fraction of the price, in either direction. */
const dailyMoveMost = 0.03;

/** The sessions of twenty years, the same for all instruments. */
export const sessionDays: readonly EpochDay[] = Array.from(
  { length: last - first + 1 },
  (_, index) => (first + index) as EpochDay,
)
  .filter((day) => isoWeekday(day) <= 5)
  .filter((_, index) => index % weekdaysPerHoliday !== weekdaysPerHoliday - 1);

/**
 * Generates plausible closes of sessions, by default those of twenty years: a random walk from an initial price
 * of the instrument, with a usual number of decimals, and with volumes if its kind has them. The same seed gives
 * the same closes.
 */
export function generateCloses(
  instrument: Instrument,
  seed: number,
  days = sessionDays,
): readonly DailyClose[] {
  const random = seededRandom(seed);
  const decimals = Math.min(instrument.decimals, 2);
  const rounded = (value: number): number => Number(Math.max(value, 0.5).toFixed(decimals));
  const { hasVolume } = rulesOf(instrument);
  let price = 10 ** (1 + random() * 3);
  return days.map((day) => {
    const open = price;
    // A walk without bounds would leave the plausible range within twenty years.
    const pull = price > 50_000 ? 0.6 : price < 5 ? 0.4 : 0.5;
    price = Math.max(price * (1 + (random() - pull) * 2 * dailyMoveMost), 0.5);
    const close = rounded(price);
    return {
      day,
      close,
      volume: hasVolume ? Math.floor(10 ** (3 + random() * 4)) : null,
      open: rounded(open),
      high: rounded(Math.max(open, price) * 1.005),
      low: rounded(Math.min(open, price) * 0.995),
    };
  });
}
