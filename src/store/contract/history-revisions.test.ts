import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { HistoryRevisions } from './history-store.ts';

const [a, b] = ['A', 'B'].map((ticker) => ({ ticker: ticker as Ticker }) as Instrument) as [
  Instrument,
  Instrument,
];

test('instruments have another revision after each change of one of them, and only then', () => {
  const revisions = new HistoryRevisions();
  const all = (): readonly number[] => [[], [a], [b], [a, b]].map((some) => revisions.latest(some));
  const seen = [all()];
  for (const changed of [[a], [b], [b], [a], [a, b], []]) {
    revisions.increase(changed.map(({ ticker }) => ticker));
    seen.push(all());
  }
  const differs = seen.slice(1).map((now, at) => now.map((one, of) => one > (seen[at]?.[of] ?? 0)));
  assert.deepEqual(differs, [
    [false, true, false, true],
    [false, false, true, true],
    [false, false, true, true],
    [false, true, false, true],
    [false, true, true, true],
    [false, false, false, false],
  ]);
});
