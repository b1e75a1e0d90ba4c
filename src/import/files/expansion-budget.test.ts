import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ExpansionBudget,
  archiveEntriesMax,
  exceedsRatio,
  expansionRatioMax,
  ratioFreeBytes,
} from './expansion-budget.ts';

const unpack = 'if the file is trusted, unpack it and import the files';

/** The message of the exceeded limit. A function, because the compiler narrows a property. */
const spentOf = (budget: ExpansionBudget) => budget.spent?.message;

test('an archive may have the maximum number of entries, and one more exceeds the limit', () => {
  const budget = new ExpansionBudget(() => 1);
  for (let entry = 0; entry < archiveEntriesMax; entry += 1) budget.countEntry();
  assert.equal(spentOf(budget), undefined);
  const message = `the archive has more than ${archiveEntriesMax} entries; ${unpack}`;
  assert.throws(() => budget.countEntry(), { code: 'too-large', message });
  assert.equal(spentOf(budget), message);
});

test('all expanded bytes of a file are counted together, against the size of the file', () => {
  const size = ratioFreeBytes;
  const budget = new ExpansionBudget(() => size);
  budget.countExpanded(size * expansionRatioMax - 1);
  budget.countExpanded(1);
  assert.equal(spentOf(budget), undefined);
  assert.throws(() => budget.countExpanded(1), {
    code: 'too-large',
    message: `the file expands to more than ${expansionRatioMax} times its size; ${unpack}`,
  });
  const huge = new ExpansionBudget(() => Number.MAX_SAFE_INTEGER);
  huge.countExpanded(2 ** 34);
  assert.throws(() => huge.countExpanded(1), {
    code: 'too-large',
    message: `the file expands to more than ${2 ** 34} bytes; ${unpack}`,
  });
});

test('a small file may expand at any ratio, up to the free size', () => {
  assert.equal(exceedsRatio(ratioFreeBytes, 1), false);
  assert.equal(exceedsRatio(ratioFreeBytes + 1, 1), true);
});
