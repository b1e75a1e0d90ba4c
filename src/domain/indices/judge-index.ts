import type { EpochDay } from '../calendar/plain-date.ts';
import { indexDefinitions, type IndexName } from './index-name.ts';
import type { DayValue } from './index-series.ts';

/**
 * How far apart two values may be for one of them to bear witness of the other, in days. An index of every day
 * of the calendar moves by a bounded factor a day. An exchange rate or a rate moves by steps, so that only
 * its values of about a week are comparable.
 */
const witnessDaysMax = { calendar: 3_660, business: 8, 'month-end': 0 } as const;

/**
 * Whether two values of one index are as close as the index moves in the days between them. Undefined if they
 * are too far apart in time to tell.
 */
export function agree(index: IndexName, one: DayValue, other: DayValue): boolean | undefined {
  const { days, dailyMove } = indexDefinitions[index];
  const [earlier, later] = one.day <= other.day ? [one, other] : [other, one];
  const distance = later.day - earlier.day;
  if (dailyMove === undefined || distance > witnessDaysMax[days]) return undefined;
  // A value of the same day may only be revised as far as the index moves in a day.
  const steps = days === 'calendar' ? Math.max(1, distance) : 1;
  const move = later.value / earlier.value;
  const isSmall = move >= dailyMove.min ** steps && move <= dailyMove.max ** steps;
  if (distance > 0) return isSmall;
  return isSmall && 1 / move >= dailyMove.min && 1 / move <= dailyMove.max;
}

/**
 * The days whose offered values contradict what is stored: the value before the day, that after it, and that of
 * the day itself. One that agrees is enough to believe a value. Where none is stored, the neighbours among the
 * offered values decide in the same way.
 *
 * @param stored ascending
 * @param offered ascending, one value a day
 */
export function doubtfulDays(
  index: IndexName,
  stored: readonly DayValue[],
  offered: readonly DayValue[],
): ReadonlySet<EpochDay> {
  const doubtful = new Set<EpochDay>();
  // The position of the first stored value that is not before the day.
  let at = 0;
  for (const [place, one] of offered.entries()) {
    while ((stored[at]?.day ?? Infinity) < one.day) at += 1;
    const own = stored[at]?.day === one.day;
    const kept = [stored[at - 1], own ? stored[at] : undefined, stored[own ? at + 1 : at]];
    const verdicts = verdictsOf(index, one, kept);
    const all =
      verdicts.length > 0
        ? verdicts
        : verdictsOf(index, one, [offered[place - 1], offered[place + 1]]);
    if (all.length > 0 && !all.includes(true)) doubtful.add(one.day);
  }
  return doubtful;
}

function verdictsOf(
  index: IndexName,
  value: DayValue,
  witnesses: readonly (DayValue | undefined)[],
): readonly boolean[] {
  return witnesses.flatMap((one) => (one === undefined ? [] : (agree(index, value, one) ?? [])));
}
