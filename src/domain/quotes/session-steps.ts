import type { SessionCalendar } from '../calendar/session-calendar.ts';
import type { PlainDate } from '../calendar/plain-date.ts';
import { barIntervals, longestBarInterval, type BarInterval } from './bar-interval.ts';
import { msPerMinute, type Bar } from './minute-bar.ts';

/** Maximum number of steps of a session. A day of 25 hours has as many of 15 minutes. */
export const stepsMax = 100;

/** The equal steps into which a session is divided, from its open. */
export interface SessionSteps {
  /** The minute of the open, counted from the start of 1970 in UTC. */
  readonly openMinute: number;
  /** The length of a step, in minutes. */
  readonly length: BarInterval;
  readonly count: number;
}

/** Divides a session into the shortest steps of which it has at most {@link stepsMax}. */
export function stepsOf(
  calendar: Pick<SessionCalendar, 'opensAt' | 'closesAt'>,
  session: PlainDate,
): SessionSteps {
  const openMinute = Math.floor(calendar.opensAt(session) / msPerMinute);
  const minutes = Math.ceil(calendar.closesAt(session) / msPerMinute) - openMinute;
  const length =
    barIntervals.find((interval) => minutes <= interval * stepsMax) ?? longestBarInterval;
  return { openMinute, length, count: Math.max(1, Math.ceil(minutes / length)) };
}

/**
 * The number of the step of a minute, from 0. A price from after the close is in the last step, and one from
 * before the open, as after a change of the hours, in the first.
 */
export function stepAt({ openMinute, length, count }: SessionSteps, minute: number): number {
  return Math.min(Math.max(0, Math.floor((minute - openMinute) / length)), count - 1);
}

/**
 * The last price of each step up to the last step with a price. Null for a step without a price.
 *
 * @param bars of the session, ascending.
 */
export function lastPrices(bars: readonly Bar[], steps: SessionSteps): readonly (number | null)[] {
  const prices: (number | null)[] = [];
  for (const { minute, last } of bars) {
    const step = stepAt(steps, minute);
    while (prices.length < step) prices.push(null);
    prices[step] = last;
  }
  return prices;
}
