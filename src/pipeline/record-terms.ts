import { isDeepStrictEqual } from 'node:util';

import { issueTermsOf } from '../domain/instruments/terms-values.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { Universe } from '../domain/instruments/universe.ts';
import type { Log } from '../lib/reports/log.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { Pause } from '../lib/time/pause.ts';
import type { Store } from '../store/contract/store.ts';
import { keepFilling, type Filling } from './keep-filling.ts';

/** The record begins this long after the market was opened, in milliseconds, so that it delays no start. */
const startPauseMs = 500;

/** The pause after a record that failed, in milliseconds. */
const retryMs = 60_000;

/** What a record has changed. */
interface TermsRecord {
  /** Whether the store had never recorded terms. Then nothing has changed: nobody knows what they were. */
  readonly isFirst: boolean;
  /** The issues by their tickers. */
  readonly added: readonly Ticker[];
  readonly changed: readonly Ticker[];
  readonly removed: readonly Ticker[];
}

interface RecordDependencies {
  readonly store: Pick<Store, 'terms'>;
  readonly universe: Universe;
  readonly clock: Clock;
}

/**
 * Records the terms of the bonds of a universe once, shortly after the market was opened with it. It retries until it
 * succeeds. Disposing ends it.
 */
export function recordTerms(
  dependencies: RecordDependencies & { readonly pause: Pause; readonly log: Log },
): AsyncDisposable {
  const { clock, log } = dependencies;
  const filling: Filling = {
    startPauseMs,
    jitterMsMax: { start: 0, later: 0 },
    async fill() {
      report(await recordOnce(dependencies), log);
      return true;
    },
    nextAt: (isDone) => (isDone ? Infinity : clock.monotonic() + retryMs),
    onFault: 'could not record the terms of bonds, retrying',
  };
  // The pauses are real ones, also while a recording is replayed.
  const realTime = { now: () => clock.monotonic() };
  return keepFilling(filling, { ...dependencies, clock: realTime, random: () => 0 });
}

/**
 * Compares the terms of a universe with those that the store has, and records what differs. Without a difference,
 * nothing is written.
 *
 * @throws StoreFault
 */
export async function recordOnce({
  store,
  universe,
  clock,
}: RecordDependencies): Promise<TermsRecord> {
  const { revision, values } = await store.terms.readAll();
  const isFirst = revision === 0;
  const stored = new Map(values.map((one) => [one.ticker, one]));
  const loaded = universe.bondTerms.map(issueTermsOf);
  const put = loaded.filter((one) => !isDeepStrictEqual(one, stored.get(one.ticker)));
  const kept = new Set(loaded.map(({ ticker }) => ticker));
  const remove = [...stored.values()].filter(({ ticker }) => !kept.has(ticker));
  if (isFirst || put.length + remove.length > 0) {
    const origin = isFirst ? 'unknown' : 'universe';
    await store.terms.apply({ put, remove }, { at: clock.now(), origin });
  }
  const tickers = put.map(({ ticker }) => ticker);
  return {
    isFirst,
    added: tickers.filter((ticker) => !stored.has(ticker)),
    changed: tickers.filter((ticker) => stored.has(ticker)),
    removed: remove.map(({ ticker }) => ticker),
  };
}

function report({ isFirst, added, changed, removed }: TermsRecord, log: Log): void {
  if (isFirst) return log.info({ issues: added.length }, 'terms of bonds recorded');
  if (added.length + changed.length + removed.length === 0) return;
  log.info({ added, changed, removed }, 'terms of bonds have changed');
}
