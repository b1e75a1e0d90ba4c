import {
  addDays,
  fromEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import { indexDefinitions, indexNames } from '../../domain/indices/index-name.ts';
import type { DayValue } from '../../domain/indices/index-series.ts';
import { isIndexValue } from '../../domain/indices/index-value.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import type { RejectedBar } from '../contract/history-source.ts';
import type { IndexBatch, IndexSource } from '../contract/index-source.ts';
import { reject } from '../contract/sample.ts';
import { createFetch } from '../net/fetch-limited.ts';
import { readJson } from '../net/read-body.ts';
import { monetary } from './bcra-mapper.ts';
import { bcraSpacingMs, readAllPages } from './bcra-pages.ts';

/** CER and UVA are published until the 15th of the next month. A later day is a mistake. */
const daysAheadMax = 62;

/** No index begins earlier. A day before it is a placeholder. */
const earliestDate = '1980-01-01' as PlainDate;

/** The indices of the central bank, each since it begins, with the days to come that are published. */
export function createBcraIndices(
  { name, url: base }: { readonly name: string; readonly url: string },
  {
    clock,
    fetchLimits,
    network,
    pause,
  }: Pick<FeedDeps, 'clock' | 'fetchLimits' | 'network' | 'pause'>,
): IndexSource {
  const fetch = createFetch({ clock, limits: fetchLimits, network });
  return {
    name,
    indices: indexNames,
    spacingMs: bcraSpacingMs,
    async fetch({ index, from, to }, signal) {
      // The day of Buenos Aires is at most a day before that of UTC, where it matters little.
      const today = new Date(clock.now()).toISOString().slice(0, 10) as PlainDate;
      const read = async (url: URL): Promise<unknown> => {
        const fetched = await fetch({ url }, signal);
        return fetched.isUnchanged ? undefined : readJson(fetched);
      };
      const { values, rejected } = await readAllPages(
        monetary(indexDefinitions[index].bcraVariable),
        {
          base,
          from,
          // The source refuses a date to come, but without a date it gives the days to come.
          to: to !== undefined && to < today ? to : undefined,
          pause,
          signal,
          read,
        },
      );
      const latest = addDays(today, daysAheadMax);
      const batch = valuesOf(values, { earliest: earliestDate, latest });
      return { values: batch.values, rejected: [...rejected, ...batch.rejected] };
    },
  };
}

/** The values by day. Two different values of one day are both rejected: nothing shows which one is right. */
function valuesOf(
  sent: readonly { readonly date: PlainDate; readonly value: number }[],
  { earliest, latest }: { readonly earliest: PlainDate; readonly latest: PlainDate },
): IndexBatch {
  const byDay = new Map<EpochDay, number>();
  const contradicted = new Set<EpochDay>();
  const rejected: RejectedBar[] = [];
  for (const { date, value } of sent) {
    const row = { fecha: date, valor: value };
    if (date < earliest || date > latest) rejected.push({ ...reject('bad-instant', row), date });
    else if (!isIndexValue(value)) rejected.push({ ...reject('no-price', row), date });
    else {
      const day = toEpochDay(date);
      const known = byDay.get(day) ?? value;
      byDay.set(day, value);
      if (known !== value) contradicted.add(day);
    }
  }
  for (const day of contradicted) {
    const date = fromEpochDay(day);
    rejected.push({ ...reject('repeated', `several values of ${date}`), date });
  }
  const values = [...byDay].flatMap(([day, value]): readonly DayValue[] =>
    contradicted.has(day) ? [] : [{ day, value }],
  );
  return { values: values.toSorted((a, b) => a.day - b.day), rejected };
}
