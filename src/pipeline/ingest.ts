import type { Update } from '../domain/update.ts';
import type { Engine, Outcome } from '../engine/engine.ts';
import type { Clock } from '../lib/clock.ts';
import type { Persist } from './persist.ts';

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
    /** Told of every batch, for the metrics. */
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
   * @throws StoreFault when it could not be stored. It was not lost: sending it again is right, and
   *   does no harm.
   */
  async submit(updates: readonly Update[]): Promise<readonly Outcome[]> {
    const { outcomes, ...turn } = this.#engine.apply(updates, this.#clock.now());
    this.#onOutcomes(updates, outcomes);
    await this.#persist.submit(turn);
    return outcomes;
  }
}
