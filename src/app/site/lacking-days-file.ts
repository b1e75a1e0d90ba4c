import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from '@badrap/valita';
import { fromEpochDay, parsePlainDate, toEpochDay } from '../../domain/plain-date.ts';
import type { Ticker } from '../../domain/ticker.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { LackingDays } from '../../pipeline/lacking-days.ts';
import type { LackingRange } from '../../pipeline/lacking-days.ts';

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

/**
 * The days that sources lack, kept in `history-fetch.json` of the data directory. The file is replaced
 * atomically after each change. Without it, or if it is damaged, sources are asked again.
 *
 * When two processes fetch at the same time, the file has the days of the one that wrote last.
 */
export function openLackingDays(
  directory: string,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): LackingDays {
  const path = join(directory, 'history-fetch.json');
  return new LackingDays(read(path), {
    clock,
    onChange: (changed) => {
      const unfinished = `${path}.${process.pid}.unfinished`;
      try {
        writeFileSync(unfinished, `${JSON.stringify(changed.map(toJson))}\n`, { mode: 0o600 });
        renameSync(unfinished, path);
      } catch (fault) {
        log.warn({ err: fault, path }, 'could not write history-fetch.json');
      }
    },
  });
}

function read(path: string): readonly LackingRange[] {
  try {
    const parsed = ranges.try(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.ok ? parsed.value : [];
  } catch {
    return [];
  }
}

function toJson({ from, to, ...rest }: LackingRange): object {
  return { ...rest, from: fromEpochDay(from), to: fromEpochDay(to) };
}
