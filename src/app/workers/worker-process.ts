import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { NotedUse } from '../../auth/key-uses.ts';
import { packQuote } from '../../bus/process/packed-quotes.ts';
import { QuoteSender } from '../../bus/process/quote-sender.ts';
import { LineSplitter } from '../../lib/line-splitter.ts';
import type { Line } from '../../lib/line-splitter.ts';
import type { Shown } from '../listeners/open-listeners.ts';
import type { FromWorker, MetricsJson, ToWorker } from './messages.ts';

const program = fileURLToPath(new URL('./worker-main.ts', import.meta.url));

/**
 * How long a worker may take to show what it was sent. One that takes longer shows something old to
 * its clients, and is put to an end: half a second is usual for the first, a millisecond for the rest.
 */
const silenceMsMax = 15_000;

/** How often a worker is asked whether it still takes anything, while nothing is published. */
const probeMs = 5_000;

/** How long an answer about metrics is waited for; past it, the last one stands. */
const metricsMsMax = 1_000;

/** How long a worker has for ending, beyond the time for draining. */
const stopSlackMs = 5_000;

/** Maximum length of a line of its log, in characters. */
const logLineCharsMax = 64 * 1024;

/** How a worker ended. */
export interface WorkerEnding {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * The primary's end of one worker process, from its start to its end.
 *
 * What the market shows reaches it through a {@link QuoteSender}, so at most one message of quotes is
 * under way and what waits is bounded by the universe. A worker that does not take its message within
 * `silenceMsMax` is killed; while the market is quiet it gets an empty one now and then.
 */
export class WorkerProcess {
  /** Resolves when it has ended, however that came. */
  readonly ended: Promise<WorkerEnding>;
  readonly #child: ChildProcess;
  readonly #noteUses: (uses: readonly NotedUse[]) => void;
  #sender: QuoteSender | undefined;
  readonly #probe: NodeJS.Timeout;
  #silence: NodeJS.Timeout | undefined;
  /** Messages that it has not taken yet. */
  #untaken = 0;
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
  }) {
    const { version, instance, processes, port } = parts;
    this.#noteUses = parts.noteUses;
    this.#child = fork(program, {
      serialization: 'advanced',
      // Its log goes through the one of this process, which alone meets a reader that does not read. A
      // child that shared a pipe would also put it back into blocking mode.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#passLog(parts.writeLine);
    this.#child.on('message', (message: FromWorker) => this.#hear(message));
    this.#probe = setInterval(() => {
      if (this.#untaken === 0) this.#tell({ type: 'quotes', quotes: [] });
    }, probeMs).unref();
    this.ended = this.#end();
    this.#send({ type: 'begin', version, instance, processes, port });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** What it last told of its metrics. */
  get lastMetrics(): MetricsJson {
    return this.#metrics;
  }

  /**
   * Has it show a site from now on, and follow its market. Resolves when it does, or has ended.
   */
  async show({ site, settings }: Shown): Promise<void> {
    const { board, bus } = site.market;
    const { instruments, markets, panels, derived } = board.universe;
    this.#sender?.[Symbol.dispose]();
    const shown = new Promise<void>((resolve) => void this.#onShown.push(resolve));
    const quotes = instruments.flatMap((one) => board.quote(one) ?? []).map(packQuote);
    // From here on nothing that is published is missed: it waits behind the current quotes.
    this.#sender = new QuoteSender(bus, (news) => this.#tell({ type: 'quotes', quotes: news }), {
      isUnderWay: true,
    });
    const universe = { instruments, markets, panels, derived };
    const { isSimulated } = site;
    this.#tell({ type: 'show', universe, settings, isSimulated, quotes });
    await Promise.race([shown, this.ended]);
  }

  /** Asks it for its metrics, for a while; gives what it last told when it does not answer. */
  async metrics(): Promise<MetricsJson> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onMetrics.push(resolve);
    const late = setTimeout(resolve, metricsMsMax);
    this.#send({ type: 'metrics' });
    await Promise.race([promise, this.ended]);
    clearTimeout(late);
    return this.#metrics;
  }

  /** Lets it drain for so long and end; one that does not is killed. */
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
    const pass = (lines: readonly Line[]): void => {
      for (const line of lines) writeLine('text' in line ? line.text : '(a log line was too long)');
    };
    stderr.on('data', (chunk: Buffer) => pass(splitter.push(chunk)));
    stderr.on('end', () => pass(splitter.end()));
  }

  #hear(message: FromWorker): void {
    switch (message.type) {
      case 'taken':
        return this.#taken();
      case 'metrics':
        this.#metrics = message.metrics;
        for (const resolve of this.#onMetrics.splice(0)) resolve();
        return undefined;
      case 'uses':
        return this.#noteUses(message.uses);
    }
  }

  #taken(): void {
    this.#untaken -= 1;
    // What it has taken may be of a site that it is about to show no longer.
    if (this.#untaken > 0) return;
    clearTimeout(this.#silence);
    for (const resolve of this.#onShown.splice(0)) resolve();
    this.#sender?.taken();
  }

  /** Tells it something that it has to take in time. */
  #tell(message: ToWorker): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.kill(), silenceMsMax).unref();
    this.#untaken += 1;
    this.#send(message);
  }

  #send(message: ToWorker): void {
    // One that is just ending hears nothing; its end is what is acted on.
    this.#child.send(message, () => undefined);
  }

  async #end(): Promise<WorkerEnding> {
    const { promise, resolve } = Promise.withResolvers<WorkerEnding>();
    // When its log has been read to the end.
    this.#child.on('close', (code, signal) => resolve({ code, signal }));
    this.#child.on('error', () => {
      // It could not even be started. Whatever else goes wrong with one shows in its end.
      if (this.#child.pid === undefined) resolve({ code: null, signal: null });
    });
    const ending = await promise;
    clearInterval(this.#probe);
    clearTimeout(this.#silence);
    this.#sender?.[Symbol.dispose]();
    return ending;
  }
}
