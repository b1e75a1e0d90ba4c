import type { Ticker } from '../../domain/instruments/ticker.ts';
import { FetchedActions } from './fetched-actions.ts';
import { FetchedDays, type MissingCloses } from './fetched-days.ts';
import type { HistoryFetchDependencies, HistoryFetchRequest } from './fetch-request.ts';
import { SourceRun, type SharedFetch, type SourceFetch } from './source-fetch.ts';
import type { ContinuePoint } from './source-requests.ts';

/** The result of a fetch. */
export interface HistoryFetchSummary {
  readonly sources: readonly SourceFetch[];
  readonly missing: readonly MissingCloses[];
  /** Instruments that were requested by name and that no source has. */
  readonly notOffered: readonly Ticker[];
  readonly wasAborted: boolean;
  /** Where the next run begins, for the sources that were left early. */
  readonly continueAt: ReadonlyMap<string, ContinuePoint>;
}

/**
 * Fills the history of instruments from sources. A source is asked for the session days that have no
 * stored close, and for those whose close was fetched from a later source, such as while it could not
 * be reached. `decideFetched` in `domain/history/offered-close.ts` decides about each close that it sends: the
 * preferred source has priority over later ones, and a session of the service or an import over all.
 * The judge of prices decides whether a close is believed. One that is not is rejected.
 *
 * A corporate action of a source is added unless it is recorded already ({@link FetchedActions}).
 *
 * Each instrument is one transaction. After an end at any point, the next fetch continues: it requests
 * only what is still missing, except days that the source lacks ({@link LackingDays}).
 *
 * One request runs at a time. An aborted fetch ends early, with the summary so far.
 *
 * @throws StoreFault when the store fails. Closes stored before are kept.
 */
export async function fetchHistory(
  request: HistoryFetchRequest,
  dependencies: HistoryFetchDependencies,
): Promise<HistoryFetchSummary> {
  const { sources, signal } = dependencies;
  const days = new FetchedDays(request, dependencies);
  const shared: SharedFetch = {
    days,
    actions: new FetchedActions(dependencies),
    doubted: new Map(),
    waiting: new Map(),
    continueAt: new Map(),
  };
  const results: SourceFetch[] = [];
  for (const source of sources) {
    if (signal.aborted) break;
    results.push(await new SourceRun(source, request, shared, dependencies).run());
  }
  const offered = new Set(sources.flatMap(({ instruments }) => instruments));
  const asked = [...(request.tickers ?? offered)];
  const missing: MissingCloses[] = [];
  for (const ticker of asked.filter((one) => offered.has(one))) {
    const found = await days.missingOf(ticker);
    if (found !== undefined) missing.push(found);
  }
  return {
    sources: results,
    missing,
    notOffered: asked.filter((one) => !offered.has(one)),
    wasAborted: signal.aborted,
    continueAt: shared.continueAt,
  };
}
