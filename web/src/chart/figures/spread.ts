import type { ModeCode } from '../../places/chart-choices.ts';
import type { Bar, ChartTime } from '../drawing/bars.ts';

/** How two instruments make one line. */
export type SpreadMode = Exclude<ModeCode, 'variacion'>;

/** The name of the line of two instruments: `AL30/GD30`, `AL30 − GD30`. */
export function spreadName(first: string, second: string, mode: SpreadMode): string {
  return mode === 'cociente' ? `${first}/${second}` : `${first} \u2212 ${second}`;
}

/**
 * The quotient or the difference of two instruments, as a series of its own.
 *
 * A day has a value only if both have a close. Intraday, a bar of either has one, with the latest price
 * of the other in the same session, because two instruments seldom trade in the same minutes. A quotient
 * by zero has no value.
 */
export function spreadOf(
  first: readonly Bar[],
  second: readonly Bar[],
  mode: SpreadMode,
): readonly Bar[] {
  const isIntraday = typeof (first[0] ?? second[0])?.time === 'number';
  const pairs = isIntraday ? latestPairs(first, second) : pairsOfDays(first, second);
  return pairs.flatMap(({ time, day, one, other }) => {
    if (mode === 'cociente' && other === 0) return [];
    const close = mode === 'cociente' ? one / other : one - other;
    return [{ time, day, close, volume: null }];
  });
}

/** The prices of two instruments at one time. */
interface Pair {
  readonly time: ChartTime;
  readonly day: string;
  readonly one: number;
  readonly other: number;
}

function pairsOfDays(first: readonly Bar[], second: readonly Bar[]): readonly Pair[] {
  const others = new Map(second.map(({ time, close }) => [time, close]));
  return first.flatMap(({ time, day, close }) => {
    const other = others.get(time);
    return other === undefined ? [] : [{ time, day, one: close, other }];
  });
}

function latestPairs(first: readonly Bar[], second: readonly Bar[]): readonly Pair[] {
  const pairs: Pair[] = [];
  for (let [at, beside] = [0, 0]; at < first.length || beside < second.length;) {
    const [next, nextBeside] = [timeAt(first, at), timeAt(second, beside)];
    if (next <= nextBeside) at += 1;
    if (nextBeside <= next) beside += 1;
    const [one, other] = [first[at - 1], second[beside - 1]];
    if (one === undefined || other === undefined || one.day !== other.day) continue;
    const time = Math.min(next, nextBeside);
    pairs.push({ time, day: one.day, one: one.close, other: other.close });
  }
  return pairs;
}

/** The time of an intraday bar. It is later than all after the last one. */
function timeAt(bars: readonly Bar[], at: number): number {
  return Number(bars[at]?.time ?? Number.POSITIVE_INFINITY);
}
