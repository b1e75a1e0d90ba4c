import { InvalidArgumentError } from 'commander';
import { parsePlainDate, type PlainDate } from '../../domain/calendar/plain-date.ts';

/** Parses the value of an option that is a day. */
export function parseDay(text: string): PlainDate {
  const date = parsePlainDate(text);
  if (date === undefined) throw new InvalidArgumentError('Valid: a day such as 2027-01-31.');
  return date;
}
