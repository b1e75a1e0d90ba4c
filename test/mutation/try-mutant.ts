import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { executes, type Coverages } from './coverage.ts';
import { applyMutant, type Mutant } from './mutants.ts';
import { runTestFile, type TestRun } from './run-test-file.ts';
import type { TestFile } from './test-files.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * The outcome of a mutant. A timeout counts as a kill if the test passes in time without the mutant, because
 * then the mutant is the cause and not the load of the machine.
 */
export interface Verdict {
  readonly mutant: Mutant;
  readonly outcome: 'killed' | 'timeout' | 'survived' | 'not covered' | 'out of time';
  /** The test file that killed it. */
  readonly by?: string;
}

/** Compiled sources, which halve the time of most tests. Node compares them with the sources. */
const compiled = join(root, 'node_modules/.cache/pizarra-mutation-compiled');

/** A failure that takes this much longer than twice the usual run, in milliseconds, is checked. */
const slowMs = 2_000;

/** Maximum number of imports between a test and a near file. The tests of its folder are near too. */
const nearMax = 2;

/**
 * Runs the test files that execute the mutated code, one after another, until one fails. The tests near the
 * file come first, then those with a similar name, then the fastest. It stops when the time for one mutant is
 * used up.
 */
export async function tryMutant(
  mutant: Mutant,
  tools: {
    readonly tests: readonly TestFile[];
    readonly coverages: Coverages;
    readonly budgetMs: number;
    /** Run only unit tests near the file. */
    readonly nearOnly: boolean;
  },
): Promise<Verdict> {
  const directory = mkdtempSync(join(tmpdir(), 'pizarra-mutant-'));
  try {
    const mutatedSource = join(directory, 'mutant.ts');
    const path = join(root, mutant.file);
    writeFileSync(mutatedSource, applyMutant(readFileSync(path, 'utf8'), mutant));
    const env = {
      MUTANT_URL: pathToFileURL(path).href,
      MUTANT_SOURCE: mutatedSource,
      NODE_COMPILE_CACHE: compiled,
    };
    let usedMs = 0;
    let isCovered = false;
    let hasDoubt = false;
    for await (const { test, ms } of coveringTests(mutant, tools)) {
      isCovered = true;
      if (usedMs > tools.budgetMs) return { mutant, outcome: 'out of time' };
      let isInDoubt = false;
      // On a machine under load the first limit may be too short for the test itself.
      for (const timeoutMs of [5_000 + 4 * ms, 20_000 + 16 * ms]) {
        const run = await runTestFile(test.path, { env, timeoutMs });
        usedMs += run.ms;
        isInDoubt = run.ending !== 'passed';
        if (!isInDoubt) break;
        const outcome = run.ending === 'timeout' ? 'timeout' : 'killed';
        if (await isCausedByMutant(test, run, ms)) return { mutant, outcome, by: test.path };
      }
      hasDoubt ||= isInDoubt;
    }
    if (hasDoubt) return { mutant, outcome: 'out of time' };
    return { mutant, outcome: isCovered ? 'survived' : 'not covered' };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Whether a mutant is the cause of a failed run. A fast failure is one. After a slow failure or a timeout the
 * test runs again without the mutant. It must pass, and after a timeout in half of the time. Then the load of
 * the machine was not the cause.
 */
async function isCausedByMutant(test: TestFile, run: TestRun, usualMs: number): Promise<boolean> {
  const hasFailed = run.ending === 'failed';
  if (hasFailed && run.ms < 2 * usualMs + slowMs) return true;
  const timeoutMs = hasFailed ? 2 * run.ms + slowMs : run.ms / 2;
  const again = await runTestFile(test.path, { env: {}, timeoutMs });
  return again.ending === 'passed';
}

interface Reaching {
  readonly test: TestFile;
  readonly distance: number;
}

function isNear({ test, distance }: Reaching, file: string): boolean {
  const [, folder = ''] = file.split('/');
  if (test.path.startsWith(`test/${folder}/`) || dirname(test.path) === dirname(file)) return true;
  return distance <= nearMax && test.path.startsWith('src/');
}

async function* coveringTests(
  { file, start }: Mutant,
  {
    tests,
    coverages,
    nearOnly,
  }: {
    readonly tests: readonly TestFile[];
    readonly coverages: Coverages;
    readonly nearOnly: boolean;
  },
): AsyncGenerator<{ readonly test: TestFile; readonly ms: number }> {
  const own = file.replace(/\.ts$/, '.test.ts');
  const reaching = tests
    .flatMap((test) => {
      const distance = test.path === own ? 0 : test.distances.get(file);
      return distance === undefined ? [] : [{ test, distance }];
    })
    .toSorted((a, b) => a.distance - b.distance);
  for (const { test } of reaching.filter((one) => isNear(one, file))) {
    const coverage = await coverages.of(test);
    if (executes(coverage, file, start)) yield { test, ms: coverage.ms };
  }
  if (nearOnly) return;
  const far: { readonly test: TestFile; readonly ms: number }[] = [];
  for (const { test } of reaching.filter((one) => !isNear(one, file))) {
    const coverage = await coverages.of(test);
    if (executes(coverage, file, start)) far.push({ test, ms: coverage.ms });
  }
  const likeness = ({ test }: (typeof far)[number]): number => wordsShared(test.path, file);
  yield* far.toSorted((a, b) => likeness(b) - likeness(a) || a.ms - b.ms);
}

/** Number of common words of two names. `rate-limits.test.ts` most likely kills mutants of `rate-limits.ts`. */
function wordsShared(testPath: string, file: string): number {
  const words = new Set(file.split(/\W+/));
  return testPath.split(/\W+/).filter((word) => words.has(word)).length;
}
