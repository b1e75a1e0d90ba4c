import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { once, processMsMax } from '../../support/wait.ts';
import type { Finished } from '../../support/program/program.ts';

/** Maximum run time of a tool, in milliseconds. It is long, because the machine may be busy. */
const toolMsMax = 900_000;

interface ToolOptions {
  readonly cwd?: string;
  /** Added to PATH and a locale with UTF-8, which are all that the tool sees of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the tool reads from its standard input. By default nothing. */
  readonly input?: string;
  /** Maximum run time, in milliseconds. Then the tool and its children are killed, and the code is null. */
  readonly timeoutMs?: number;
}

/** Runs a program of other people to its end. Give it a HOME of its own if it writes files there. */
export async function runTool(
  [program = '', ...args]: readonly string[],
  { cwd, env, input = '', timeoutMs = toolMsMax }: ToolOptions = {},
): Promise<Finished> {
  const child = spawn(program, args, {
    // In a process group of its own, which is killed as a whole.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const ended = once(child, 'close', { withinMs: processMsMax }) as Promise<[number | null]>;
  const tooLong = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, timeoutMs);
  // A tool that does not read its input closes it early.
  child.stdin.on('error', () => undefined).end(input);
  try {
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      ended,
    ]);
    return { code, stdout, stderr };
  } finally {
    clearTimeout(tooLong);
  }
}

/** Whether a program is on the path. */
function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * The options of a test that needs a program: none if it exists, otherwise why the test is skipped.
 *
 * @param check the name of the program, or a command that ends with 0 if everything exists:
 *   `['perl', '-MFinance::Quote', '-e', '1']`.
 * @param debian the package of Debian that installs it.
 */
export function needs(check: readonly string[], debian: string): { readonly skip?: string } {
  const [program = '', ...args] = check;
  const exists =
    args.length === 0
      ? isOnPath(program)
      : spawnSync(program, args, { timeout: 600_000 }).status === 0;
  return exists
    ? {}
    : { skip: `${check.join(' ')} does not run (Debian: apt-get install ${debian})` };
}
