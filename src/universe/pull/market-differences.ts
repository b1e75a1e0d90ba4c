import { isDeepStrictEqual } from 'node:util';
import type { Market } from '../../domain/calendar/market.ts';

/** What the days of two markets of one time zone differ in, for a sentence. Empty for equal days. */
export function differencesOf(one: Market, other: Market): readonly string[] {
  // Other names of the holidays change no session.
  const parts = [
    ['weekdays', one.weekdays, other.weekdays],
    ['hours', one.hours, other.hours],
    ['holidays', new Set(one.holidays.keys()), new Set(other.holidays.keys())],
    ['settlement days', one.unsettled, other.unsettled],
    ['early closes', one.earlyCloses, other.earlyCloses],
  ] as const;
  return parts.flatMap(([name, here, there]) => (isDeepStrictEqual(here, there) ? [] : [name]));
}
