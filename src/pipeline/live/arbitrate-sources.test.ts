import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';

import { at, latest, update } from '../../../test/support/market/drive-engine.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { Update } from '../../domain/quotes/update.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { Engine, type Outcome } from '../../engine/engine.ts';
import { SourceArbiter } from './arbitrate-sources.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { IntakeOutcome } from './feed-state.ts';

const universe = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'BTC', kind: 'crypto', market: 'CRIPTO' },
]);
const calendars = new MarketCalendars(universe);
const order = ['first', 'second', 'third'] as const;
type Name = (typeof order)[number];

const friday = '2026-11-20';
const noon = at(friday, '12:00');

/** An arbiter before an engine, as the supervisor connects them. */
class Desk {
  readonly engine = new Engine(universe, { settleDelayMs: 15 * 60_000, nextVersion: 1 });
  readonly arbiter: SourceArbiter;
  /** As `ReliableSince`; sources that are not named work. */
  readonly reliableSince = new Map<string, number>();
  now = noon;

  constructor() {
    this.arbiter = new SourceArbiter({ order, universe, calendars });
  }

  send(name: Name, ...updates: readonly Update[]): readonly IntakeOutcome[] {
    const admitted = this.arbiter.admit(name, updates, {
      now: this.now,
      reliableSince: (source) => this.reliableSince.get(source) ?? -Infinity,
    });
    const used = admitted.filter((one) => one !== undefined);
    const { outcomes } = this.engine.apply(used, this.now, { name, delayMinutes: 0 });
    this.arbiter.record(name, used, { outcomes, now: this.now });
    const left: Outcome[] = [...outcomes];
    return admitted.map((one) =>
      one === undefined ? 'superseded' : (left.shift() ?? 'unchanged'),
    );
  }

  fail(name: Name): void {
    this.reliableSince.set(name, Infinity);
  }

  recover(name: Name): void {
    this.reliableSince.delete(name);
  }

  quote(ticker: string): Quote | undefined {
    return latest(this.engine, ticker);
  }

  /** The number of instruments whose price each source gave. */
  inUse(): readonly number[] {
    const names = this.engine.quotes().map(({ source }) => source?.name);
    return order.map((name) => names.filter((one) => one === name).length);
  }
}

function ggal(minutes: number, fields: Omit<Update, 'ticker' | 'at'>): Update {
  return update('GGAL', noon + minutes * 60_000, fields);
}

test('a source with a lower priority is used only until one with a higher priority reports the instrument', () => {
  const desk = new Desk();
  desk.now = noon + 600_000;
  assert.deepEqual(desk.send('second', ggal(0, { last: 100 })), ['accepted']);
  assert.deepEqual(desk.send('first', ggal(1, { last: 101 })), ['accepted']);
  assert.deepEqual(desk.send('second', ggal(2, { last: 102 })), ['superseded']);
  assert.deepEqual(desk.send('third', ggal(2, { last: 103 })), ['superseded']);
  assert.equal(desk.quote('GGAL')?.last, 101);
  assert.equal(desk.quote('GGAL')?.source?.name, 'first');
});

test('the next source stands in while the first is stale or failed, and no longer once it has recovered', () => {
  const desk = new Desk();
  desk.now = noon + 600_000;
  desk.send('first', ggal(0, { last: 100 }));
  desk.fail('first');
  assert.deepEqual(desk.send('second', ggal(1, { last: 101 })), ['accepted']);
  assert.deepEqual(desk.send('third', ggal(2, { last: 102 })), ['superseded']);
  desk.fail('second');
  assert.deepEqual(desk.send('third', ggal(2, { last: 102 })), ['accepted']);
  desk.recover('first');
  assert.deepEqual(desk.send('third', ggal(3, { last: 103 })), ['superseded']);
  assert.deepEqual(desk.send('first', ggal(4, { last: 104 })), ['accepted']);
});

test('off-hours updates of the first source do not supersede the next session of another', () => {
  const desk = new Desk();
  desk.send('first', ggal(0, { last: 100 }));
  desk.now = at('2026-11-24', '10:40');
  const early = update('GGAL', at('2026-11-24', '10:20'), { last: 102 });
  assert.deepEqual(desk.send('first', early), ['off-hours']);
  const open = update('GGAL', desk.now, { last: 101 });
  assert.deepEqual(desk.send('second', open), ['accepted']);
});

for (const [name, before, outcome] of [
  ['refuses', at('2026-11-19', '16:00'), { refused: 'implausible' }],
  ['holds', noon, 'held'],
] as const) {
  test(`when the engine ${name} a price of the first source, the next stands in until it sends one that is taken`, () => {
    const desk = new Desk();
    desk.now = noon + 600_000;
    desk.send('first', update('GGAL', before, { last: 100 }));
    assert.deepEqual(desk.send('first', ggal(1, { last: 10_000 })), [outcome]);
    assert.deepEqual(desk.send('second', ggal(2, { last: 101 })), ['accepted']);
    assert.deepEqual(desk.send('third', ggal(2, { last: 101 })), ['superseded']);
    desk.send('first', ggal(3, { last: 102 }));
    assert.deepEqual(desk.send('second', ggal(4, { last: 103 })), ['superseded']);
  });
}

test('the official close comes from the first source that reports it, whatever source the prices are from', () => {
  const desk = new Desk();
  desk.send('first', ggal(0, { last: 100 }));
  desk.now = at(friday, '18:00');
  const closing = (close: number, last: number): Update =>
    update('GGAL', desk.now, { last, close, volume: 7 });
  assert.deepEqual(desk.send('third', closing(103, 50)), ['accepted']);
  assert.deepEqual([desk.quote('GGAL')?.last, desk.quote('GGAL')?.low], [103, 100]);
  assert.equal(desk.quote('GGAL')?.volume, 0, 'only the close is taken');
  desk.now += 1_000;
  assert.deepEqual(desk.send('second', closing(102, 50)), ['accepted']);
  desk.now += 1_000;
  assert.deepEqual(desk.send('third', closing(104, 50)), ['superseded']);
  assert.equal(desk.quote('GGAL')?.last, 102);
});

test('an update that the engine refuses for its ticker or instant is passed on, to be counted by its reason', () => {
  const desk = new Desk();
  desk.send('first', ggal(0, { last: 100 }));
  assert.deepEqual(
    desk.send(
      'second',
      update('NOBODY', noon, { last: 1 }),
      ggal(600, { last: 1 }),
      update('GGAL', Date.parse('0001-01-01T00:00:00Z'), { last: 1 }),
      update('GGAL', Number.NaN, { last: 1 }),
    ),
    [
      { refused: 'unknown-ticker' },
      { refused: 'in-future' },
      { refused: 'before-1990' },
      { refused: 'not-finite' },
    ],
  );
});

test('the spelling of a ticker makes no difference', () => {
  const desk = new Desk();
  desk.send('first', ggal(0, { last: 100 }));
  assert.deepEqual(desk.send('second', update(' ggal', noon, { last: 99 })), ['superseded']);
});

const someSource = fc.constantFrom(...order);
/** The session of an instant in the market of an instrument. */
function dayOf(ticker: string, instant: number): string {
  return calendars.byMarket.get(universe.find(ticker)?.market ?? '')?.sessionAt(instant) ?? '';
}

/** One thing that happens. A source sends prices that are up to half an hour late. */
const event = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      is: fc.constant('update' as const),
      source: someSource,
      ticker: fc.constantFrom('GGAL', 'BTC'),
      lateMinutes: fc.integer({ min: 0, max: 30 }),
      cents: fc.integer({ min: 9_000, max: 11_000 }),
      isTooLarge: fc.boolean(),
      hasClose: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('fail' as const), source: someSource }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('recover' as const), source: someSource }) },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant('pass' as const),
      minutes: fc.integer({ min: 1, max: 400 }),
    }),
  },
);

test('over any sequence of updates, failures and recoveries: the priority is obeyed, no instrument is left without a source, and no quote goes back in time', () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 50, maxLength: 200 }), (events) => {
      const desk = new Desk();
      const failed = new Set<Name>();
      /** A naive model: by source and ticker, the dates on which it reported a value that was taken. */
      const reported = new Map<string, Set<string>>();
      const sent = new Set<string>();
      /** By instrument, the last instant of prices that wait for a later one: it may be from another source. */
      const waiting = new Map<string, number>();
      for (const one of events) {
        if (one.is === 'pass') desk.now += one.minutes * 60_000;
        if (one.is === 'fail') {
          failed.add(one.source);
          desk.fail(one.source);
        }
        if (one.is === 'recover') {
          failed.delete(one.source);
          desk.recover(one.source);
        }
        if (one.is !== 'update' || failed.has(one.source)) continue;
        const { source, ticker, lateMinutes, cents } = one;
        const before = desk.quote(ticker);
        const instant = desk.now - lateMinutes * 60_000;
        const day = dayOf(ticker, instant);
        const preferred = order.slice(0, order.indexOf(source)).filter((name) => !failed.has(name));
        const isSuperseded = preferred.some((name) =>
          [...(reported.get(`${name} ${ticker}`) ?? [])].some((date) => date >= day),
        );
        const last = one.isTooLarge && cents % 7 === 0 ? cents : cents / 100;
        const close = one.hasClose && cents % 5 === 0 ? { close: last } : {};
        const [outcome] = desk.send(source, update(ticker, instant, { last, ...close }));
        const after = desk.quote(ticker);

        if (close.close === undefined) {
          assert.equal(outcome === 'superseded', isSuperseded, `${source} ${ticker}`);
        }
        if (outcome === 'superseded') assert.equal(after, before);
        const giver = after?.source?.name;
        sent.add(`${source} ${ticker} ${last}`);
        const isChanged = after?.last !== before?.last || giver !== before?.source?.name;
        if (isChanged) assert.ok(sent.has(`${giver} ${ticker} ${after?.last}`), 'nobody sent it');
        if (isChanged && !waiting.has(ticker))
          assert.deepEqual([giver, after?.last], [source, last]);
        const isDoubted = outcome === 'held' || typeof outcome === 'object';
        const waitsUntil = waiting.get(ticker) ?? -Infinity;
        if (isDoubted) waiting.set(ticker, Math.max(waitsUntil, instant));
        else if (outcome === 'accepted' && instant >= waitsUntil) waiting.delete(ticker);
        if (before !== undefined && after !== undefined) {
          assert.ok(after.sessionDate >= before.sessionDate, 'the session goes back');
          assert.ok((after.asOf ?? 0) >= (before.asOf ?? 0), 'the instant goes back');
          assert.ok(after.version >= before.version);
        }
        const key = `${source} ${ticker}`;
        const days = reported.get(key) ?? new Set();
        const isRefused = typeof outcome === 'object' && 'refused' in outcome;
        if (outcome === 'held' || isRefused) days.clear();
        else if (outcome === 'accepted' || outcome === 'unchanged') days.add(day);
        reported.set(key, days);
      }
    }),
    { seed: 20_261_122, numRuns: 300 },
  );
});

test('without a working source of a higher priority, the updates are admitted as they are', () => {
  const { arbiter } = new Desk();
  const updates = [ggal(0, { last: 100 })];
  const options = { now: noon, reliableSince: () => Infinity };
  assert.equal(arbiter.admit('first', updates, options), updates);
  assert.equal(arbiter.admit('second', updates, options), updates);
});

test('an outcome of an earlier session that is recorded late does not hide the later one', () => {
  const { arbiter } = new Desk();
  const later = ggal(4 * 24 * 60, { last: 100, close: 100 });
  for (const one of [later, ggal(0, { last: 99, close: 99 })]) {
    arbiter.record('first', [one], { outcomes: ['accepted'], now: later.at });
  }
  const options = { now: later.at, reliableSince: () => -Infinity };
  assert.deepEqual(arbiter.admit('second', [later], options), [undefined]);
});

test('while some requests of the first source fail, it counts for the instruments that it has reported since then, by a price or a book', () => {
  const desk = new Desk();
  const btc = (minutes: number, last: number): Update =>
    update('BTC', noon + minutes * 60_000, { last });
  desk.send('first', ggal(0, { last: 100 }), btc(0, 90_000));
  desk.reliableSince.set('first', noon);
  assert.deepEqual(desk.send('second', ggal(0, { last: 99 })), ['superseded']);
  desk.now = noon + 60_000;
  desk.send('first', btc(1, 90_001));
  desk.reliableSince.set('first', noon + 1);
  const both = [ggal(1, { last: 101 }), btc(1, 90_002)];
  assert.deepEqual(desk.send('second', ...both), ['accepted', 'superseded']);
  desk.send('first', ggal(1, { bid: 98 }));
  assert.deepEqual(desk.send('second', ...both), ['superseded', 'superseded']);
});

test('a source that repeats the quote of another is not the one in use', () => {
  const desk = new Desk();
  desk.send('first', ggal(0, { last: 100 }));
  desk.fail('first');
  assert.deepEqual(desk.send('second', ggal(0, { last: 100 })), ['unchanged']);
  assert.deepEqual(desk.inUse(), [1, 0, 0]);
});

test('a source that is not in the order is a mistake of the program', () => {
  const { arbiter } = new Desk();
  const options = { now: noon, reliableSince: () => -Infinity };
  assert.throws(() => arbiter.admit('nobody', [], options), /no source is named nobody/);
});

test('a source that reports the book alone does not replace the one that gives the price', () => {
  const desk = new Desk();
  desk.now = noon + 600_000;
  assert.deepEqual(desk.send('first', ggal(0, { bid: 99 })), ['no-price-yet']);
  assert.deepEqual(desk.send('second', ggal(0, { last: 100 })), ['accepted']);
  assert.deepEqual(desk.send('first', ggal(1, { bid: 98 })), ['accepted']);
  assert.deepEqual(desk.send('second', ggal(2, { last: 101 })), ['accepted']);
  assert.deepEqual(
    [desk.quote('GGAL')?.last, desk.quote('GGAL')?.book?.bid, desk.quote('GGAL')?.source?.name],
    [101, 98, 'second'],
  );
  assert.deepEqual(desk.inUse(), [0, 1, 0]);
  assert.deepEqual(desk.send('first', ggal(3, { last: 102 })), ['accepted']);
  assert.deepEqual(desk.send('second', ggal(4, { bid: 90 })), ['superseded']);
});

test('a source whose book is refused has reported the instrument all the same', () => {
  const desk = new Desk();
  desk.now = noon + 600_000;
  const outcome = { refused: 'not-positive', part: 'book' };
  assert.deepEqual(desk.send('first', ggal(0, { last: 100, bid: -1 })), [outcome]);
  assert.deepEqual(desk.send('second', ggal(1, { last: 101 })), ['superseded']);
  assert.deepEqual(desk.inUse(), [1, 0, 0]);
});
