import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { indexNames, type IndexName } from '../../domain/indices/index-name.ts';
import { copyPauses } from '../../feeds/contract/history-source.ts';
import type { Log } from '../../lib/reports/log.ts';
import { fetchIndices, type IndexFetch, type IndexFetchDependencies } from './fetch-indices.ts';

/** The first run begins this long after the start, in milliseconds. Until then the feeds connect. */
const startPauseMs = 15_000;

/** The jitter of the first run, in milliseconds. */
const startJitterMsMax = 30_000;

/**
 * The pause between two runs, in milliseconds. The source publishes each index once a day, at hours that
 * differ, and CER and UVA once a month.
 */
const refreshMs = 3 * 60 * 60_000;

/** The pause after a run in which an index failed, in milliseconds. */
const retryMs = 60 * 60_000;

/** Each run is delayed at random by up to this time, in milliseconds. */
const jitterMsMax = 15 * 60_000;

/** The maximum length of one pause, in milliseconds. Then the clock is read again, as it may be set. */
const pauseMsMax = 10 * 60_000;

/** Maximum number of values that a line of the log names. */
const namedMax = 5;

/**
 * Keeps the indices up to date: shortly after the start, and every three hours from then on; those of another Pizarra
 * every 40 s, because they may be corrected at any time. A run requests the
 * last month of each index, and what is missing of the last 400 days, as {@link fetchIndices} does. Disposing
 * ends a run under way.
 */
export function fillIndices(
  dependencies: Omit<IndexFetchDependencies, 'signal' | 'onProgress'> & { readonly log: Log },
): AsyncDisposable {
  const stopping = new AbortController();
  const running =
    dependencies.sources.length === 0
      ? Promise.resolve()
      : keepFilling({ ...dependencies, signal: stopping.signal });
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}

type FillDependencies = IndexFetchDependencies & { readonly log: Log };

async function keepFilling(dependencies: FillDependencies): Promise<void> {
  const { clock, random, signal } = dependencies;
  const copied = copiedIndices(dependencies);
  let dueAt = clock.now() + startPauseMs + random() * startJitterMsMax;
  let copiesDueAt = Number.POSITIVE_INFINITY;
  try {
    while (!signal.aborted) {
      await until(Math.min(dueAt, copiesDueAt), dependencies);
      let isDone: boolean;
      if (clock.now() >= dueAt) {
        isDone = await fill(dependencies);
        dueAt = clock.now() + (isDone ? refreshMs : retryMs) + random() * jitterMsMax;
      } else isDone = await followCopies(copied, dependencies);
      if (copied.size === 0) continue;
      copiesDueAt = clock.now() + (isDone ? copyPauses.everyMs : copyPauses.afterFaultMs);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function until(
  instant: number,
  { clock, pause, signal }: Pick<FillDependencies, 'clock' | 'pause' | 'signal'>,
): Promise<void> {
  for (let leftMs = instant - clock.now(); leftMs > 0; leftMs = instant - clock.now()) {
    await pause(Math.min(leftMs, pauseMsMax), signal);
  }
}

/** The indices whose first source is another Pizarra. */
function copiedIndices({ sources }: Pick<FillDependencies, 'sources'>): ReadonlySet<IndexName> {
  const firstOf = (index: IndexName) => sources.find(({ indices }) => indices.includes(index));
  return new Set(indexNames.filter((index) => firstOf(index)?.isCopy === true));
}

/** Reads what other services of this kind store. Only what has changed is logged. */
async function followCopies(
  indices: ReadonlySet<IndexName>,
  dependencies: FillDependencies,
): Promise<boolean> {
  const sources = dependencies.sources.filter(({ isCopy }) => isCopy === true);
  try {
    const fetched = await fetchIndices({ from: 'missing', indices }, { ...dependencies, sources });
    const served = fetched.indices.filter(({ failed }) => failed === undefined);
    for (const one of served) report(one, dependencies.log);
    return served.length === fetched.indices.length;
  } catch (fault) {
    const { log, signal } = dependencies;
    if (!signal.aborted) log.debug({ err: fault }, 'could not follow the indices of a source');
    return false;
  }
}

/** Returns whether every index was served. */
async function fill(dependencies: FillDependencies): Promise<boolean> {
  const { log, signal } = dependencies;
  try {
    const { indices } = await fetchIndices({ from: 'missing' }, dependencies);
    for (const one of indices) report(one, log);
    return indices.every(({ failed }) => failed === undefined);
  } catch (fault) {
    if (!signal.aborted) log.error({ err: fault }, 'could not fill the indices, retrying');
    return false;
  }
}

function report(one: IndexFetch, log: Log): void {
  const { index, source, added, replaced, doubtful, rejected, missing, failed } = one;
  if (failed !== undefined) {
    log.warn({ index, source, reason: failed }, 'index not refreshed, retrying');
    return;
  }
  if (doubtful.length > 0) {
    const samples = doubtful
      .slice(0, namedMax)
      .map(({ day, value }) => ({ day: fromEpochDay(day), value }));
    log.warn(
      { index, source, count: doubtful.length, samples },
      'values of an index contradict the stored ones, not stored',
    );
  }
  const { length: replacedCount } = replaced;
  if (added + replacedCount === 0) return;
  const details = { index, source, added, replaced: replacedCount, rejected: rejected.length };
  log.info({ ...details, missing }, 'index refreshed');
}
