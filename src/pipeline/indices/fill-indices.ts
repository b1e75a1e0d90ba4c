import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Log } from '../../lib/reports/log.ts';
import { fetchIndices } from './fetch-indices.ts';
import type { IndexFetch, IndexFetchDependencies } from './fetch-indices.ts';

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
 * Keeps the indices up to date: shortly after the start, and every three hours from then on. A run requests the
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
  let dueAt = clock.now() + startPauseMs + random() * startJitterMsMax;
  try {
    while (!signal.aborted) {
      await until(dueAt, dependencies);
      const isDone = await fill(dependencies);
      dueAt = clock.now() + (isDone ? refreshMs : retryMs) + random() * jitterMsMax;
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
