import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { once, processMsMax } from '../wait.ts';

const folder = join(import.meta.dirname, '../../../clients/python');

/** Python 3.9 or later, or why a test that needs it is skipped. */
export function findPython(): { readonly python: string } | { readonly skip: string } {
  const python = process.env['PYTHON'] ?? 'python3';
  const check = spawnSync(python, ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']);
  if (check.status === 0) return { python };
  return { skip: `${python} is not installed, or is older than 3.9` };
}

/** The version of pandas that a Python has; undefined without one. */
export function pandasOf(python: string): string | undefined {
  const program = 'import pandas; print(pandas.__version__)';
  const { status, stdout } = spawnSync(python, ['-c', program], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** Whether a Python runs at all. A version manager may have a command for one that it does not run. */
export function runsPython(python: string): boolean {
  return spawnSync(python, ['-c', '']).status === 0;
}

/** Starts Python in the folder of the client, with the client on its path. */
export function startPython(
  python: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(python, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      PYTHONPATH: 'src',
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONUTF8: '1',
      ...env,
    },
  });
}

/** Runs Python to its end. */
export async function runPython(
  python: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = startPython(python, args, env);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close', { withinMs: processMsMax }) as Promise<[number | null]>,
  ]);
  return { code, output: stdout + stderr };
}
