import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The name of the file in the folder of a bundled program that says from what it was made. */
export const originName = 'origin.json';

/** Size and time of the last change of a file. */
type FileState = readonly [bytes: number, changedMs: number];

/** From what a program was bundled. */
export interface Origin {
  /** The folder of the project. The code names it, so the program does not run in a copy of the folder. */
  readonly project: string;
  /** The files that the bundler read, relative to the project. */
  readonly inputs: Readonly<Record<string, FileState>>;
  /** The bundled files, relative to their folder. */
  readonly outputs: readonly string[];
}

/** From what the program in a folder was bundled. Undefined when there is none that can be read. */
export function readOrigin(folder: string): Origin | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, originName), 'utf8')) as Origin;
  } catch {
    return undefined;
  }
}

/**
 * Whether the program in a folder was bundled from the files of a project as they are now. The comparison takes
 * a few milliseconds. A new file makes no difference until a file of the program imports it.
 */
export function isCurrent(project: string, folder: string): boolean {
  const origin = readOrigin(folder);
  if (origin?.project !== project) return false;
  return Object.entries(origin.inputs).every(([name, [bytes, changedMs]]) => {
    const [nowBytes, nowMs] = stateOf(join(project, name)) ?? [];
    return nowBytes === bytes && nowMs === changedMs;
  });
}

/** The state of a file. Undefined when it does not exist. */
export function stateOf(path: string): FileState | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : [stats.size, stats.mtimeMs];
}
