import assert from 'node:assert/strict';
import { test } from 'node:test';

import { apply, at, latest, update } from '../../test/support/market/drive-engine.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import { Engine } from './engine.ts';

/** Contract 2.6.5: an update may carry the official close of its session. */

const minuteMs = 60_000;
const options = { settleDelayMs: 15 * minuteMs, nextVersion: 1 };
const oneShare = makeUniverse([{ ticker: 'GGAL' }]);
const friday = '2026-11-20';

/** A Friday's session of which only the last trade is known. */
function fridayTraded(): Engine {
  const engine = new Engine(oneShare, options);
  const fields = { last: 100, open: 98, high: 102, low: 97, volume: 10 };
  apply(engine, update('GGAL', at(friday, '16:59'), fields));
  return engine;
}

const closesOf = (engine: Engine, now: number): readonly number[] =>
  engine.settle(now).closes.map(({ close }) => close.close);

for (const [when, date, time] of [
  ['within the settle delay', friday, '17:05'],
  ['at night', friday, '22:00'],
  ['at the weekend', '2026-11-21', '12:00'],
  ['a millisecond before the next open', '2026-11-24', '10:30'],
] as const) {
  test(`contract 2.6.5: a close that arrives ${when} is the session's close and its last price`, () => {
    const engine = fridayTraded();
    engine.settle(at(friday, '17:15'));
    const instant = at(date, time) - (time === '10:30' ? 1 : 0);
    const { outcome, quotes } = apply(engine, update('GGAL', instant, { close: 101.5 }));
    assert.equal(outcome, 'accepted');
    const [quote] = quotes;
    assert.deepEqual([quote?.sessionDate, quote?.last], [friday, 101.5]);
    assert.deepEqual([quote?.open, quote?.high, quote?.low, quote?.volume], [98, 102, 97, 10]);
    assert.deepEqual(closesOf(engine, instant + 15 * minuteMs), [101.5]);
    assert.deepEqual(closesOf(engine, instant + 16 * minuteMs), [], 'once');

    const next = apply(engine, update('GGAL', at('2026-11-24', '10:31'), { last: 110 }));
    assert.deepEqual([next.quotes[0]?.last, next.quotes[0]?.previousClose], [110, 101.5]);
    assert.deepEqual(next.closes, [], 'history has it');
  });
}

test('contract 2.6.5: outside the hours only the close of an update is adopted, as of the end of the hours', () => {
  const engine = fridayTraded();
  const bar = { last: 7, open: 7, high: 700, low: 7, volume: 7, previousClose: 7, close: 101 };
  apply(engine, update('GGAL', at(friday, '20:00'), bar));
  const quote = latest(engine, 'GGAL');
  assert.deepEqual(
    [quote?.last, quote?.open, quote?.high, quote?.low, quote?.volume, quote?.previousClose],
    [101, 98, 102, 97, 10, undefined],
  );
  assert.equal(quote?.asOf, at(friday, '17:00'));
});

test('contract 2.6.5: within the hours every field of an update with a close is adopted', () => {
  const engine = new Engine(oneShare, options);
  const bar = { open: 98, high: 103, low: 97, close: 101, volume: 12 };
  assert.equal(apply(engine, update('GGAL', at(friday, '17:00'), bar)).outcome, 'accepted');
  const quote = latest(engine, 'GGAL');
  assert.deepEqual(
    [quote?.last, quote?.open, quote?.high, quote?.low, quote?.volume],
    [101, 98, 103, 97, 12],
  );
});

test('contract 2.6.5: a late trade after the close counts for range and volume, and does not change the last price', () => {
  const engine = fridayTraded();
  apply(engine, update('GGAL', at(friday, '17:01'), { close: 101 }));
  apply(engine, update('GGAL', at(friday, '17:10'), { last: 105, volume: 11 }));
  apply(engine, update('GGAL', at(friday, '17:05'), { last: 96 }));
  const quote = latest(engine, 'GGAL');
  assert.deepEqual([quote?.last, quote?.high, quote?.low, quote?.volume], [101, 105, 96, 11]);
  assert.deepEqual(closesOf(engine, at(friday, '17:15')), [101]);
});

test('contract 2.6.5: a session with nothing but a close has no open, range or volume', () => {
  const engine = new Engine(oneShare, options);
  apply(engine, update('GGAL', at('2026-11-19', '16:59'), { last: 90 }));
  const { quotes, closes } = apply(engine, update('GGAL', at(friday, '18:00'), { close: 101 }));
  assert.deepEqual(
    closes.map(({ close }) => close.close),
    [90],
  );
  const [quote] = quotes;
  assert.deepEqual(
    [quote?.sessionDate, quote?.last, quote?.previousClose, quote?.asOf],
    [friday, 101, 90, at(friday, '17:00')],
  );
  assert.deepEqual([quote?.open, quote?.high, quote?.low, quote?.volume], [...absent, null]);
  // A late trade of the session is its first price.
  engine.apply([update('GGAL', at(friday, '16:00'), { last: 99 })], at(friday, '18:01'));
  const later = latest(engine, 'GGAL');
  assert.deepEqual([later?.last, later?.open, later?.high, later?.low], [101, 99, 101, 99]);
});

const absent = [undefined, undefined, undefined] as const;

test('contract 2.6.5: a close of a session before that of the quote changes nothing', () => {
  const engine = fridayTraded();
  apply(engine, update('GGAL', at('2026-11-24', '10:31'), { last: 110 }));
  const late = engine.apply(
    [update('GGAL', at(friday, '20:00'), { close: 101 })],
    at('2026-11-24', '10:32'),
  );
  assert.deepEqual([late.outcomes, late.quotes, late.closes], [['earlier-session'], [], []]);
});
