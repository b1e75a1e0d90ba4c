import * as v from '@badrap/valita';
import { fromEpochDay, parsePlainDate, toEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { LackingDays, type LackingRange } from '../../pipeline/history/lacking-days.ts';
import type { PlaceNotes } from '../../store/contract/place.ts';

const day = v.string().chain((text) => {
  const date = parsePlainDate(text);
  return date === undefined ? v.err('a day') : v.ok(toEpochDay(date));
});

const ranges = v.array(
  v.object({
    source: v.string(),
    ticker: v.string().map((text) => text as Ticker),
    askedAt: v.number(),
    from: day,
    to: day,
  }),
);

/** The name of the note. A data directory has it as `history-fetch.json`. */
const noteName = 'history-fetch';

/** The days that sources lack, and their note. Disposing this waits until the note is written. */
export interface NotedLackingDays extends AsyncDisposable {
  readonly days: LackingDays;
}

/**
 * The days that sources lack, kept in a note of the place, which is replaced after each change. Without
 * it, or if it is damaged, sources are asked again.
 *
 * When two processes fetch at the same time, the note has the days of the one that wrote last.
 */
export async function openLackingDays(
  notes: PlaceNotes,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<NotedLackingDays> {
  let pending: readonly LackingRange[] | undefined;
  let writing: Promise<void> | undefined;
  // One write at a time. What changes meanwhile is written by the next one.
  const write = async (): Promise<void> => {
    while (pending !== undefined) {
      const text = `${JSON.stringify(pending.map(toJson))}\n`;
      pending = undefined;
      await notes.write(noteName, text).catch((fault: unknown) => {
        log.warn({ err: fault }, 'could not note the days that sources lack');
      });
    }
    writing = undefined;
  };
  const days = new LackingDays(await read(notes), {
    clock,
    onChange: (changed) => {
      pending = changed;
      writing ??= write();
    },
  });
  return {
    days,
    [Symbol.asyncDispose]: async () => writing,
  };
}

async function read(notes: PlaceNotes): Promise<readonly LackingRange[]> {
  try {
    const parsed = ranges.try(JSON.parse((await notes.read(noteName)) ?? '[]'));
    return parsed.ok ? parsed.value : [];
  } catch {
    return [];
  }
}

function toJson({ from, to, ...rest }: LackingRange): object {
  return { ...rest, from: fromEpochDay(from), to: fromEpochDay(to) };
}
