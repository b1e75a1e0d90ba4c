import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, latest, update } from '../../test/support/market/drive-engine.ts';
import { followed } from '../../test/support/market/followed.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import { toEpochDay, type PlainDate } from '../domain/calendar/plain-date.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { Bar, TickerBar } from '../domain/quotes/minute-bar.ts';
import { Engine } from './engine.ts';

const friday = '2026-11-20';
const office = { name: 'oficina', delayMinutes: undefined };
const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'YPFD' }]);

function makeEngine({ recordsBars = true } = {}): Engine {
  const engine = new Engine(universe, { settleDelayMs: 900_000, nextVersion: 1, recordsBars });
  const noon = at(friday, '12:00');
  const quote = followed('GGAL', noon, { last: 100, volume: 50 }, { sessionDate: friday });
  engine.apply([quote], noon, office);
  return engine;
}

/** A bar of GGAL that starts at a time of Friday. */
function bar(time: string, last: number, volume: number | null = 5, ticker = 'GGAL'): TickerBar {
  const minute = at(friday, time) / 60_000;
  const prices = { open: last - 1, high: last + 1, low: last - 2, last };
  const day = toEpochDay(friday as PlainDate);
  return { ticker: ticker as Ticker, bar: { day, minute, ...prices, volume } };
}

function plain({ day, minute, open, high, low, last, volume }: Bar): Bar {
  return { day, minute, open, high, low, last, volume };
}

/** Adopts bars. @returns those that are finished. */
function adopt(engine: Engine, bars: readonly TickerBar[], source = office): readonly Bar[] {
  const changes = engine.apply([], at(friday, '12:00'), source, { bars });
  return changes.bars.map((one) => plain(one.bar));
}

test('a later state of the bar under way replaces it, and a repeated one changes nothing', () => {
  const engine = makeEngine();
  adopt(engine, [bar('12:00', 100)]);
  const before = latest(engine, 'GGAL');
  assert.deepEqual(adopt(engine, [bar('12:00', 100)]), []);
  assert.equal(latest(engine, 'GGAL'), before);
  assert.deepEqual(adopt(engine, [bar('12:00', 101, 6)]), []);
  assert.deepEqual(
    [latest(engine, 'GGAL')?.bar?.last, latest(engine, 'GGAL')?.bar?.volume],
    [101, 6],
  );
  assert.ok((latest(engine, 'GGAL')?.version ?? 0) > (before?.version ?? 0));
});

test('a bar that differs in any one field replaces the one under way', () => {
  for (const field of ['open', 'high', 'low', 'last', 'volume'] as const) {
    const engine = makeEngine();
    const one = bar('12:00', 100);
    adopt(engine, [one]);
    const other = { ...one.bar, [field]: (one.bar[field] ?? 0) + 0.5 };
    assert.deepEqual(adopt(engine, [{ ...one, bar: other }]), []);
    assert.equal(latest(engine, 'GGAL')?.bar?.[field], other[field]);
  }
});

test('a bar that comes after its quote is a change for every client if paths show it: another minute or last price', () => {
  const engine = makeEngine();
  const plainOf = () => latest(engine, 'GGAL')?.plainVersion;
  adopt(engine, [bar('11:59', 99)]);
  adopt(engine, [bar('12:00', 99)]);
  assert.equal(plainOf(), undefined);
  adopt(engine, [bar('12:00', 101)]);
  assert.equal(plainOf(), undefined);
  const { version } = latest(engine, 'GGAL') ?? {};
  adopt(engine, [bar('12:00', 101, 9)]);
  assert.equal(plainOf(), version);
});

test('a bar of an earlier minute goes straight to history', () => {
  const engine = makeEngine();
  adopt(engine, [bar('12:00', 100)]);
  const late = bar('11:57', 97);
  assert.deepEqual(adopt(engine, [late]), [late.bar]);
  assert.equal(latest(engine, 'GGAL')?.bar?.last, 100);
});

test('bars of an instrument whose price is from elsewhere, or of none, are ignored', () => {
  const engine = makeEngine();
  assert.deepEqual(
    adopt(engine, [bar('12:00', 100)], { name: 'centro', delayMinutes: undefined }),
    [],
  );
  assert.deepEqual(adopt(engine, [bar('12:00', 100, 5, 'YPFD'), bar('12:00', 1, 5, 'NONE')]), []);
  assert.equal(latest(engine, 'GGAL')?.bar, undefined);
  const now = at(friday, '12:01');
  engine.apply([update('GGAL', now, { last: 100 })], now, { name: 'push', delayMinutes: 0 });
  adopt(engine, [bar('12:01', 999)]);
  assert.equal(latest(engine, 'GGAL')?.bar?.last, 100);
});

test('without recording, no bar is adopted', () => {
  const engine = makeEngine({ recordsBars: false });
  adopt(engine, [bar('12:00', 100)]);
  assert.equal(latest(engine, 'GGAL')?.bar, undefined);
});

test('a source of this service continues the volume of the minute', () => {
  const engine = makeEngine();
  adopt(engine, [bar('12:00', 100, 5)]);
  const now = at(friday, '12:00') + 30_000;
  const own = update('GGAL', now, { last: 102, volume: 58 });
  engine.apply([own], now, { name: 'push', delayMinutes: 0 });
  assert.equal(latest(engine, 'GGAL')?.bar?.volume, 13);
});

test('a volume that is not part of that of the session is kept as it is', () => {
  const engine = makeEngine();
  adopt(engine, [bar('12:00', 100, 0.1)]);
  assert.equal(latest(engine, 'GGAL')?.bar?.volume, 0.1);
  adopt(engine, [bar('12:00', 100, 60)]);
  assert.equal(latest(engine, 'GGAL')?.bar?.volume, 60);
  adopt(engine, [bar('12:00', 100, null)]);
  assert.equal(latest(engine, 'GGAL')?.bar?.volume, null);
});

test('when the followed session begins again without the prices of the minute under way, the minute is dropped', () => {
  const noon = at(friday, '12:00');
  const quoteAt = (seconds: number, last: number, range: { low: number; high: number }) =>
    followed(
      'GGAL',
      noon + seconds * 1_000,
      { last, volume: 50, ...range },
      { sessionDate: friday },
    );
  for (const [last, isDropped] of [
    [1_000, true],
    [10, true],
    [300, false],
    [40, false],
  ] as const) {
    const engine = makeEngine();
    adopt(engine, [bar('12:00', 100)]);
    engine.apply([quoteAt(1, last, { low: last, high: last })], noon, office);
    assert.equal(latest(engine, 'GGAL')?.bar === undefined, isDropped, String(last));
    assert.equal(adopt(engine, [bar('12:01', last)]).length, isDropped ? 0 : 1);
  }
  for (const [last, range] of [
    [1_000, { low: 98, high: 1_000 }],
    [10, { low: 10, high: 101 }],
  ] as const) {
    const engine = makeEngine();
    adopt(engine, [bar('12:00', 100)]);
    engine.apply([quoteAt(1, last, range)], noon, office);
    assert.equal(latest(engine, 'GGAL')?.bar?.last, 100, 'a jump of a session that goes on');
  }
  const engine = makeEngine();
  adopt(engine, [bar('12:00', 100)]);
  const tuesday = '2026-11-24';
  const range = { high: 1_000, low: 1_000 };
  const next = followed(
    'GGAL',
    at(tuesday, '11:00'),
    { last: 1_000, ...range },
    { sessionDate: tuesday },
  );
  const { bars } = engine.apply([next], next.at, office);
  assert.equal(bars.length + adopt(engine, [bar('12:01', 100)]).length, 1, 'a later session');
});
