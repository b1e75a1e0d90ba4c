import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Update } from '../domain/update.ts';
import type { Engine, Outcome } from '../engine/engine.ts';
import type { Clock } from '../lib/clock.ts';
import type { Persist } from './persist.ts';

/** So many updates are folded before others get a turn of the event loop: about 2 ms. */
const updatesPerTurnMax = 1_000;

/** The way in for updates: every feed hands its batches to one of these. */
export class Ingest {
  readonly #engine: Engine;
  readonly #persist: Persist;
  readonly #clock: Clock;
  readonly #onOutcomes: (updates: readonly Update[], outcomes: readonly Outcome[]) => void;

  constructor(deps: {
    readonly engine: Engine;
    readonly persist: Persist;
    readonly clock: Clock;
    /** Told of all updates, batch by batch or in parts of one, for the metrics. */
    readonly onOutcomes?: (updates: readonly Update[], outcomes: readonly Outcome[]) => void;
  }) {
    this.#engine = deps.engine;
    this.#persist = deps.persist;
    this.#clock = deps.clock;
    this.#onOutcomes = deps.onOutcomes ?? (() => undefined);
  }

  /**
   * Folds a batch, and gives what became of each update when all that was accepted is durable and
   * shown. An update that says nothing new waits too: what it repeats may not be durable yet.
   *
   * A batch of any size holds nobody up: it is folded in parts. Batches that are submitted at the
   * same time may take turns, each in its own order.
   *
   * @throws StoreFault when it could not be stored. It was not lost: sending it again is right, and
   *   does no harm.
   */
  async submit(updates: readonly Update[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    let durable = Promise.resolve();
    for (let from = 0; from < updates.length; from += updatesPerTurnMax) {
      if (from > 0) await nextTurn();
      const part = updates.slice(from, from + updatesPerTurnMax);
      const { outcomes: ofPart, ...turn } = this.#engine.apply(part, this.#clock.now());
      // Handed on before anybody else is told: what the engine holds must become durable.
      durable = this.#persist.submit(turn);
      this.#onOutcomes(part, ofPart);
      outcomes.push(...ofPart);
    }
    await durable;
    return outcomes;
  }
}
