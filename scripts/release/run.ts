import { spawnSync } from 'node:child_process';

/**
 * Runs a program to its end, and returns its output.
 *
 * @throws with the whole output when it fails.
 */
export function run(program: string, args: readonly string[], cwd: string): string {
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (error !== undefined) throw error;
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
}
