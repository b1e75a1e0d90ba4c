import { setImmediate as nextTurn } from 'node:timers/promises';

import type { PushRefusalReport, PushReport, PushResult } from '../domain/push-report.ts';
import type { Update } from '../domain/update.ts';
import type { Outcome } from '../engine/engine.ts';
import type { StoreFault } from '../store/store-fault.ts';
import type { Intake } from './supervise-feeds.ts';

/** One thing that was pushed, as its reader understood it. */
export type PushedUpdate =
  | { readonly line: number; readonly update: Update }
  | { readonly line: number; readonly refused: string; readonly detail: string };

/** So many updates may wait to be handed over; then no more is read before they are. */
const waitingUpdatesMax = 5_000;

/** The most refusals that a report lists; the others are only counted. */
export const refusalsListedMax = 100;

/** The most characters of a refused ticker that a report repeats. */
const tickerCharsMax = 60;

/**
 * Takes the updates of one push as they are read. What has been read is handed over as soon as what
 * was handed over before is durable; meanwhile more is read, up to a limit, and then the body has to
 * wait. So a push of any length takes the memory of two batches and a chunk, and what a source sends
 * slowly is not kept until a batch is full.
 *
 * A body that fails and a store that faults are told in the result, beside what is durable even so.
 */
export async function pushUpdates(
  pushed: AsyncIterable<readonly PushedUpdate[]>,
  intake: Intake,
): Promise<PushResult> {
  const push = new Push(intake);
  try {
    for await (const some of pushed) {
      for (const one of some) push.read(one);
      await push.handOver({ isLast: false });
    }
  } catch (fault) {
    // What was read before the body failed counts.
    const [late] = await Promise.allSettled([push.handOver({ isLast: true })]);
    const stoppedBy: unknown = late.status === 'rejected' ? late.reason : fault;
    return { report: push.report(), stoppedBy };
  }
  try {
    await push.handOver({ isLast: true });
  } catch (stoppedBy) {
    return { report: push.report(), stoppedBy };
  }
  return { report: push.report() };
}

/** The result of a push that was not read, because nothing of it could be stored. */
export function notStored(stoppedBy: StoreFault): PushResult {
  return { report: new Push().report(), stoppedBy };
}

class Push {
  readonly #intake: Intake;
  #waiting: Update[] = [];
  #waitingLines: number[] = [];
  #underWay: Promise<void> | undefined;
  #hasFailed = false;
  #received = 0;
  #accepted = 0;
  #unchanged = 0;
  #earlierSession = 0;
  #offHours = 0;
  #refused = 0;
  readonly #refusals: PushRefusalReport[] = [];

  constructor(intake: Intake = { submit: () => Promise.resolve([]) }) {
    this.#intake = intake;
  }

  read(one: PushedUpdate): void {
    this.#received += 1;
    if ('update' in one) {
      this.#waiting.push(one.update);
      this.#waitingLines.push(one.line);
    } else {
      this.#refuse({ line: one.line, reason: one.refused, detail: one.detail });
    }
  }

  /**
   * Hands over what waits, unless a batch is under way and there is room for more to wait.
   *
   * @throws StoreFault when a batch could not be stored.
   */
  async handOver({ isLast }: { readonly isLast: boolean }): Promise<void> {
    if (isLast || this.#hasFailed || this.#waiting.length >= waitingUpdatesMax) {
      await this.#underWay;
    }
    if (this.#underWay !== undefined || this.#waiting.length === 0) return;
    this.#underWay = this.#submit();
    // It is awaited before the next one; until then nobody may be listening.
    this.#underWay.catch(() => {
      this.#hasFailed = true;
    });
    if (isLast) await this.#underWay;
  }

  async #submit(): Promise<void> {
    // A body that came in one piece is then read to its end, the last line without a line feed too,
    // and is one batch: a commit costs as much as some hundred updates.
    await nextTurn();
    const batch = this.#waiting;
    const lines = this.#waitingLines;
    this.#waiting = [];
    this.#waitingLines = [];
    const outcomes = await this.#intake.submit(batch);
    for (const [index, outcome] of outcomes.entries()) {
      this.#count(outcome, lines[index] ?? 0, batch[index]?.ticker ?? '');
    }
    this.#underWay = undefined;
  }

  #count(outcome: Outcome, line: number, ticker: string): void {
    if (outcome === 'accepted') this.#accepted += 1;
    else if (outcome === 'unchanged') this.#unchanged += 1;
    else if (outcome === 'earlier-session') this.#earlierSession += 1;
    else if (outcome === 'off-hours') this.#offHours += 1;
    else this.#refuse({ line, ticker: ticker.slice(0, tickerCharsMax), reason: outcome.refused });
  }

  #refuse(refusal: PushRefusalReport): void {
    this.#refused += 1;
    if (this.#refusals.length < refusalsListedMax) this.#refusals.push(refusal);
  }

  report(): PushReport {
    return {
      received: this.#received,
      accepted: this.#accepted,
      unchanged: this.#unchanged,
      earlierSession: this.#earlierSession,
      offHours: this.#offHours,
      refused: this.#refused,
      // Some are found while reading, some when their batch is durable.
      refusals: this.#refusals.toSorted((a, b) => a.line - b.line),
      refusalsOmitted: this.#refused - this.#refusals.length,
    };
  }
}
