import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PullSummary } from '../../operator/universe/pull-universe.ts';
import { pullReport } from './pull-report.ts';

const none: PullSummary = {
  instruments: [],
  markets: [],
  terms: [],
  files: [],
  leftAlone: [],
  notes: [],
};
const context = { directory: 'mine', url: 'https://q.example', isDryRun: false };
const some: PullSummary = {
  ...none,
  instruments: ['A', 'B'],
  markets: ['X'],
  files: [
    { name: 'markets.yaml', before: '', after: 'x: 1\n' },
    { name: 'instruments.csv', before: 'a\r\n1\r\n1\r\n', after: 'a,b\r\n1\r\n1\r\n1\r\n2\r\n' },
  ],
};

test('a pull says what it has added, and what to do next', () => {
  assert.deepEqual(pullReport(some, context), {
    output:
      'mine: added 2 instruments, 1 markets, terms of 0 issues.\nWritten: markets.yaml, instruments.csv. Then reload the service (SIGHUP), if it uses this directory.\n',
    warnings: '',
  });
});

test('a pull without a change says so; what differs and what is not known goes to standard error', () => {
  const summary = { ...none, leftAlone: ['A: x', 'B: y'], notes: ['it is older'] };
  assert.deepEqual(pullReport(summary, context), {
    output: 'mine has all that https://q.example has. Nothing was written.\n',
    warnings: 'https://q.example: it is older.\nLeft alone, because it differs:\n  A: x\n  B: y\n',
  });
});

test('a dry run shows each line that a file would get', () => {
  const { output } = pullReport(some, { ...context, isDryRun: true });
  assert.equal(
    output,
    'markets.yaml:\n+ x: 1\ninstruments.csv:\n+ a,b\n+ 1\n+ 2\nWould add 2 instruments, 1 markets, terms of 0 issues to mine: markets.yaml, instruments.csv. Nothing was written.\n',
  );
});
