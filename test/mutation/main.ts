/**
 * Mutation test of the core: makes small changes in the sources, one at a time, and runs the tests
 * that execute the changed code. A change that no test notices is reported with its diff.
 *
 *   npm run test:mutation -- --sample 300 --seed 7
 *   npm run test:mutation -- --only src/engine/fold.ts --sample 0     (0: all)
 *   npm run test:mutation -- --again output.txt     (what an earlier run has shown)
 */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { Coverages } from './coverage.ts';
import { keyOf, withoutEquivalents } from './equivalents.ts';
import { mutantsOf } from './mutants.ts';
import type { Mutant } from './mutants.ts';
import { diffOf, mutantsShownIn, summarise } from './report.ts';
import { sampleOf } from './sample.ts';
import { findTestFiles } from './test-files.ts';
import { tryMutant } from './try-mutant.ts';
import type { Verdict } from './try-mutant.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * The core: what makes quotes, closes and response bodies out of updates, files and queries. `store`
 * and `http` are tested over real files and sockets, which takes longer: `--only src/http`.
 */
const core = 'auth,board,domain,engine,import,lib,pipeline,universe,wire';

/** Used by the demonstration's prices alone. */
const leftOut = new Set(['src/lib/noise.ts']);

const { values } = parseArgs({
  options: {
    /** Number of mutants, drawn at random; 0 takes all. */
    sample: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    /** Path of a file or folder; the default is the core. */
    only: { type: 'string', multiple: true },
    /** File with the output of an earlier run: try only the mutants that it shows, all of them. */
    again: { type: 'string' },
    /** Run only the tests near the changed file: fewer mutants are killed, in a fraction of the time. */
    near: { type: 'boolean', default: false },
    /** Least percentage of killed mutants; below it the exit code is 1. */
    threshold: { type: 'string', default: '95' },
    /** Mutants tried at the same time. */
    jobs: { type: 'string', default: '2' },
    /** Maximum time for one mutant, in seconds; one that is not killed by then has survived. */
    budget: { type: 'string', default: '120' },
  },
});

const folders = values.only ?? [`src/{${core}}`];
const files = folders
  .flatMap((place) =>
    place.endsWith('.ts') ? [place] : globSync(`${place}/**/*.ts`, { cwd: root }),
  )
  .filter((file) => !file.endsWith('.test.ts') && !leftOut.has(file))
  .toSorted();
const { rest: mutants, stale } = withoutEquivalents(
  files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8'))),
);
const sample =
  values.again === undefined
    ? sampleOf(mutants, {
        size: Number(values.sample),
        seed: Number(values.seed),
        textOf: keyOf,
      })
    : shownBefore(values.again);
process.stdout.write(
  `${sample.length} of ${mutants.length} mutants of ${files.length} files, seed ${values.seed}\n`,
);

for (const { file, before, after } of stale) {
  process.stdout.write(
    `equivalent.yaml: no such mutant any more, correct or remove it: ${file}\n  - ${before}\n  + ${after}\n`,
  );
}

function shownBefore(path: string): readonly Mutant[] {
  const keys = new Set(mutantsShownIn(readFileSync(path, 'utf8')).map(keyOf));
  return mutants.filter((mutant) => keys.has(keyOf(mutant)));
}

const tools = {
  tests: findTestFiles(),
  coverages: new Coverages(),
  budgetMs: Number(values.budget) * 1_000,
  nearOnly: values.near,
};
const verdicts: Verdict[] = [];
const waiting = [...sample];
async function work(): Promise<void> {
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
    const verdict = await tryMutant(mutant, tools);
    verdicts.push(verdict);
    const { outcome } = verdict;
    if (verdicts.length % 25 === 0) process.stdout.write(`\n${verdicts.length} done\n`);
    if (outcome !== 'killed' && outcome !== 'timeout')
      process.stdout.write(`\n${diffOf(verdict)}\n`);
  }
}
await Promise.all(Array.from({ length: Number(values.jobs) }, work));

const { text, score } = summarise(verdicts);
process.stdout.write(`\n${text}`);
if (score < Number(values.threshold)) {
  process.stdout.write(`below the threshold of ${values.threshold} %\n`);
  process.exitCode = 1;
}
