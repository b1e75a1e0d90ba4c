import assert from 'node:assert/strict';
import { test } from 'node:test';

import { applyMutant, mutantsOf } from './mutants.ts';
import { diffOf, mutantsShownIn } from './report.ts';
import { sampleOf } from './sample.ts';

/** The texts of the mutants of a source. */
function mutated(source: string): readonly string[] {
  return mutantsOf('sample.ts', source).map((mutant) => applyMutant(source, mutant));
}

test('each operator changes one place, and types and imports are not changed', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['f(a < b);', [';', 'f(a <= b);', 'f(a >= b);']],
    ['x = a === b;', [';', 'x = a !== b;']],
    ['x = a + 2;', [';', 'x = a - 2;', 'x = a + 3;', 'x = a + 1;']],
    ['x = a + "t";', [';', "x = a + '';"]],
    ['x = a ?? b;', [';', 'x = a;', 'x = b;']],
    ['x = a?.b;', [';', 'x = a.b;']],
    ['x = true;', [';', 'x = false;']],
    ['x = [a];', [';', 'x = [];']],
    ['x = !a;', [';', 'x =  a;']],
    ['for (;;) { continue; }', ['for (;;) { ; }']],
    ['import { a } from \'a\'; import b from "b";', []],
    ["type T = 'a' | 1; interface I { readonly x: true }", []],
    ['log.info({ a: 1 }, "text");', []],
    ['if (a) throw new Error("b");', ['if (true) throw new Error("b");']],
    [
      'f(a < b ? -1 : 1);',
      [
        ';',
        'f(a <= b ? -1 : 1);',
        'f(a >= b ? -1 : 1);',
        'f(true ? -1 : 1);',
        'f(false ? -1 : 1);',
        'f(a < b ?  1 : 1);',
        'f(a < b ? -0 : 1);',
      ],
    ],
    ['x = a.split(b, 1)[0];', [';', 'x = a.split(b, 0)[0];', 'x = a.split(b, 1)[1];']],
    ['const limitMax = 2 * 60;', ['const limitMax = 2 / 60;']],
  ];
  for (const [source, expected] of cases) {
    assert.deepEqual(mutated(source).toSorted(), expected.toSorted(), source);
  }
});

test('a mutant has its line number, and the changed lines before and after as one line each', () => {
  const source = 'const a = 1;\nconst b =\n  a <\n  c;\n';
  const first = mutantsOf('sample.ts', source).find(({ operator }) => operator === 'boundary');
  assert.deepEqual([first?.line, first?.before, first?.after], [3, 'a <', 'a <=']);
});

test('a sample is the same for the same seed, differs for another seed, and has no duplicates', () => {
  const items = Array.from({ length: 1_000 }, (_, index) => index);
  const draw = (size: number, seed: number, from = items) =>
    sampleOf(from, { size, seed, textOf: String });
  const sample = draw(50, 7);
  assert.deepEqual(draw(50, 7), sample);
  assert.notDeepEqual(draw(50, 8), sample);
  assert.equal(new Set(sample).size, 50);
  assert.equal(new Set(draw(0, 1)).size, 1_000, 'a size of 0 selects all');
  const [gone] = sample;
  const without = items.filter((item) => item !== gone);
  assert.deepEqual(draw(49, 7, without), sample.slice(1), 'the other items keep their places');
});

test('mutants that were not killed are parsed from the output of their run', () => {
  const mutants = mutantsOf('a/b.ts', 'f(a < b && c);\nx = "(t)";\n');
  const output = mutants
    .map((mutant) => diffOf({ mutant, outcome: 'survived' }))
    .join('\n\n25 done\n\n');
  assert.deepEqual(
    mutantsShownIn(`3 of 9 mutants\n\n${output}\n\nkilled 1\n`),
    mutants.map(({ file, before, after }) => ({ file, before, after })),
  );
});

test('a mutant of a source that has changed since is refused', () => {
  const [mutant] = mutantsOf('sample.ts', 'f(a < b);');
  assert.ok(mutant !== undefined);
  assert.throws(() => applyMutant('// New.\nf(a < b);', mutant), /sample\.ts:1 has changed/);
});
