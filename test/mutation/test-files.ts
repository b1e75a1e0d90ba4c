import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/**
 * Tests that are not run against mutants: batches of other test files, those of the playground, the documents, feeds
 * and whole processes, and others that take more than a few seconds. Tests that start the program are not run either,
 * because its process does not load the mutant.
 */
const leftOut = new RegExp(
  [
    '^test/(?:batches|bench|docs|e2e|faults|feeds|fuzz|mutation|operation|web|workers)/',
    '^src/(?:cli|feeds)/',
    '^test/import/history\\.',
    '^src/store/sqlite/(?:crash|damage)\\.',
    '^src/universe/mutation\\.',
    '^test/[^/]+$',
  ].join('|'),
);
const programStarter = 'test/support/program/program.ts';

/** A test file, and the files that it can reach by imports. */
export interface TestFile {
  readonly path: string;
  /** Path of a reachable file → number of imports on the shortest way there. */
  readonly distances: ReadonlyMap<string, number>;
}

/** All test files that mutants are run against. */
export function findTestFiles(): readonly TestFile[] {
  const imports = new Map<string, readonly string[]>();
  return globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
    .filter((path) => !leftOut.test(path))
    .toSorted()
    .map((path) => ({ path, distances: distancesFrom(path, imports) }))
    .filter(({ distances }) => distances.get(programStarter) !== 1);
}

function distancesFrom(
  start: string,
  imports: Map<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const distances = new Map([[start, 0]]);
  for (const [file, distance] of distances) {
    const targets = imports.get(file) ?? importsOf(file);
    imports.set(file, targets);
    for (const target of targets) {
      if (!distances.has(target)) distances.set(target, distance + 1);
    }
  }
  return distances;
}

const importPattern =
  /\bfrom\s+'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'|^import\s+'(\.[^']+)'|new URL\('([^']+\.ts)'/gm;

function importsOf(file: string): readonly string[] {
  if (!file.endsWith('.ts')) return [];
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(importPattern)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? match[4] ?? '')
    .map((target) => relative(root, resolve(root, dirname(file), target)))
    .filter((target) => existsSync(join(root, target)));
}
