import {
  fromEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
  utcDayOf,
} from '../../domain/calendar/plain-date.ts';
import type { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import { missingDays } from '../../domain/indices/check-index.ts';
import { indexNames, type IndexName } from '../../domain/indices/index-name.ts';
import { IndexSeries, type DayValue } from '../../domain/indices/index-series.ts';
import type { EndedVersion } from '../../domain/changes/version.ts';
import { earliestIndexDate, type IndexValue } from '../../domain/indices/index-value.ts';
import { doubtfulDays } from '../../domain/indices/judge-index.ts';
import { FeedFault, type Rejected } from '../../feeds/contract/feed.ts';
import type { IndexSource } from '../../feeds/contract/history-source.ts';
import type { IndexStore } from '../../store/contract/versioned-stores.ts';
import { SourceRequests, type RequestDependencies, type RequestPause } from '../source-requests.ts';

/** Values of the last days are requested again, because the source may have corrected them. */
const correctedDays = 31;

/** Gaps are filled this far back, in days. Older ones were requested before, and the source lacks them. */
const filledDays = 400;

/** Which values are requested. */
export interface IndexFetchRequest {
  /** Undefined: all. */
  readonly indices?: ReadonlySet<IndexName> | undefined;
  /**
   * The first day. `missing`: the first of the last 400 days that has no value and should have one, and the last
   * month, which the source may have corrected; or the whole series where nothing is stored.
   */
  readonly from: PlainDate | 'missing' | 'all';
  /** Undefined: up to the last day that is published. */
  readonly to?: PlainDate | undefined;
  /** Stores also the values that contradict the stored ones. */
  readonly acceptsDoubtful?: boolean;
}

/** What a fetch of indices depends on. */
export interface IndexFetchDependencies extends RequestDependencies {
  /** In the order of the configuration. An index is read from the first source that serves it. */
  readonly sources: readonly IndexSource[];
  readonly store: Pick<IndexStore, 'readAll' | 'apply'>;
  /** The business days of the publisher: some indices have no value on other days. */
  readonly calendar: SessionCalendar | undefined;
  readonly onProgress?: ((progress: IndexFetchProgress) => void) | undefined;
}

/** The progress, reported before each request and before each pause after a fault. */
export interface IndexFetchProgress {
  readonly source: string;
  readonly index: IndexName;
  readonly waiting?: RequestPause | undefined;
}

/** What a fetch of one index gave. */
export interface IndexFetch {
  readonly index: IndexName;
  readonly source: string;
  readonly added: number;
  /** The stored values that were replaced, which are kept. */
  readonly replaced: readonly EndedVersion<IndexValue>[];
  /** Values that contradict the stored ones. They are not stored unless that was asked for. */
  readonly doubtful: readonly DayValue[];
  /** Rows that are no values. */
  readonly rejected: readonly Rejected[];
  /** The number of days between the first and the last value that should have one and have none. */
  readonly missing: number;
  /** Why no source served the index. Nothing was stored then. */
  readonly failed?: string;
}

/** The result of a fetch. */
export interface IndexFetchSummary {
  readonly indices: readonly IndexFetch[];
  /** Whether it ended before its last index, because it was aborted. */
  readonly wasAborted: boolean;
}

/**
 * Fetches values of indices into a store, one index after the other, each in one transaction. A value that
 * contradicts the stored ones is not stored. A source that fails for one index is not asked for the others if
 * it is to be left alone.
 *
 * @throws StoreFault
 */
export async function fetchIndices(
  request: IndexFetchRequest,
  dependencies: IndexFetchDependencies,
): Promise<IndexFetchSummary> {
  const { sources, signal } = dependencies;
  const wanted = indexNames.filter((index) => request.indices?.has(index) ?? true);
  const asked = sources.map((source) => ({
    source,
    requests: new SourceRequests(source, dependencies),
  }));
  const fetched: IndexFetch[] = [];
  for (const index of wanted) {
    const own = asked.filter(({ source }) => source.indices.includes(index));
    try {
      signal.throwIfAborted();
      if (own.length > 0) fetched.push(await fetchIndex(index, request, dependencies, own));
    } catch (fault) {
      if (!signal.aborted) throw fault;
      return { indices: fetched, wasAborted: true };
    }
  }
  return { indices: fetched, wasAborted: false };
}

const noDays: ReadonlySet<EpochDay> = new Set();

async function fetchIndex(
  index: IndexName,
  request: IndexFetchRequest,
  dependencies: IndexFetchDependencies,
  asked: readonly { readonly source: IndexSource; readonly requests: SourceRequests }[],
): Promise<IndexFetch> {
  const { store, clock, calendar, onProgress } = dependencies;
  const { revision, values: stored } = await store.readAll();
  const before = new IndexSeries(revision, stored);
  const from = firstOf(request, before.all(index), index, dependencies);
  const failures: string[] = [];
  const none = { added: 0, replaced: [], doubtful: [], rejected: [] };
  for (const { source, requests } of asked) {
    const batch =
      requests.stopped ??
      (await requests.send(
        (signal) => source.fetch({ index, from, to: request.to }, signal),
        (waiting) => onProgress?.({ source: source.name, index, waiting }),
      ));
    if (typeof batch === 'string' || batch instanceof FeedFault) {
      const why = typeof batch === 'string' ? batch : (requests.stopped ?? batch.message);
      failures.push(`${source.name}: ${why}`);
      continue;
    }
    const offered = within(batch.values, from, request.to);
    const doubted =
      source.isCopy === true ? noDays : doubtfulDays(index, before.all(index), offered);
    const accepted = offered.filter(
      ({ day }) => request.acceptsDoubtful === true || !doubted.has(day),
    );
    const put = accepted.map((value) => ({ index, ...value, source: source.name }));
    const changed = await store.apply({ put }, { at: clock.now(), origin: 'fetch' });
    const replaced = changed.flatMap(({ before: was }) => was ?? []);
    const after = new IndexSeries(revision, [...stored.filter(isNot(index, put)), ...put]);
    return {
      index,
      source: source.name,
      added: changed.length - replaced.length,
      replaced,
      doubtful: offered.filter(({ day }) => doubted.has(day)),
      rejected: batch.rejected,
      missing: missingDays(index, after.all(index), calendar).length,
    };
  }
  const missing = missingDays(index, before.all(index), calendar).length;
  const names = asked.map(({ source }) => source.name).join(', ');
  return { index, source: names, ...none, missing, failed: failures.join('; ') };
}

/** The first day to request. */
function firstOf(
  { from }: IndexFetchRequest,
  stored: readonly DayValue[],
  index: IndexName,
  { clock, calendar }: Pick<IndexFetchDependencies, 'clock' | 'calendar'>,
): PlainDate {
  if (from !== 'missing' && from !== 'all') return from;
  const last = stored.at(-1)?.day;
  if (from === 'all' || last === undefined) return earliestIndexDate;
  const today = utcDayOf(clock.now());
  const oldest = today - filledDays;
  const gap = missingDays(index, stored, calendar).find((day) => day >= oldest) ?? last;
  const corrected = Math.min(last, today) - correctedDays;
  return fromEpochDay(Math.min(gap, corrected) as EpochDay);
}

function within(
  values: readonly DayValue[],
  from: PlainDate,
  to: PlainDate | undefined,
): readonly DayValue[] {
  const first = toEpochDay(from);
  const last = to === undefined ? Infinity : toEpochDay(to);
  return values.filter(({ day }) => day >= first && day <= last);
}

/** Whether a stored value is none of an index and of these days. */
function isNot(
  index: IndexName,
  values: readonly DayValue[],
): (stored: DayValue & { readonly index: IndexName }) => boolean {
  const days = new Set<number>(values.map(({ day }) => day));
  return (stored) => stored.index !== index || !days.has(stored.day);
}
