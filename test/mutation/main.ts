/**
 * Mutation test of the core. It makes one small change in the sources at a time, and runs the tests that
 * execute the changed code. A change that no test detects is reported with its diff.
 *
 *   npm run test:mutation -- --sample 300 --seed 7
 *   npm run test:mutation -- --only src/engine/fold.ts --sample 0     (0: all)
 *   npm run test:mutation -- --again output.txt     (the mutants in the output of an earlier run)
 *
 *   --sample N     Number of mutants, drawn at random. 0 selects all. Default: 300.
 *   --seed N       Default: 1.
 *   --only PATH    A file or folder instead of the core. May be repeated.
 *   --near         Run only the tests near the changed file. It takes a fraction of the time but kills fewer mutants.
 *   --threshold N  Minimum percentage of killed mutants. Below it the exit code is 1. Default: 95.
 *   --jobs N       Number of mutants that are tried at the same time. Default: 2.
 *   --budget N     Maximum time for one mutant, in seconds. Then the outcome is "out of time". Default: 120.
 */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { helpIfRequested } from '../support/program/help-if-requested.ts';
import { Coverages } from './coverage.ts';
import { keyOf, withoutEquivalents } from './equivalents.ts';
import { mutantsOf, type Mutant } from './mutants.ts';
import { diffOf, mutantsShownIn, summarise } from './report.ts';
import { sampleOf } from './sample.ts';
import { findTestFiles } from './test-files.ts';
import { tryMutant, type Verdict } from './try-mutant.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * The core: the code that turns updates, files and queries into quotes, closes and response bodies. `store`
 * and `http` are tested with real files and sockets, which takes longer. `--only src/http` selects one.
 */
const core = 'auth,board,domain,engine,import,lib,pipeline,universe,wire';

/** Files that only the prices of the demonstration use. */
const leftOut = new Set(['src/lib/numbers/noise.ts']);

helpIfRequested(import.meta.filename);
const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true },
    again: { type: 'string' },
    near: { type: 'boolean', default: false },
    threshold: { type: 'string', default: '95' },
    jobs: { type: 'string', default: '2' },
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
    `equivalent.yaml: this entry matches no mutant, correct or remove it: ${file}\n  - ${before}\n  + ${after}\n`,
  );
}

function shownBefore(path: string): readonly Mutant[] {
  const keys = new Set(mutantsShownIn(readFileSync(path, 'utf8')).map(keyOf));
  return mutants.filter((mutant) => keys.has(keyOf(mutant)));
}

const tools = {
  tests: findTestFiles(),
  coverages: new Coverages(({ message }) => {
    process.stdout.write(`\nnot used, because it fails: ${message}\n`);
  }),
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
