import { setTimeout as sleep } from 'node:timers/promises';
import type { NotedUse } from '../../auth/key-uses.ts';
import { backoffMs } from '../../lib/backoff.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Listeners, Shown } from '../listeners/open-listeners.ts';
import type { MetricsJson } from './messages.ts';
import { WorkerProcess } from './worker-process.ts';

/** How the pauses grow when workers end soon after they began. */
const replacement = { firstMs: 500, maxMs: 30_000 };

/** Who has run for so long had nothing wrong from the start: its successor begins at once. */
const wellAfterMs = 10_000;

/** What workers are made of. */
export interface WorkersParts {
  /** Processes that share the port, this one among them. */
  readonly processes: number;
  readonly version: string;
  /** Of the service, shared by its processes. */
  readonly instance: string;
  readonly log: Log;
  /** Writes a line of a worker's log, which comes ready. */
  readonly writeLine: (line: string) => void;
  /** Told of each that ended by itself. */
  readonly onEnded: () => void;
  readonly noteUses: (uses: readonly NotedUse[]) => void;
}

/**
 * The worker processes: others that listen on the public port beside this one, the primary, and
 * follow its market. One that ends is replaced: at once if it had run for a while, else after pauses
 * that grow with each in a row. With one process in all there are none, and nothing here does anything.
 */
export class Workers {
  readonly #parts: WorkersParts;
  readonly #live = new Set<WorkerProcess>();
  readonly #stopping = new AbortController();
  #port = 0;
  #shown: Shown | undefined;
  #onGone: (last: MetricsJson) => void = () => undefined;

  constructor(parts: WorkersParts) {
    this.#parts = parts;
  }

  /**
   * Starts them, and makes them one with the listeners of this process: what is shown is shown by all,
   * and they drain together. Resolves when each shows what is shown first, or could not.
   */
  async join(listeners: Listeners, first: Shown): Promise<Listeners> {
    const { processes } = this.#parts;
    this.#port = listeners.port;
    this.#shown = first;
    const begun: Promise<void>[] = [];
    const kept = Array.from({ length: processes - 1 }, () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      begun.push(promise);
      return this.#keepOne(resolve);
    });
    await Promise.all(begun);
    return {
      origin: listeners.origin,
      port: listeners.port,
      show: async (shown) => {
        this.#shown = shown;
        const followers = [...this.#live].map((worker) => worker.show(shown));
        await Promise.all([listeners.show(shown), ...followers]);
      },
      [Symbol.asyncDispose]: async () => {
        this.#stopping.abort();
        await Promise.all([listeners[Symbol.asyncDispose](), ...kept]);
      },
    };
  }

  /** Told of the last metrics of each that has gone. */
  onGone(tell: (last: MetricsJson) => void): void {
    this.#onGone = tell;
  }

  /** The metrics of each that lives. */
  metrics(): Promise<readonly MetricsJson[]> {
    return Promise.all([...this.#live].map((worker) => worker.metrics()));
  }

  /** Keeps one running until all stop. */
  async #keepOne(onBegun: () => void): Promise<void> {
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      const begunAt = systemClock.monotonic();
      await this.#runOne(onBegun);
      if (signal.aborted) return;
      this.#parts.onEnded();
      failures = systemClock.monotonic() - begunAt > wellAfterMs ? 0 : failures + 1;
      if (failures === 0) continue;
      const pauseMs = backoffMs(failures, replacement, Math.random);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Runs one to its end. */
  async #runOne(onBegun: () => void): Promise<void> {
    const { log } = this.#parts;
    const { signal } = this.#stopping;
    const worker = new WorkerProcess({ ...this.#parts, port: this.#port });
    const { pid } = worker;
    this.#live.add(worker);
    const drainMs = this.#shown?.settings.drainMs ?? 0;
    const stop = (): void => void worker.stop(drainMs);
    signal.addEventListener('abort', stop);
    if (this.#shown !== undefined) await worker.show(this.#shown);
    onBegun();
    const ending = await worker.ended;
    signal.removeEventListener('abort', stop);
    this.#live.delete(worker);
    this.#onGone(worker.lastMetrics);
    if (!signal.aborted) log.error({ pid, ...ending }, 'a worker process ended; it is replaced');
  }
}
