import { InvalidArgumentError } from 'commander';
import {
  firstEpochDay,
  lastEpochDay,
  parsePlainDate,
  toEpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import { parseRfc3339 } from '../../domain/calendar/rfc3339.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import type { DayRange } from '../../store/contract/history-store.ts';

/**
 * Reads a value, or refuses the call.
 *
 * @param parse gives undefined for an invalid text.
 * @param form what is valid, as a sentence.
 */
export function valid<T>(
  parse: (text: string) => T | undefined,
  form: string,
): (text: string) => T {
  return (text) => {
    const value = parse(text);
    if (value === undefined) throw new InvalidArgumentError(form);
    return value;
  };
}

export const parseDay = valid(parsePlainDate, 'Valid: a day such as 2027-01-31.');

export const parseInstant = valid(parseRfc3339, 'Valid: an instant such as 2027-01-31T15:00:00Z.');

/**
 * The range of days of two options, both of which are included and may be left out.
 *
 * @param days the first and the last day, by the names of their options.
 * @throws {UsageFault} when the first day is after the last one.
 */
export function dayRange(days: Readonly<Record<string, PlainDate | undefined>>): DayRange {
  const [[first, from] = [], [last, to] = []] = Object.entries(days);
  if (from !== undefined && to !== undefined && from > to) {
    throw new UsageFault(
      `--${first} ${from} is after --${last} ${to}. Set --${first} to an earlier day.`,
    );
  }
  return {
    from: from === undefined ? firstEpochDay : toEpochDay(from),
    to: to === undefined ? lastEpochDay : toEpochDay(to),
  };
}

/** The options that the call has, without the others. */
export function given<T extends object>(
  flags: T,
): { readonly [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const all = Object.entries(flags).filter(([, value]) => value !== undefined);
  return Object.fromEntries(all) as { [Name in keyof T]?: Exclude<T[Name], undefined> };
}

/** Variables of `pizarra mcp` and `pizarra universe pull`. They are no settings, and the other commands ignore them. */
export const agentKeyVariable = 'PIZARRA_KEY';
export const agentUrlVariable = 'PIZARRA_URL';
