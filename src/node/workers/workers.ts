import type { NotedUse } from '../../auth/key-uses.ts';
import { backoffMs } from '../../lib/time/backoff.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import type { MeetAt } from '../../http/carriers/stop/listener-stop.ts';
import type { Listeners, ServedSite } from '../listeners/open-listeners.ts';
import type { MetricsJson } from './messages.ts';
import type { StoreDamage } from '../../store/contract/store-fault.ts';
import { StreamCounts } from '../../http/stream/stream-limits.ts';
import { SummedStreams } from './summed-streams.ts';
import { StopMeeting } from './stop-meeting.ts';
import { WorkerProcess } from './worker-process.ts';

/** Pauses before the replacement of workers that end soon after their start, in milliseconds. */
const replacement = { firstMs: 500, maxMs: 30_000 };

/** Run time after which an ended worker is replaced without a pause, in milliseconds. */
const wellAfterMs = 10_000;

/** The dependencies of the workers. */
export interface WorkersParts {
  /** Number of processes that share the port, this one included. */
  readonly processes: number;
  readonly version: string;
  /** The id of the instance, the same in all its processes. */
  readonly instance: string;
  readonly log: Log;
  /** Writes a formatted line of a worker's log. */
  readonly writeLine: (line: string) => void;
  /** Called for each worker that ended unexpectedly. */
  readonly onEnded: () => void;
  readonly noteUses: (uses: readonly NotedUse[]) => void;
  /** The damage that any process has found in the store. */
  readonly damage: StoreDamage;
  /** The ids of the services that this one follows. */
  readonly origins?: () => readonly string[];
}

/**
 * The worker processes. They listen on the public port beside this process, the primary, and follow its
 * market. A worker that ends is replaced: at once if it had run for `wellAfterMs`, otherwise after a
 * pause that grows with each failure in a row. With a single process there are no workers.
 */
export class Workers {
  readonly #parts: WorkersParts;
  readonly #live = new Set<WorkerProcess>();
  readonly #stopping = new AbortController();
  readonly #meeting = new StopMeeting();
  readonly #own = this.#meeting.join();
  readonly #streams = new SummedStreams();
  readonly #ownStreams = this.#streams.join((count) => this.streamCounts.setElsewhere(count));
  #port = 0;
  #shown: ServedSite | undefined;
  #onGone: (last: MetricsJson) => void = () => undefined;

  constructor(parts: WorkersParts) {
    this.#parts = parts;
  }

  /**
   * Starts the workers, and combines them with the listeners of this process: all show the same site,
   * and drain together. Resolves when each worker shows the first site, or has failed to.
   */
  async join(listeners: Listeners, first: ServedSite): Promise<Listeners> {
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

  /** The streams of each key, in this process and in the workers. */
  readonly streamCounts = new StreamCounts((count) => this.#ownStreams.report(count));

  /** Waits for the workers in a stop, on behalf of the listeners of this process. */
  readonly meetAt: MeetAt = (step) => this.#own.reach(step);

  /** Sets the receiver of the last metrics of each worker that has ended. */
  onGone(receive: (last: MetricsJson) => void): void {
    this.#onGone = receive;
  }

  /** The metrics of each running worker. */
  metrics(): Promise<readonly MetricsJson[]> {
    return Promise.all([...this.#live].map((worker) => worker.metrics()));
  }

  /** Keeps one worker running until the service stops. */
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
      await pauseInRealTime(pauseMs, signal).catch(() => undefined);
    }
  }

  /** Runs one worker until it ends. */
  async #runOne(onBegun: () => void): Promise<void> {
    const { log } = this.#parts;
    const { signal } = this.#stopping;
    const worker = new WorkerProcess({
      ...this.#parts,
      port: this.#port,
      member: this.#meeting.join(),
      onStreams: (count) => streams.report(count),
    });
    using streams = this.#streams.join((count) => worker.tellStreams(count));
    const { pid } = worker;
    this.#live.add(worker);
    const drainMs = this.#shown?.settings.drainMs ?? 0;
    const stop = (): void => void worker.stop(drainMs);
    signal.addEventListener('abort', stop);
    using _ = this.#parts.damage.onFound((fault) => worker.noteDamage(fault));
    if (this.#shown !== undefined) await worker.show(this.#shown);
    onBegun();
    const ending = await worker.ended;
    signal.removeEventListener('abort', stop);
    this.#live.delete(worker);
    this.#onGone(worker.lastMetrics);
    if (!signal.aborted) log.error({ pid, ...ending }, 'worker process ended, replacing it');
  }
}
