import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const project = resolve(import.meta.dirname, '../..');

/** The shell blocks of a section of a document, in order. */
export function blocksOf(document: string, heading: string): readonly string[] {
  const text = readFileSync(join(project, document), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`${document} has no section "${heading}"`);
  return Array.from(section.matchAll(/```sh\n(.*?)```/gs), (match) => match[1] ?? '');
}

/** What a command left. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Longer than any step takes on a busy machine. */
const timeout = 20 * 60_000;

/** Runs a command to its end. */
export function attempt(
  command: readonly string[],
  options: { readonly cwd?: string } = {},
): Ended {
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
 * Runs a command to its end, and gives its standard output.
 *
 * @throws with all its output when it fails.
 */
export function run(command: readonly string[], options: { readonly cwd?: string } = {}): string {
  const { status, stdout, stderr } = attempt(command, options);
  if (status === 0) return stdout;
  throw new Error(`${command.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
}
