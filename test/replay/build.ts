import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { once, processMsMax, within } from '../support/wait.ts';

/** The time of both builds. */
export class CommonClock implements Disposable {
  readonly path: string;
  readonly #file: number;
  #now = 0;

  constructor(path: string, now: number) {
    this.path = path;
    this.#file = openSync(path, 'w');
    this.set(now);
  }

  get now(): number {
    return this.#now;
  }

  set(now: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(BigInt(now));
    writeSync(this.#file, bytes, 0, 8, 0);
    this.#now = now;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}

/** What a command printed. */
export interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One build of the program, with a data directory of its own. */
export class Build {
  readonly #project: string;
  readonly #folder: string;
  readonly #clock: CommonClock;

  /**
   * @param project is the checkout.
   * @param folder is the working directory of the commands. The names of the folders of two builds have one length.
   */
  constructor(project: string, folder: string, clock: CommonClock) {
    this.#project = project;
    this.#folder = folder;
    this.#clock = clock;
  }

  start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    return spawn(process.execPath, [`${this.#project}/bin/pizarra.js`, ...args], {
      cwd: this.#folder,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: this.#folder,
        COLUMNS: '100',
        REPLAY_CLOCK: this.#clock.path,
        NODE_OPTIONS: `--import=${import.meta.dirname}/common-clock.ts`,
        ...env,
      },
    });
  }

  /** Runs a command to its end. The paths of the build are left out of what it prints. */
  async run(args: readonly string[]): Promise<Printed> {
    const child = this.start(args);
    child.stdin.end();
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close', { withinMs: processMsMax }) as Promise<[number | null]>,
    ]);
    return { code, stdout: this.withoutPaths(stdout), stderr: this.withoutPaths(stderr) };
  }

  async mustRun(args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    if (code !== 0) throw new Error(`${this.#project}: ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout.trim();
  }

  /** Paths differ in their length, so a table that contains one has other widths: runs of spaces count as one. */
  withoutPaths(printed: string): string {
    return printed
      .replaceAll(this.#project, '<project>')
      .replaceAll(this.#folder, '<folder>')
      .replaceAll(this.#folder.replace(/^\/private/, ''), '<folder>');
  }

  /** Starts the service, and waits until it serves. */
  async serve(): Promise<Service> {
    const flags = ['--port=0', '--private-port=0', '--log-format=json', '--demonstration=off'];
    const more = ['--drain-idle-ms=0', '--failures-per-address=unlimited', '--url-keys=on'];
    const child = this.start(['serve', ...flags, ...more]);
    const lines: string[] = [];
    const ready = new Promise<{ readonly url: string; readonly privateUrl: string }>(
      (resolve, reject) => {
        createInterface({ input: child.stderr }).on('line', (line) => {
          lines.push(line);
          if (line.includes('"msg":"service ready"')) resolve(JSON.parse(line) as never);
        });
        child.on('close', () => reject(new Error(`the service ended: ${lines.join('\n')}`)));
      },
    );
    child.stdout.resume();
    const { url, privateUrl } = await within('the service serves', ready);
    return new Service(child, url, privateUrl);
  }
}

/** A running service. */
export class Service implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly url: string;
  readonly privateUrl: string;

  constructor(child: ChildProcess, url: string, privateUrl: string) {
    this.#child = child;
    this.url = url;
    this.privateUrl = privateUrl;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    this.#child.kill();
    await once(this.#child, 'close');
  }
}
