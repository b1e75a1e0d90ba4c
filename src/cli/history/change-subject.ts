import { parsePlainDate, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import { requireIndex, type IndexName } from '../../operator/indices/stored-indices.ts';

/** What the arguments of a command name: an instrument or an index, and a day. */
export interface ChangeSubject {
  readonly subject: { readonly ticker: string } | { readonly index: IndexName };
  /** Undefined if the arguments name none. */
  readonly day: PlainDate | undefined;
}

/**
 * Reads the arguments `[TICKER] [DATE]`. With an index, the only argument is the day.
 *
 * @throws {UsageFault} that says what is wrong.
 */
export function subjectIn(
  [first, second]: readonly [string | undefined, string | undefined],
  index: string | undefined,
): ChangeSubject {
  if (index !== undefined) {
    if (second !== undefined) throw new UsageFault('With --index, the only argument is the day.');
    return { subject: { index: requireIndex(index) }, day: dayIn(first) };
  }
  if (first === undefined) throw new UsageFault('Name an instrument, or an index with --index.');
  return { subject: { ticker: first }, day: dayIn(second) };
}

function dayIn(text: string | undefined): PlainDate | undefined {
  if (text === undefined) return undefined;
  const day = parsePlainDate(text);
  if (day !== undefined) return day;
  throw new UsageFault(`"${text}" is not a day such as 2027-01-31.`);
}
