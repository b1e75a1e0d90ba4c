import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import type { Mutant } from './mutants.ts';

/** A mutant that no test can or should find, as judged by a person. */
interface Equivalent {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

const path = join(import.meta.dirname, 'equivalent.yaml');

/**
 * Leaves out the mutants that `equivalent.yaml` lists.
 *
 * @throws Error for an entry that fits no mutant any more, so that the list cannot outlive the code.
 */
export function withoutEquivalents(mutants: readonly Mutant[]): readonly Mutant[] {
  const entries = (parse(readFileSync(path, 'utf8')) ?? []) as readonly Equivalent[];
  const listed = new Set(entries.map(keyOf));
  const files = new Set(mutants.map(({ file }) => file));
  const present = new Set(mutants.map(keyOf));
  const stale = entries.filter((entry) => files.has(entry.file) && !present.has(keyOf(entry)));
  if (stale.length > 0) {
    throw new Error(
      `equivalent.yaml lists mutants that do not exist, correct or remove them:\n${stale
        .map(({ file, before, after }) => `  ${file}\n    - ${before}\n    + ${after}`)
        .join('\n')}`,
    );
  }
  return mutants.filter((mutant) => !listed.has(keyOf(mutant)));
}

function keyOf({ file, before, after }: Omit<Equivalent, 'reason'>): string {
  return JSON.stringify([file, before, after]);
}
