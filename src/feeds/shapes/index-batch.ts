import {
  addDays,
  fromEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import type { DayValue } from '../../domain/indices/index-series.ts';
import { earliestIndexDate, isIndexValue, mayHaveValue } from '../../domain/indices/index-value.ts';
import { reject, type Rejected } from '../contract/feed.ts';
import type { IndexBatch } from '../contract/history-source.ts';

/** CER and UVA are published until the 15th of the next month. A later day is a mistake. */
const daysAheadMax = 62;

/** The values of an index by day. Two different values of one day are both rejected: nothing shows which one is right. */
export function indexBatch(
  index: IndexName,
  sent: readonly { readonly date: PlainDate; readonly value: number }[],
  today: PlainDate,
): IndexBatch {
  const latest = addDays(today, daysAheadMax);
  const byDay = new Map<EpochDay, number>();
  const contradicted = new Set<EpochDay>();
  const rejected: Rejected[] = [];
  for (const { date, value } of sent) {
    const row = { fecha: date, valor: value };
    const day = toEpochDay(date);
    if (date < earliestIndexDate || date > latest || !mayHaveValue(index, day)) {
      rejected.push({ ...reject('bad-instant', row), date });
    } else if (!isIndexValue(index, value)) rejected.push({ ...reject('no-price', row), date });
    else {
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
