import { execFile, spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const readyPollMs = 5;
const readyWaitMs = 60_000;
const stopWaitMs = 15_000;

/** The core of the measured program, and the core of the programs that generate load. */
export const cores = { server: 0, load: 1 } as const;

/** How to start a program. */
export interface Launch {
  readonly core: number;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The signal for a clean stop. */
  readonly stopSignal?: NodeJS.Signals;
}

/** The programs that run. A bench that fails leaves none of them behind. */
const running = new Set<ChildProcessByStdio<null, Readable, Readable>>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A program that runs on one core. Disposing it stops it, and kills it if it does not end. */
export class PinnedProcess implements AsyncDisposable {
  readonly pid: number;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #closed: Promise<unknown>;
  readonly #stopSignal: NodeJS.Signals;
  #output = '';

  constructor({ core, command, args, env, stopSignal = 'SIGTERM' }: Launch) {
    // taskset becomes the program, so the process id is the program's own.
    this.#child = spawn('taskset', ['-c', String(core), command, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], ...env },
    });
    this.#child.stdout.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    this.#child.stderr.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    running.add(this.#child);
    this.#child.once('close', () => running.delete(this.#child));
    this.#closed = once(this.#child, 'close');
    this.#stopSignal = stopSignal;
    if (this.#child.pid === undefined) throw new Error(`${command} cannot be started`);
    this.pid = this.#child.pid;
  }

  /** The output so far, of both streams. */
  get output(): string {
    return this.#output;
  }

  /** Waits until the output matches a pattern. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.#output);
      if (match !== null) return match;
      await Promise.race([
        once(this.#child.stdout, 'data'),
        once(this.#child.stderr, 'data'),
        this.#failOnEnd(),
      ]);
    }
  }

  /** Waits until a local port accepts connections. */
  async listens(port: number): Promise<void> {
    const ready = async (): Promise<void> => {
      for (let waited = 0; waited < readyWaitMs; waited += readyPollMs) {
        if (await accepts(port)) return;
        await delay(readyPollMs);
      }
      throw new Error(`nothing listens on ${port}: ${this.#output}`);
    };
    await Promise.race([ready(), this.#failOnEnd()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill(this.#stopSignal);
    const insist = setTimeout(() => this.#child.kill('SIGKILL'), stopWaitMs);
    await this.#closed;
    clearTimeout(insist);
  }

  async #failOnEnd(): Promise<never> {
    await this.#closed;
    throw new Error(`ended early: ${this.#output}`);
  }
}

/** The path of a program; undefined when it is not installed. */
export async function whichProgram(name: string): Promise<string | undefined> {
  const path = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/bin`;
  try {
    return (await run('which', [name], { env: { PATH: path } })).stdout.trim();
  } catch {
    return undefined;
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
