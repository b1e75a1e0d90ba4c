import { toEpochDay, type PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import type { ReferenceClose } from '../../../src/domain/history/reference-closes.ts';

/** A reference close of a session date. */
export function closeOn(date: string, close: number): ReferenceClose {
  return { day: toEpochDay(date as PlainDate), close };
}
