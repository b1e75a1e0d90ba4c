import type { Ingest } from './ingest.ts';

/**
 * Where updates wait while what takes them is replaced. The updates under way are durable before the work
 * of the replacement begins, and those that come meanwhile are taken when it ends. None is refused or lost.
 */
export class Gate implements Pick<Ingest, 'submit'> {
  #ingest: Pick<Ingest, 'submit'> | undefined;
  #closed: Promise<void> | undefined;
  readonly #underWay = new Set<Promise<unknown>>();

  /** As {@link Ingest.submit}. While the gate is closed, the updates wait. */
  readonly submit: Ingest['submit'] = async (...batch) => {
    while (this.#closed !== undefined) await this.#closed;
    if (this.#ingest === undefined) throw new Error('the gate leads nowhere yet');
    const taken = this.#ingest.submit(...batch);
    this.#underWay.add(taken);
    try {
      return await taken;
    } finally {
      this.#underWay.delete(taken);
    }
  };

  /** Makes the gate lead to another ingest. */
  leadTo(ingest: Pick<Ingest, 'submit'>): void {
    this.#ingest = ingest;
  }

  /**
   * Closes the gate during some work, which begins when no update is under way. A caller must wait for the
   * promise before the next call.
   */
  async whileClosed(work: () => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = promise;
    try {
      await Promise.allSettled(this.#underWay);
      await work();
    } finally {
      this.#closed = undefined;
      resolve();
    }
  }

  /** Resolves when the gate is open. */
  async opened(): Promise<void> {
    await this.#closed;
  }
}
