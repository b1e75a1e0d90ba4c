import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { indexNames, type IndexName } from '../../domain/indices/index-name.ts';
import type { Log } from '../../lib/reports/log.ts';
import { keepFilling, type Filling } from '../keep-filling.ts';
import { fetchIndices, type IndexFetch, type IndexFetchDependencies } from './fetch-indices.ts';

/**
 * The pause between two runs, in milliseconds. The source publishes each index once a day, at hours that
 * differ, and CER and UVA once a month.
 */
const refreshMs = 3 * 60 * 60_000;

/** The pause after a run in which an index failed, in milliseconds. */
const retryMs = 60 * 60_000;

/** Maximum number of values that a line of the log names. */
const namedMax = 5;

/**
 * Keeps the indices up to date: shortly after the start, and every three hours from then on; those of another Pizarra
 * every 40 s, because they may be corrected at any time. A run requests the
 * last month of each index, and what is missing of the last 400 days, as {@link fetchIndices} does. Disposing
 * ends a run under way.
 */
export function fillIndices(dependencies: FillDependencies): AsyncDisposable {
  return keepFilling(fillingOf(dependencies), dependencies);
}

type FillDependencies = Omit<IndexFetchDependencies, 'signal' | 'onProgress'> & {
  readonly log: Log;
};

/** Undefined without a source. */
function fillingOf(dependencies: FillDependencies): Filling | undefined {
  const { clock, sources, log } = dependencies;
  if (sources.length === 0) return undefined;
  const copied = copiedIndices(dependencies);
  const copies = sources.filter(({ isCopy }) => isCopy === true);
  return {
    startPauseMs: 15_000,
    jitterMsMax: { start: 30_000, later: 15 * 60_000 },
    async fill(signal) {
      const { indices } = await fetchIndices({ from: 'missing' }, { ...dependencies, signal });
      for (const one of indices) report(one, log);
      return indices.every(({ failed }) => failed === undefined);
    },
    nextAt: (isDone) => clock.now() + (isDone ? refreshMs : retryMs),
    ...(copied.size > 0 && {
      // Only what has changed is logged.
      async followCopies(signal) {
        const request = { from: 'missing', indices: copied } as const;
        const parts = { ...dependencies, sources: copies, signal };
        const { indices } = await fetchIndices(request, parts);
        const served = indices.filter(({ failed }) => failed === undefined);
        for (const one of served) report(one, log);
        return served.length === indices.length;
      },
    }),
    onFault: 'could not fill the indices, retrying',
  };
}

/** The indices whose first source is another Pizarra. */
function copiedIndices({ sources }: Pick<FillDependencies, 'sources'>): ReadonlySet<IndexName> {
  const firstOf = (index: IndexName) => sources.find(({ indices }) => indices.includes(index));
  return new Set(indexNames.filter((index) => firstOf(index)?.isCopy === true));
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
