import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  emptyReport,
  zeroCounts,
  type PushCounts,
  type PushRefusalReport,
  type PushReport,
  type PushResult,
} from '../../domain/quotes/push-report.ts';
import type { Update } from '../../domain/quotes/update.ts';
import type { Pushed } from '../../feeds/shapes/map-update.ts';
import type { StoreFault } from '../../store/contract/store-fault.ts';
import type { IntakeOutcome } from './feed-state.ts';
import type { Intake } from './supervise-feeds.ts';

/** Maximum number of updates that are read but not submitted. Reading pauses at this number. */
const waitingUpdatesMax = 5_000;

/** Maximum number of refusals that a report lists. Further refusals are only counted. */
export const refusalsListedMax = 100;

/** Maximum length of a refused ticker in a report, in characters. Longer tickers are truncated. */
const tickerCharsMax = 60;

/**
 * Submits the updates of one push while its body is read. The updates read so far are submitted as
 * soon as the previous batch is durable. Meanwhile reading continues up to a limit, and then pauses. So
 * a push of any length uses the memory of two batches and a chunk. Updates that arrive slowly are
 * submitted without waiting for a full batch. A body that has arrived as a whole is one batch.
 *
 * When the body or the store fails, the result contains the fault, and the report of the updates that
 * are durable nevertheless.
 */
export async function pushUpdates(
  pushed: readonly Pushed[] | AsyncIterable<readonly Pushed[]>,
  intake: Intake,
): Promise<PushResult> {
  const push = new Push(intake);
  if (!(Symbol.asyncIterator in pushed)) {
    for (const one of pushed) push.read(one);
    return push.finish();
  }
  try {
    for await (const some of pushed) {
      for (const one of some) push.read(one);
      await push.handOver({ isLast: false });
    }
  } catch (fault) {
    // The updates that were read before the body failed are submitted too.
    const [late] = await Promise.allSettled([push.handOver({ isLast: true })]);
    const stoppedBy: unknown = late.status === 'rejected' ? late.reason : fault;
    return { report: push.report(), stoppedBy };
  }
  return push.finish();
}

/** The result of a push whose body was not read, because the store could not be written. */
export function notStored(stoppedBy: StoreFault): PushResult {
  return { report: emptyReport, stoppedBy };
}

class Push {
  readonly #intake: Intake;
  #waiting: { readonly line: number; readonly update: Update }[] = [];
  #underWay: Promise<void> | undefined;
  #hasFailed = false;
  readonly #counts: { -readonly [Name in keyof PushCounts]: number } = { ...zeroCounts };
  readonly #refusals: PushRefusalReport[] = [];

  constructor(intake: Intake) {
    this.#intake = intake;
  }

  read(one: Pushed): void {
    this.#counts.received += 1;
    if ('update' in one) {
      this.#waiting.push(one);
    } else {
      this.#refuse({ line: one.line, reason: one.refused, detail: one.detail });
    }
  }

  /**
   * Submits the waiting updates. When a batch is under way, it returns without waiting for it as long
   * as there is room for further updates.
   *
   * @throws StoreFault when a batch could not be stored.
   */
  async handOver({ isLast }: { readonly isLast: boolean }): Promise<void> {
    if (isLast || this.#hasFailed || this.#waiting.length >= waitingUpdatesMax) {
      await this.#underWay;
    }
    if (this.#underWay !== undefined || this.#waiting.length === 0) return;
    this.#underWay = this.#submit({ isLast });
    // The promise is awaited before the next batch. Until then its rejection must be handled here.
    this.#underWay.catch(() => {
      this.#hasFailed = true;
    });
    if (isLast) await this.#underWay;
  }

  /** Submits the last updates, and gives the result of a body that was read to its end. */
  async finish(): Promise<PushResult> {
    try {
      await this.handOver({ isLast: true });
    } catch (stoppedBy) {
      return { report: this.report(), stoppedBy };
    }
    return { report: this.report() };
  }

  async #submit({ isLast }: { readonly isLast: boolean }): Promise<void> {
    // Wait until a body that arrived in one chunk is read to its end, so that it is one batch. A
    // commit costs as much as several hundred updates.
    if (!isLast) await nextTurn();
    const batch = this.#waiting;
    this.#waiting = [];
    const updates = batch.map(({ update }) => update);
    const outcomes = await this.#intake.submit(updates, [], { isContinued: !isLast });
    for (const [index, { line, update }] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome !== undefined) this.#count(outcome, line, update.ticker);
    }
    // The rest of the body is not here yet: what is derived from this batch does not wait for it.
    if (!isLast && this.#waiting.length === 0) await this.#intake.submit([]);
    this.#underWay = undefined;
  }

  #count(outcome: IntakeOutcome, line: number, ticker: string): void {
    const counts = this.#counts;
    if (typeof outcome === 'string') {
      counts[countedAs[outcome]] += 1;
      return;
    }
    const shown = { line, ticker: ticker.slice(0, tickerCharsMax) };
    const { refused, part } = outcome;
    if (part === undefined) {
      this.#refuse({ ...shown, reason: refused });
      return;
    }
    counts.accepted += 1;
    counts[part === 'book' ? 'booksRefused' : 'rangesRefused'] += 1;
    this.#list({ ...shown, reason: `${part}-${refused}` });
  }

  #refuse(refusal: PushRefusalReport): void {
    this.#counts.refused += 1;
    this.#list(refusal);
  }

  #list(refusal: PushRefusalReport): void {
    if (this.#refusals.length < refusalsListedMax) this.#refusals.push(refusal);
  }

  report(): PushReport {
    const { refused, booksRefused, rangesRefused } = this.#counts;
    return {
      ...this.#counts,
      // Some refusals are found while reading, others when their batch is durable.
      refusals: this.#refusals.toSorted((a, b) => a.line - b.line),
      refusalsOmitted: refused + booksRefused + rangesRefused - this.#refusals.length,
    };
  }
}

/** The counts of a report by the outcomes of updates. */
const countedAs = {
  accepted: 'accepted',
  unchanged: 'unchanged',
  'earlier-session': 'earlierSession',
  'off-hours': 'offHours',
  'no-price-yet': 'noPriceYet',
  held: 'held',
  'repeated-session': 'repeatedSession',
  superseded: 'superseded',
} as const satisfies Readonly<Record<Extract<IntakeOutcome, string>, keyof PushCounts>>;
