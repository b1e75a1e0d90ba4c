import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { NotedUse } from '../../auth/key-uses.ts';
import { packQuote, type PackedQuote } from '../../bus/process/packed-quotes.ts';
import { QuoteSender } from '../../bus/process/quote-sender.ts';
import type { StreamCount } from '../../http/stream/stream-limits.ts';
import type { StopStep } from '../../http/carriers/stop/listener-stop.ts';
import { LineSplitter, type TextLine } from '../../lib/text/line-splitter.ts';
import { StoreFault, type StoreDamage } from '../../store/contract/store-fault.ts';
import type { ServedSite } from '../listeners/open-listeners.ts';
import type { FromWorker, MetricsJson, ShowMessage, ToWorker } from './messages.ts';
import type { StopMember } from './stop-meeting.ts';

const program = fileURLToPath(new URL('./worker-main.ts', import.meta.url));

/**
 * Maximum time for a worker to acknowledge a message, in milliseconds. Then the worker is killed,
 * because it serves outdated quotes. The first message usually takes half a second, others one
 * millisecond.
 */
const acknowledgeMsMax = 15_000;

/**
 * How often an empty message checks a worker, and tells it the age of its quotes, while nothing is
 * published, in milliseconds.
 */
const probeMs = 1_000;

/** Maximum wait for the metrics of a worker, in milliseconds. Then its last metrics are used. */
const metricsMsMax = 1_000;

/** Maximum time for a worker to end after the drain, in milliseconds. Then it is killed. */
const stopSlackMs = 5_000;

/** Maximum length of a line of a worker's log, in characters. */
const logLineCharsMax = 64 * 1024;

/** How a worker ended. */
export interface WorkerEnding {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * One worker process, as the primary sees it, from its start to its end.
 *
 * A {@link QuoteSender} sends the published quotes, so at most one message of quotes is under way, and
 * the size of the next one is bounded by the universe. A worker that does not acknowledge a message
 * within `acknowledgeMsMax` is killed. While nothing is published it gets an empty message periodically.
 */
export class WorkerProcess {
  /** Resolves when the worker has ended, for whatever reason. */
  readonly ended: Promise<WorkerEnding>;
  readonly #child: ChildProcess;
  readonly #noteUses: (uses: readonly NotedUse[]) => void;
  readonly #damage: StoreDamage;
  readonly #onStreams: (count: StreamCount) => void;
  readonly #member: StopMember;
  readonly #origins: () => readonly string[];
  #sender: QuoteSender | undefined;
  /** What is known about the store and the sources of the shown site. */
  #state: () => ServedState = () => ({});
  readonly #probe: NodeJS.Timeout;
  #deadline: NodeJS.Timeout | undefined;
  /** Number of messages that the worker has not acknowledged yet. */
  #unacknowledged = 0;
  #onShown: (() => void)[] = [];
  #metrics: MetricsJson = [];
  #onMetrics: (() => void)[] = [];

  constructor(parts: {
    readonly version: string;
    readonly instance: string;
    readonly processes: number;
    readonly port: number;
    readonly writeLine: (line: string) => void;
    readonly noteUses: (uses: readonly NotedUse[]) => void;
    readonly damage: StoreDamage;
    /** Receives the number of streams of a key in the worker, when it changes. */
    readonly onStreams: (count: StreamCount) => void;
    /** The worker in the meeting of the processes. */
    readonly member: StopMember;
    /** The ids of the services that this one follows. */
    readonly origins?: () => readonly string[];
  }) {
    const { version, instance, processes, port } = parts;
    this.#noteUses = parts.noteUses;
    this.#damage = parts.damage;
    this.#onStreams = parts.onStreams;
    this.#member = parts.member;
    this.#origins = parts.origins ?? (() => []);
    this.#child = fork(program, {
      serialization: 'advanced',
      // The worker logs through this process, so that only this process writes to the log's pipe. A
      // child that shared the pipe would switch it back to blocking mode.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#passLog(parts.writeLine);
    this.#child.on('message', (message: FromWorker) => this.#hear(message));
    this.#probe = setInterval(() => {
      if (this.#unacknowledged === 0) this.#sendQuotes([]);
    }, probeMs).unref();
    this.ended = this.#end();
    this.#send({ type: 'begin', version, instance, processes, port });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The last metrics that the worker sent. */
  get lastMetrics(): MetricsJson {
    return this.#metrics;
  }

  /** Makes the worker show a site and follow its market. Resolves when it does, or has ended. */
  async show({ site, settings }: ServedSite): Promise<void> {
    const { board, bus } = site.pipeline;
    const { instruments, markets, panels, derived, bondTerms } = board.universe;
    this.#sender?.[Symbol.dispose]();
    const shown = new Promise<void>((resolve) => void this.#onShown.push(resolve));
    const quotes = instruments.flatMap((one) => board.quote(one) ?? []).map(packQuote);
    // From here on no published quote is missed: it waits behind the current quotes.
    this.#sender = new QuoteSender(bus, (news) => this.#sendQuotes(news), { isUnderWay: true });
    this.#state = () => ({ ...stateOf(site), origins: this.#origins() });
    const universe = { instruments, markets, panels, derived, bondTerms };
    const { isSimulated } = site;
    const state = this.#state();
    this.#sendAcknowledged({ type: 'show', universe, settings, isSimulated, quotes, ...state });
    await Promise.race([shown, this.ended]);
  }

  /** Requests the metrics of the worker. Gives its last metrics if it does not respond in time. */
  async metrics(): Promise<MetricsJson> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onMetrics.push(resolve);
    const late = setTimeout(resolve, metricsMsMax);
    this.#send({ type: 'metrics' });
    await Promise.race([promise, this.ended]);
    clearTimeout(late);
    return this.#metrics;
  }

  /** Makes the worker refuse closes and bars, because the store is damaged. */
  noteDamage({ message: reason }: StoreFault): void {
    this.#send({ type: 'damaged', reason });
  }

  /** Tells the worker how many streams of a key the other processes have. */
  tellStreams(count: StreamCount): void {
    this.#send({ type: 'streams', count });
  }

  /** Stops the worker: it drains, and is killed if it does not end in time. */
  async stop(drainMs: number): Promise<void> {
    this.#sender?.[Symbol.dispose]();
    clearInterval(this.#probe);
    this.#send({ type: 'stop' });
    const tooLong = setTimeout(() => this.kill(), drainMs + stopSlackMs);
    await this.ended;
    clearTimeout(tooLong);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
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

  #hear(message: FromWorker): void {
    switch (message.type) {
      case 'taken':
        return this.#acknowledged();
      case 'metrics':
        this.#metrics = message.metrics;
        for (const resolve of this.#onMetrics.splice(0)) resolve();
        return undefined;
      case 'uses':
        return this.#noteUses(message.uses);
      case 'streams':
        return this.#onStreams(message.count);
      case 'damaged':
        return this.#damage.found(new StoreFault('corrupt', message.reason));
      case 'reached':
        return void this.#meet(message.step);
    }
  }

  async #meet(step: StopStep): Promise<void> {
    await this.#member.reach(step);
    this.#send({ type: 'proceed', step });
  }

  #acknowledged(): void {
    this.#unacknowledged -= 1;
    // The acknowledged message may belong to a site that a later message replaces.
    if (this.#unacknowledged > 0) return;
    clearTimeout(this.#deadline);
    for (const resolve of this.#onShown.splice(0)) resolve();
    this.#sender?.taken();
  }

  #sendQuotes(quotes: readonly PackedQuote[]): void {
    this.#sendAcknowledged({ type: 'quotes', quotes, ...this.#state() });
  }

  /** Sends a message that the worker must acknowledge in time. */
  #sendAcknowledged(message: ToWorker): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.kill(), acknowledgeMsMax).unref();
    this.#unacknowledged += 1;
    this.#send(message);
  }

  #send(message: ToWorker): void {
    // A worker that is ending does not receive the message. Its end is handled elsewhere.
    this.#child.send(message, () => undefined);
  }

  async #end(): Promise<WorkerEnding> {
    const { promise, resolve } = Promise.withResolvers<WorkerEnding>();
    // 'close' comes after the log has been read to its end.
    this.#child.on('close', (code, signal) => resolve({ code, signal }));
    this.#child.on('error', () => {
      // Without a process id the worker could not be started. Other errors end the process.
      if (this.#child.pid === undefined) resolve({ code: null, signal: null });
    });
    const ending = await promise;
    this.#member.leave();
    clearInterval(this.#probe);
    clearTimeout(this.#deadline);
    this.#sender?.[Symbol.dispose]();
    return ending;
  }
}

/** What a worker cannot find out by itself. */
type ServedState = Pick<ShowMessage, 'replication' | 'sources' | 'origins'>;

function stateOf({ dataAgeMs, isBehind, lineage, sources }: ServedSite['site']): ServedState {
  const outage = { sources: sources?.() };
  if (dataAgeMs === undefined) return outage;
  const replication = {
    dataAgeMs: dataAgeMs(),
    isBehind: isBehind?.() ?? false,
    lineage: lineage?.(),
  };
  return { ...outage, replication };
}
