import { setImmediate as nextTurn } from 'node:timers/promises';

import type { TickerBar } from '../../domain/quotes/minute-bar.ts';
import type { Update } from '../../domain/quotes/update.ts';
import type { ReportSource } from '../../engine/doubted-updates.ts';
import type { Engine, Outcome } from '../../engine/engine.ts';
import { noChanges } from '../../engine/change-set.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Persist } from './persist.ts';

/** Maximum number of updates that are folded without yielding to the event loop: about 0.5 ms. */
const updatesPerTurnMax = 200;

/** Accepts the batches of all feeds, and passes them to the engine and to persist. */
export class Ingest {
  readonly #engine: Engine;
  readonly #persist: Pick<Persist, 'submit'>;
  readonly #clock: Clock;
  readonly #onOutcomes: (updates: readonly Update[], outcomes: readonly Outcome[]) => void;

  constructor(deps: {
    readonly engine: Engine;
    readonly persist: Pick<Persist, 'submit'>;
    readonly clock: Clock;
    /** Called with all updates and their outcomes, by batch or part of a batch. For metrics. */
    readonly onOutcomes?: (updates: readonly Update[], outcomes: readonly Outcome[]) => void;
  }) {
    this.#engine = deps.engine;
    this.#persist = deps.persist;
    this.#clock = deps.clock;
    this.#onOutcomes = deps.onOutcomes ?? (() => undefined);
  }

  /**
   * Folds a batch. Resolves with the outcome of each update when all accepted updates are durable and
   * published. An update that changes nothing waits too, because the update that it repeats may not
   * be durable yet.
   *
   * A large batch is folded in parts, so that requests are answered between them, and its parts are
   * committed together unless a commit is under way. Parts of batches that are submitted at the same
   * time may alternate. The order within a batch is preserved.
   *
   * @param source the source of the updates. The quotes that they change carry it.
   * @param bars the bars of a followed service, adopted after the updates.
   * @param isContinued whether the source submits further updates of the same batch next. What is derived from
   *   several instruments is computed at its end ({@link Engine.apply}).
   * @throws StoreFault when the batch could not be stored. The caller may submit the same batch again.
   *   Updates that were applied already are then unchanged.
   */
  async submit(
    updates: readonly Update[],
    source?: ReportSource,
    bars: readonly TickerBar[] = [],
    { isContinued = false }: { readonly isContinued?: boolean } = {},
  ): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    let durable = Promise.resolve();
    const end = Math.max(updates.length, 1);
    try {
      for (let from = 0; from < end; from += updatesPerTurnMax) {
        if (from > 0) await nextTurn();
        const part = updates.slice(from, from + updatesPerTurnMax);
        const isLast = from + updatesPerTurnMax >= end;
        const applied = this.#engine.apply(part, this.#clock.now(), source, {
          bars: isLast ? bars : [],
          isContinued: isContinued || !isLast,
        });
        const { outcomes: ofPart, ...changes } = applied;
        // Submit before calling the observer: if it throws, the engine's changes still become durable.
        durable = this.#persist.submit(changes, { isContinued: !isLast });
        // Of several parts, the last one is awaited.
        durable.catch(() => undefined);
        if (part.length > 0) this.#onOutcomes(part, ofPart);
        outcomes.push(...ofPart);
      }
    } catch (fault) {
      // What was folded before becomes durable nevertheless: an empty change set ends the batch.
      this.#persist.submit(noChanges).catch(() => undefined);
      throw fault;
    }
    await durable;
    return outcomes;
  }
}
