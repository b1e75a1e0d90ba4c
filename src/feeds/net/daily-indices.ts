import {
  addDays,
  fromEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
  utcDayOf,
} from '../../domain/calendar/plain-date.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import type { DayValue } from '../../domain/indices/index-series.ts';
import { earliestIndexDate, isIndexValue, mayHaveValue } from '../../domain/indices/index-value.ts';
import type { FeedConfig, FeedDeps } from '../contract/feed-type.ts';
import { reject, type Rejected } from '../contract/feed.ts';
import type { IndexBatch, IndexRequest, IndexSource } from '../contract/history-source.ts';
import { createJsonReader } from './fetch-limited.ts';

/** A request for the values of an index, with what a source needs to send it. */
interface ValuesRequest extends IndexRequest {
  /** The date in UTC. In Buenos Aires it may still be the day before, which makes no difference here. */
  readonly today: PlainDate;
  readonly signal: AbortSignal;
  /** Requests a URL and parses its JSON. @throws FeedFault as {@link IndexSource.fetch} does. */
  readonly read: (url: URL) => Promise<unknown>;
}

/** The value of a day, as a source sent it. It is not checked yet. */
export interface SentValue {
  readonly date: PlainDate;
  readonly value: number;
}

/** How a source declares its indices: their names, and how to request the values of one over HTTP. */
interface IndexDeclaration<Config> extends Pick<IndexSource, 'indices' | 'spacingMs'> {
  /** Requests the values of an index. They may be in any order, and of days outside the requested range. */
  readonly values: (
    request: ValuesRequest,
    config: Config,
    deps: FeedDeps,
  ) => Promise<{ readonly values: readonly SentValue[]; readonly rejected: readonly Rejected[] }>;
}

/** The indices of a source that sends their values as JSON. */
export function dailyIndices<Config extends FeedConfig>({
  values: valuesOf,
  ...declared
}: IndexDeclaration<Config>): (config: Config, deps: FeedDeps) => IndexSource {
  return (config, deps) => {
    const { clock, fetchLimits: limits, network } = deps;
    const readWith = createJsonReader({ clock, limits, network });
    return {
      name: config.name,
      ...declared,
      async fetch(request, signal) {
        const today = fromEpochDay(utcDayOf(clock.now()));
        const read = (url: URL): Promise<unknown> => readWith({ url }, signal);
        const sent = await valuesOf({ ...request, today, signal, read }, config, deps);
        const batch = indexBatch(request.index, sent.values, today);
        return { values: batch.values, rejected: [...sent.rejected, ...batch.rejected] };
      },
    };
  };
}

/** CER and UVA are published up to the 15th of the next month. A value of a later day is a mistake of the source. */
const daysAheadMax = 62;

/** The values of an index by day. Two different values of one day are both rejected: nothing shows which one is right. */
function indexBatch(index: IndexName, sent: readonly SentValue[], today: PlainDate): IndexBatch {
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
