import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import type { Mutant } from './mutants.ts';

/** A mutant that, by review, no test can or should kill. */
interface Equivalent {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

const path = join(import.meta.dirname, 'equivalent.yaml');
const root = join(import.meta.dirname, '../..');

/**
 * Removes the mutants that `equivalent.yaml` lists. Also returns the entries of these files that match no
 * mutant any more because the code has changed, and those of files that do not exist.
 */
export function withoutEquivalents(mutants: readonly Mutant[]): {
  readonly rest: readonly Mutant[];
  readonly stale: readonly Equivalent[];
} {
  const entries = (parse(readFileSync(path, 'utf8')) ?? []) as readonly Equivalent[];
  const listed = new Set(entries.map(keyOf));
  const files = new Set(mutants.map(({ file }) => file));
  const present = new Set(mutants.map(keyOf));
  return {
    rest: mutants.filter((mutant) => !listed.has(keyOf(mutant))),
    stale: entries.filter(
      (entry) =>
        (files.has(entry.file) && !present.has(keyOf(entry))) ||
        !existsSync(join(root, entry.file)),
    ),
  };
}

/** Identifies a mutant independently of its line number. */
export function keyOf({ file, before, after }: Pick<Mutant, 'file' | 'before' | 'after'>): string {
  return JSON.stringify([file, before, after]);
}
