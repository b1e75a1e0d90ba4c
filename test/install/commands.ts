import { spawnSync, type SpawnSyncOptions } from 'node:child_process';
import { join } from 'node:path';

import { blocksIn, project } from '../docs/blocks.ts';

/** The shell blocks of a section of a document, in order. */
export function blocksOf(document: string, heading: string): readonly string[] {
  const blocks = blocksIn(document).filter(
    (block) => block.heading === heading && block.language === 'sh',
  );
  if (blocks.length === 0) throw new Error(`${document} has no commands under "${heading}"`);
  return blocks.map(({ text }) => text);
}

/** The exit status and the output of a command. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Maximum duration of a step, in milliseconds. A busy machine is slow. */
const timeout = 20 * 60_000;

/** The folder, the environment variables and the user of a command. */
export type Where = Pick<SpawnSyncOptions, 'cwd' | 'env' | 'uid' | 'gid'>;

/** Runs a command to its end. */
export function attempt(command: readonly string[], options: Where = {}): Ended {
  const [file = '', ...args] = command;
  const { error, status, stdout, stderr } = spawnSync(file, args, {
    encoding: 'utf8',
    timeout,
    maxBuffer: 256 * 1024 * 1024,
    ...options,
  });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

/**
 * Runs a command to its end, and returns its standard output.
 *
 * @throws with the whole output when the command fails.
 */
export function run(command: readonly string[], options: Where = {}): string {
  const { status, stdout, stderr } = attempt(command, options);
  if (status === 0) return stdout;
  throw new Error(`${command.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
}

/** Builds the package, and returns the path of its archive. */
export function buildPackage(): string {
  return run([process.execPath, join(project, 'scripts/package.ts')], { cwd: project }).trim();
}
