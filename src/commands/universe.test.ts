import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PullSummary } from '../operator/universe/pull-universe.ts';
import { textOf } from '../../test/support/program/run-command.ts';
import { pullReport } from './universe.ts';

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
    sections: [
      'mine: added 2 instruments, 1 markets, terms of 0 issues.',
      'Written: markets.yaml, instruments.csv. Then reload the service (SIGHUP), if it uses this directory.',
    ],
    notes: [],
  });
});

test('a pull without a change says so; what differs and what is not known goes to standard error', () => {
  const summary = { ...none, leftAlone: ['A: x', 'B: y'], notes: ['it is older'] };
  assert.deepEqual(pullReport(summary, context), {
    sections: ['mine has all that https://q.example has. Nothing was written.'],
    notes: [
      'https://q.example: it is older.',
      'Left alone, because it differs:',
      '  A: x',
      '  B: y',
    ],
  });
});

test('a dry run shows each line that a file would get', () => {
  const report = pullReport(some, { ...context, isDryRun: true });
  assert.equal(
    textOf(report),
    'markets.yaml:\n+ x: 1\ninstruments.csv:\n+ a,b\n+ 1\n+ 2\nWould add 2 instruments, 1 markets, terms of 0 issues to mine: markets.yaml, instruments.csv. Nothing was written.\n',
  );
});
