import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { attempt, run, type Ended } from './commands.ts';

/** The user, the folder and the environment variables of a program. */
export interface Circumstances {
  readonly user?: string;
  readonly group?: string;
  readonly umask?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The command that runs a shell script in a file system, under the given circumstances. */
function inside(root: string, script: string, circumstances: Circumstances): readonly string[] {
  const { user = 'root', group = user, umask = '022', cwd = '/', env = {} } = circumstances;
  const variables = Object.entries({ PATH: path, HOME: '/root', ...env });
  const identity = ['--reuid', user, '--regid', group, '--init-groups', '--no-new-privs'];
  const shell = ['sh', '-c', `umask ${umask} && cd ${cwd} && ${script}`];
  const clean = [
    'chroot',
    root,
    'env',
    '-i',
    ...variables.map(([name, value]) => `${name}=${value}`),
  ];
  return [...clean, ...(user === 'root' ? [] : ['setpriv', ...identity]), ...shell];
}

/** Runs a script in a file system, with the network of this machine. Its child processes end with it. */
export function inRoot(root: string, script: string, circumstances: Circumstances = {}): Ended {
  const mount = 'mount -t proc proc "$0/proc" && exec "$@"';
  const own = ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', mount, root];
  return attempt([...own, ...inside(root, script, circumstances)]);
}

/** A program that runs on a machine. */
export interface Running {
  readonly child: ChildProcess;
  /** Waits for a line of output that contains a text. Returns the output so far. */
  lineWith(text: string): Promise<string>;
  /** Stops the program, and returns its exit code and its output. */
  stop(): Promise<{ readonly code: number | null; readonly output: string }>;
}

/**
 * A running system with its own file system, its own loopback network, where every port is free, and its own
 * processes. Disposing it ends all of them.
 */
export class Machine implements AsyncDisposable {
  readonly #root: string;
  readonly #init: ChildProcess;
  readonly #enter: readonly string[];

  private constructor(root: string, init: ChildProcess, pid: string) {
    this.#root = root;
    this.#init = init;
    this.#enter = ['nsenter', '--target', pid, '--mount', '--pid', '--net'];
  }

  /** @param mounts shell commands that run first. `$0` is the root of the file system. */
  static async start(root: string, mounts = 'mount -t proc proc "$0/proc"'): Promise<Machine> {
    const script = `ip link set lo up && ${mounts} && echo up && exec cat`;
    const own = ['--mount', '--pid', '--fork', '--net', '--kill-child', 'sh', '-c', script, root];
    const init = spawn('unshare', own, { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(init, 'exit').then(() => Promise.reject(new Error('no namespaces here')));
    ended.catch(() => undefined);
    await Promise.race([once(init.stdout, 'data'), ended]);
    const { pid } = init;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return new Machine(root, init, children.trim());
  }

  attempt(script: string, circumstances: Circumstances = {}): Ended {
    return attempt([...this.#enter, ...inside(this.#root, script, circumstances)]);
  }

  /** Runs a script to its end. @throws with its output when it fails. */
  run(script: string, circumstances: Circumstances = {}): string {
    return run([...this.#enter, ...inside(this.#root, script, circumstances)]);
  }

  start(script: string, circumstances: Circumstances = {}): Running {
    // The shell reports its process id within the machine, and becomes the program.
    const command = inside(this.#root, `echo "$$" && exec ${script}`, circumstances);
    const [file = '', ...args] = [...this.#enter, ...command];
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const closed = once(child, 'close') as Promise<[number | null]>;
    let output = '';
    const waiting = new Set<() => void>();
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        output += `${line}\n`;
        for (const look of waiting) look();
      });
    }
    const lineWith = async (text: string): Promise<string> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = (): void => void (output.includes(text) && resolve());
      waiting.add(look);
      look();
      const ended = closed.then(([code]) => {
        throw new Error(`ended with ${code} before "${text}":\n${output}`);
      });
      await Promise.race([promise, ended]);
      ended.catch(() => undefined);
      return output;
    };
    const stop = async (): Promise<{ code: number | null; output: string }> => {
      if (child.exitCode === null) this.attempt(`kill ${output.split('\n')[0]}`);
      const [code] = await closed;
      return { code, output };
    };
    return { child, lineWith, stop };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#init, 'exit');
    this.#init.stdin?.end();
    await gone;
  }
}
