import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { backoffMs } from '../../lib/time/backoff.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import { LineSplitter, type TextLine } from '../../lib/text/line-splitter.ts';
import type { MeetAt } from '../../http/carriers/stop/listener-stop.ts';
import { StoreFault, type StoreDamage } from '../../store/contract/store-fault.ts';
import type { Listeners, ServedMarket } from '../listeners/open-listeners.ts';
import {
  Channel,
  type MetricsJson,
  type PrimaryCalls,
  type WorkerCalls,
  type WorkerSources,
} from './channel.ts';
import { StreamCounts } from '../../http/stream/stream-limits.ts';
import { SummedStreams } from './summed-streams.ts';
import { StopMeeting, type StopMember } from './stop-meeting.ts';

const program = fileURLToPath(new URL('./worker.ts', import.meta.url));

/**
 * Maximum time for a worker to respond, in milliseconds. Then it is killed, because its clients wait. The first
 * market usually takes half a second, other calls one millisecond.
 */
const responseMsMax = 15_000;

/** How often each worker receives the state of the sources, and must respond, in milliseconds. */
const tellEveryMs = 1_000;

/** Maximum wait for the metrics of a worker, in milliseconds. Then its last metrics are used. */
const metricsMsMax = 1_000;

/** Maximum time for a worker to end after the drain, in milliseconds. Then it is killed. */
const stopSlackMs = 5_000;

/** Maximum length of a line of a worker's log, in characters. */
const logLineCharsMax = 64 * 1024;

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
  /** The damage that any process has found in the store. */
  readonly damage: StoreDamage;
  /** The ids of the services that this one follows. */
  readonly origins: () => readonly string[];
}

/**
 * The worker processes. They listen on the public port beside this process, the primary, and follow the store. A
 * worker that ends is replaced: at once if it had run for `wellAfterMs`, otherwise after a pause that grows with each
 * failure in a row. With a single process there are no workers.
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
  #shown: ServedMarket | undefined;
  #onGone: (last: MetricsJson) => void = () => undefined;

  constructor(parts: WorkersParts) {
    this.#parts = parts;
  }

  /**
   * Starts the workers, and combines them with the listeners of this process: all show the same market,
   * and drain together. Resolves when each worker shows the first one, or has failed to.
   */
  async join(listeners: Listeners, first: ServedMarket): Promise<Listeners> {
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
        const followers = [...this.#live].map((worker) => this.#show(worker, shown));
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
    const { log, damage, writeLine } = this.#parts;
    const { signal } = this.#stopping;
    const member = this.#meeting.join();
    const worker: WorkerProcess = new WorkerProcess({
      writeLine,
      member,
      calls: {
        reach: (step) => member.reach(step),
        streams: (count) => streams.report(count),
        damaged: (reason) => damage.found(new StoreFault('corrupt', reason)),
      },
      sources: () => this.#sources(),
    });
    const { pid, channel } = worker;
    using streams = this.#streams.join((count) => void channel.call('streams', count));
    this.#live.add(worker);
    const drainMs = this.#shown?.settings.drainMs ?? 0;
    const stop = (): void => void worker.stop(drainMs);
    signal.addEventListener('abort', stop);
    using _ = damage.onFound(({ message }) => void channel.call('damaged', message));
    if (this.#shown !== undefined) await this.#show(worker, this.#shown);
    onBegun();
    const ending = await worker.ended;
    signal.removeEventListener('abort', stop);
    this.#live.delete(worker);
    this.#onGone(worker.lastMetrics);
    if (!signal.aborted) log.error({ pid, ...ending }, 'worker process ended, replacing it');
  }

  /** Makes a worker show a market. Resolves when it does, or has ended. */
  async #show(worker: WorkerProcess, { market, settings }: ServedMarket): Promise<void> {
    const { version, instance, processes } = this.#parts;
    const { instruments, markets, panels, derived, bondTerms } = market.board.universe;
    await worker.within(
      responseMsMax,
      worker.channel.call('show', {
        version,
        instance,
        processes,
        port: this.#port,
        universe: { instruments, markets, panels, derived, bondTerms },
        settings,
        isSimulated: market.isSimulated,
        sources: this.#sources(),
      }),
    );
  }

  #sources(): WorkerSources {
    return { state: this.#shown?.market.sources(), origins: this.#parts.origins() };
  }
}

/** How a worker ended. */
interface WorkerEnding {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One worker process, as the primary sees it, from its start to its end. */
class WorkerProcess {
  readonly channel: Channel<WorkerCalls>;
  /** Resolves when the worker has ended, for whatever reason. */
  readonly ended: Promise<WorkerEnding>;
  readonly #child: ChildProcess;
  readonly #telling: NodeJS.Timeout;
  #isTold = true;
  #metrics: MetricsJson = [];

  constructor({
    writeLine,
    member,
    calls,
    sources,
  }: {
    readonly writeLine: (line: string) => void;
    /** The worker in the meeting of the processes. */
    readonly member: StopMember;
    readonly calls: PrimaryCalls;
    readonly sources: () => WorkerSources;
  }) {
    this.#child = fork(program, {
      serialization: 'advanced',
      // The worker logs through this process, so that only this process writes to the log's pipe. A
      // child that shared the pipe would switch it back to blocking mode.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#passLog(writeLine);
    // A call of this end does not fail.
    this.channel = new Channel<WorkerCalls>(this.#child, calls, () => undefined);
    this.ended = this.#end(member);
    this.#telling = setInterval(() => void this.#tell(sources()), tellEveryMs).unref();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The last metrics that the worker sent. */
  get lastMetrics(): MetricsJson {
    return this.#metrics;
  }

  /** Kills the worker if it does not respond in time. Resolves when it has responded or ended. */
  async within(ms: number, response: Promise<unknown>): Promise<void> {
    const tooLong = setTimeout(() => this.#child.kill('SIGKILL'), ms).unref();
    await Promise.race([response, this.ended]);
    clearTimeout(tooLong);
  }

  async #tell(sources: WorkerSources): Promise<void> {
    if (!this.#isTold) return;
    this.#isTold = false;
    await this.within(responseMsMax, this.channel.call('tell', sources));
    this.#isTold = true;
  }

  /** Requests the metrics of the worker. Gives its last metrics if it does not respond in time. */
  async metrics(): Promise<MetricsJson> {
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), metricsMsMax);
    const ended = this.ended.then(() => undefined);
    const metrics = await Promise.race([this.channel.call('metrics'), late, ended]);
    clearTimeout(timer);
    this.#metrics = metrics ?? this.#metrics;
    return this.#metrics;
  }

  /** Stops the worker: it drains, and is killed if it does not end in time. */
  async stop(drainMs: number): Promise<void> {
    clearInterval(this.#telling);
    void this.channel.call('stop');
    await this.within(drainMs + stopSlackMs, this.ended);
  }

  #passLog(writeLine: (line: string) => void): void {
    const { stderr } = this.#child;
    if (stderr === null) return;
    const splitter = new LineSplitter({ lineCharsMax: logLineCharsMax });
    const pass = (lines: readonly TextLine[]): void => {
      for (const line of lines) writeLine('text' in line ? line.text : '(log line too long)');
    };
    stderr.on('data', (chunk: Buffer) => pass(splitter.push(chunk)));
    stderr.on('end', () => pass(splitter.end()));
  }

  async #end(member: StopMember): Promise<WorkerEnding> {
    const { promise, resolve } = Promise.withResolvers<WorkerEnding>();
    // 'close' comes after the log has been read to its end.
    this.#child.on('close', (code, signal) => resolve({ code, signal }));
    this.#child.on('error', () => {
      // Without a process id the worker could not be started. Other errors end the process.
      if (this.#child.pid === undefined) resolve({ code: null, signal: null });
    });
    const ending = await promise;
    member.leave();
    clearInterval(this.#telling);
    return ending;
  }
}
