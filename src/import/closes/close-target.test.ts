import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { noActions } from '../../domain/history/corporate-actions.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { CloseTargets } from './close-target.ts';

const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'YPFD' }]);
const [ggal = assert.fail(), ypfd = assert.fail()] = universe.instruments;

test('contract 2.6.4: a session is over from the instant of its close on', () => {
  const close = Date.parse('2026-11-20T17:00:00-03:00');
  for (const [now, date] of [
    [close - 1, '2026-11-19'],
    [close, '2026-11-20'],
  ] as const) {
    const { days } = new CloseTargets(universe, now, noActions).of(ggal);
    assert.deepEqual([fromEpochDay(days.today), fromEpochDay(days.lastOver)], ['2026-11-20', date]);
  }
});

test('an instrument has one target, and the instruments of a market share its days', () => {
  const targets = new CloseTargets(universe, 0, noActions);
  assert.equal(targets.of(ggal), targets.of(ggal));
  assert.notEqual(targets.of(ggal), targets.of(ypfd));
  assert.equal(targets.of(ggal).days, targets.of(ypfd).days);
});
