import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { project } from './blocks.ts';
import { launcher } from '../support/program/launcher.ts';
import { once, processMsMax, until, within } from '../support/wait.ts';

/** The fields of `serve.json` that the test uses. */
interface ServiceRecord {
  readonly pid: number;
  readonly url: string;
  readonly privateUrl: string;
}

/** Maximum run time of a started program, in seconds. It applies even if the test is killed. */
const lifeSeconds = 3_600;

const { NODE_COMPILE_CACHE: cache } = process.env;

/** The compiled modules of the tests, so that no command compiles the program again. */
const compileCache = cache === undefined ? {} : { NODE_COMPILE_CACHE: cache };

/** A service that a document starts. */
export interface Service {
  readonly url: string;
  /** The key that its first start printed. */
  firstKey(): string;
  /** Waits for output. Fails when the service ends before. */
  shows(what: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Stops the service, and returns its exit code. */
  stop(): Promise<number | null>;
}

/**
 * Follows a document in a clone of the project, with `pizarra` on the PATH. There is one shell, so its
 * variables are preserved from block to block. Fixed ports and system folders of the documents, which a
 * test cannot use, are replaced.
 */
export class Reader implements AsyncDisposable {
  readonly clone: string;
  readonly data: string;
  readonly #scratch: string;
  readonly #services: (() => Promise<void>)[] = [];
  /** Texts of a document, with their replacements in commands. */
  readonly #replacements = new Map<string, string>();
  #shell = 0;

  constructor(scratch: string) {
    this.#scratch = scratch;
    this.data = join(scratch, 'data');
    this.clone = join(scratch, 'clone');
    mkdirSync(this.clone);
    for (const name of readdirSync(project)) {
      if (name !== '.git') symlinkSync(join(project, name), join(this.clone, name));
    }
    mkdirSync(join(scratch, 'bin'));
    symlinkSync(join(project, 'bin/pizarra'), join(scratch, 'bin/pizarra'));
    // Without a terminal, curl would print its progress.
    writeFileSync(join(scratch, '.curlrc'), 'silent\nshow-error\n');
    this.#replacements.set('/backups', join(scratch, 'backups'));
  }

  /** Starts another document in a new shell. Those after the first one use the program of the tests. */
  beginDocument(): void {
    this.#shell += 1;
    if (this.#shell !== 2 || process.env['TEST_PROGRAM'] === undefined) return;
    const command = join(this.#scratch, 'bin/pizarra');
    rmSync(command);
    const node = join(project, 'bin/node');
    this.#command('pizarra', `exec '${node}' '${launcher}' "$@"`);
  }

  /** Puts a shell script on the PATH. */
  #command(name: string, script: string): void {
    writeFileSync(join(this.#scratch, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /**
   * Runs commands to their end, or until `isEnough` accepts their output.
   *
   * @throws with the whole output when a command fails.
   */
  async run(script: string, isEnough?: (output: string) => boolean): Promise<string> {
    const child = this.#spawn(script);
    let output = '';
    let wasEnough = false;
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (wasEnough || isEnough?.(output) !== true) return;
      wasEnough = true;
      process.kill(-(child.pid ?? assert.fail()), 'SIGTERM');
    });
    const [code] = (await once(child, 'close')) as [number | null];
    if (!wasEnough) assert.equal(code, 0, `${script}\nended with ${code}:\n${output}`);
    // npm takes three quarters of the time of a command. It has now found the one of the clone.
    if (/^npx pizarra /m.test(script)) this.#command('npx', 'exec "$@"');
    return output;
  }

  /**
   * Starts a service with the command of a document, on free ports, and waits until it serves. The requests
   * of the documents go to it until it stops. Each further service has its own data directory.
   */
  async serve(command: string): Promise<Service> {
    const isFirst = this.#services.length === 0;
    const data = isFirst ? this.data : join(this.#scratch, `data-${this.#services.length}`);
    const settings = [
      `PIZARRA_STORE=${data} PIZARRA_PORT=0 PIZARRA_PRIVATE_PORT=0 PIZARRA_LOG_FORMAT=json`,
      `PIZARRA_DEMONSTRATION=${isFirst ? 'auto' : 'off'}`,
    ];
    const before = [...this.#replacements];
    const child = this.#spawn(`${settings.join(' ')}\nexec ${command}`);
    const closed = once(child, 'close', { withinMs: processMsMax }) as Promise<[number | null]>;
    let output = '';
    let hasEnded = false;
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    void closed.then(() => (hasEnded = true));

    const shows = async (what: string): Promise<void> => {
      await until(`${command} shows ${what}`, () => {
        if (output.includes(what)) return true;
        assert.ok(!hasEnded, `${command} ended before it showed ${what}:\n${output}`);
        return false;
      });
    };
    const signal = (name: NodeJS.Signals): void => void process.kill(recordIn(data).pid, name);
    const stop = async (): Promise<number | null> => {
      if (!hasEnded) signal('SIGTERM');
      const [code] = await within('the service exits', closed);
      for (const [shown, real] of before) this.#replacements.set(shown, real);
      return code;
    };
    // Until the service serves, only its process group is known.
    const end = async (): Promise<void> => {
      if (!hasEnded) process.kill(-(child.pid ?? assert.fail()), 'SIGTERM');
      await closed;
    };
    this.#services.push(end);
    await shows('"msg":"service ready"');
    const { url, privateUrl } = recordIn(data);
    this.#replacements.set('127.0.0.1:8080', new URL(url).host);
    this.#replacements.set('127.0.0.1:8081', new URL(privateUrl).host);
    const firstKey = (): string => /pz_[0-9A-Za-z]{36}/.exec(output)?.[0] ?? assert.fail('no key');
    return { url, firstKey, shows, signal, stop };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#services) await end();
  }

  #spawn(script: string) {
    let replaced = script;
    for (const [shown, real] of this.#replacements) replaced = replaced.replaceAll(shown, real);
    const variables = join(this.#scratch, `variables-${this.#shell}`);
    const shell = `exec 2>&1; set -a; [ ! -e ${variables} ] || . ${variables}
      trap 'export -p >${variables}' EXIT; set -e\n${replaced}`;
    return spawn('timeout', [String(lifeSeconds), 'sh', '-c', shell], {
      stdio: ['ignore', 'pipe', 'ignore'],
      cwd: this.clone,
      // A separate process group, so that a pipeline or npm ends together with its child processes.
      detached: true,
      env: {
        PATH: `${join(this.#scratch, 'bin')}:${process.env['PATH']}`,
        // Do not use this user's settings of npm and curl.
        HOME: this.#scratch,
        npm_config_update_notifier: 'false',
        ...compileCache,
        PIZARRA_STORE: this.data,
      },
    });
  }
}

/** The record of the service that runs on a data directory. */
function recordIn(data: string): ServiceRecord {
  return JSON.parse(readFileSync(join(data, 'serve.json'), 'utf8')) as ServiceRecord;
}
