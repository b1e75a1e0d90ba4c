import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import { instrumentKinds, type Instrument } from '../../domain/instruments/instrument.ts';
import { openAllDay } from '../../domain/instruments/open-all-day.ts';
import { fromEpochDay, toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { loadUniverse } from '../../universe/load-universe.ts';
import type { SimulatedConfig } from './simulated-feed.ts';
import { createSimulatedFeed } from './simulated-feed.ts';
import { simulatedHistory } from './simulated-history.ts';
import { SimulatedMarket } from './simulated-market.ts';
import { at } from '../../../test/support/market/drive-engine.ts';
import { clockAt } from '../../../test/support/market/clock-at.ts';

const universe = await defaultUniverse();
const market = new SimulatedMarket(universe, 1);

async function defaultUniverse(): Promise<Universe> {
  const loaded = await loadUniverse(resolve(import.meta.dirname, '../../../universe'));
  assert.ok(loaded.ok);
  return loaded.universe;
}

function find(ticker: string): Instrument {
  return universe.get(ticker as Ticker);
}

function historyUntil(until: number): ReadonlyMap<string, readonly DailyClose[]> {
  return new Map(
    [...simulatedHistory(universe, { seed: 1, until, source: 'x' })].map(({ ticker, closes }) => [
      ticker,
      closes,
    ]),
  );
}

/** The closes of some instruments. Reads no further than the last of them: all take over a second. */
function closesUntil(
  until: number,
  tickers: readonly string[],
  seed = 1,
): ReadonlyMap<string, readonly DailyClose[]> {
  const found = new Map<string, readonly DailyClose[]>();
  for (const { ticker, closes } of simulatedHistory(universe, { seed, until, source: 'x' })) {
    if (tickers.includes(ticker)) found.set(ticker, closes);
    if (found.size === tickers.length) break;
  }
  return found;
}

// A Friday with ordinary sessions. The following Monday is a holiday in Argentina.
const friday = '2026-11-20';
const noon = at(friday, '12:00');
const history = historyUntil(noon);

function config(overrides: Partial<SimulatedConfig> = {}): SimulatedConfig {
  return {
    type: 'simulated',
    name: 'demo',
    staleAfterSeconds: 60,
    seed: 1,
    updatesPerSecond: 50,
    alwaysOpen: false,
    ...overrides,
  };
}

/** The first batches of a feed, with a clock that advances only while the feed waits. */
async function firstBatches(
  count: number,
  from: number,
  overrides: Partial<SimulatedConfig> = {},
): Promise<readonly (readonly Update[])[]> {
  let now = from;
  const stopping = new AbortController();
  const feed = createSimulatedFeed(config(overrides), {
    universe,
    clock: clockAt(() => now),
    async pause(ms) {
      now += ms;
    },
  });
  const batches: (readonly Update[])[] = [];
  for await (const batch of feed.batches(stopping.signal)) {
    batches.push(batch.updates);
    if (batches.length === count) stopping.abort();
  }
  return batches;
}

test('every instrument of the universe has two years of closes, plausible for its kind', () => {
  for (const { ticker, kind, market: code } of universe.instruments) {
    const closes = history.get(ticker) ?? [];
    assert.ok(closes.length > 480, `${ticker} has ${closes.length}`);
    const { isPrice, hasVolume } = instrumentKinds[kind];
    const wrong = closes.filter(
      ({ close, volume }) =>
        !Number.isFinite(close) || (isPrice && close <= 0) || (volume === null) === hasVolume,
    );
    assert.deepEqual(wrong, [], `${ticker} of ${code}`);
  }
});

test('traded instruments have the range of each session, with open and close within it', () => {
  for (const { ticker, kind, decimals } of universe.instruments) {
    const closes = history.get(ticker) ?? [];
    const isDerived = universe.derived.some(({ instrument }) => instrument.ticker === ticker);
    const hasRange = instrumentKinds[kind].hasVolume && !isDerived;
    const step = 10 ** -decimals;
    const isRight = ({ close, open, high, low }: DailyClose, index: number): boolean => {
      if (!hasRange) return open === undefined && high === undefined && low === undefined;
      if (open === undefined || high === undefined || low === undefined) return false;
      const previous = closes[index - 1]?.close ?? open;
      return (
        low > 0 &&
        low <= Math.min(open, close) &&
        high >= Math.max(open, close) &&
        Math.abs(open / previous - 1) < 0.03 + step / previous &&
        high / Math.max(open, close) < 1.01 + step / close
      );
    };
    assert.deepEqual(
      closes.filter((close, index) => !isRight(close, index)),
      [],
      ticker,
    );
  }
  const opens = (history.get('GGAL') ?? []).map(({ open, close }) => open !== close);
  assert.ok(opens.filter(Boolean).length > 400);
});

test('closes are on the session days of the market, up to the last ended session', () => {
  for (const ticker of ['GGAL', 'GGAL_US', 'BTC', 'DOLAR OFICIAL VENTA']) {
    const days = (history.get(ticker) ?? []).map(({ day }) => day);
    const first = days[0] ?? assert.fail('no closes');
    const last = days.at(-1) ?? assert.fail('no closes');
    assert.equal(fromEpochDay(last), '2026-11-19', 'Friday is not over');
    const sessions = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const expected = sessions.filter((day) =>
      market.calendarOf(find(ticker)).isSession(fromEpochDay(day as typeof first)),
    );
    assert.deepEqual(days, expected, ticker);
  }
  const afterClose = closesUntil(at(friday, '17:00'), ['GGAL']).get('GGAL')?.at(-1);
  assert.equal(afterClose?.day, toEpochDay(friday as PlainDate), 'Friday has ended');
});

test('one seed always gives the same history, and another seed a different one', () => {
  const tickers = ['GGAL', 'AL30D', 'GGAL_US'];
  const earlier = closesUntil(noon - 30 * 86_400_000, tickers);
  for (const ticker of tickers) {
    const closes = history.get(ticker) ?? [];
    const overlap = (earlier.get(ticker) ?? []).filter(({ day }) => day >= (closes[0]?.day ?? 0));
    assert.ok(overlap.length > 300);
    assert.deepEqual(closes.slice(0, overlap.length), overlap, ticker);
  }
  assert.notDeepEqual(closesUntil(noon, ['GGAL'], 2).get('GGAL'), history.get('GGAL'));
});

test('live prices continue the history, and end each session at its close', () => {
  let [overnight, whole] = [0, 0];
  for (const instrument of market.instruments) {
    const calendar = market.calendarOf(instrument);
    const session = calendar.sessionAt(noon);
    const previous = calendar.previousSession(session);
    const kindLimit = instrumentKinds[instrument.kind].jumpLimitPct / 2;
    const before = market.closeOf(instrument, toEpochDay(previous)).last;
    const open = market.at(instrument, calendar.opensAt(session)).last;
    const change = Math.abs(open / before - 1) * 100;
    assert.ok(change < kindLimit, `${instrument.ticker} opens ${change} % away`);
    const closing = market.at(instrument, calendar.closesAt(session) - 1);
    const close = market.closeOf(instrument, toEpochDay(session));
    const difference = Math.abs(closing.last / close.last - 1);
    assert.ok(difference < 0.001, `${instrument.ticker} ends ${closing.last}, not ${close.last}`);
    overnight += Math.abs(Math.log(open / before));
    whole += Math.abs(Math.log(close.last / before));
  }
  assert.ok(overnight < whole / 2, 'of a move, less than half happens before the open');
});

test('after the close the price stays that of the close until the next open', () => {
  const ggal = find('GGAL');
  const close = market.closeOf(ggal, toEpochDay(friday as PlainDate));
  // The holiday of Monday is between.
  for (const instant of [at(friday, '17:00'), at(friday, '23:00'), at('2026-11-24', '10:30') - 1]) {
    assert.deepEqual(market.at(ggal, instant), close);
  }
});

test('the volume of a session never decreases, and ends at the volume of its close', () => {
  const ggal = find('GGAL');
  let before = 0;
  for (let minute = 0; minute <= 450; minute += 1) {
    const { volume } = market.at(ggal, at(friday, '10:30') + minute * 60_000);
    assert.ok(volume !== undefined && volume >= before);
    before = volume;
  }
  assert.equal(before, market.closeOf(ggal, toEpochDay(friday as PlainDate)).volume);
});

/** Correlation of two instruments' daily moves on the days that both have. */
function correlation(a: string, b: string): number {
  const ofB = new Map((history.get(b) ?? []).map(({ day, close }) => [day, close]));
  const both = (history.get(a) ?? []).flatMap(({ day, close }) => {
    const other = ofB.get(day);
    return other === undefined ? [] : [[Math.log(close), Math.log(other)] as const];
  });
  const moves = both.slice(1).map(([x, y], index) => {
    const [xBefore, yBefore] = both[index] ?? [x, y];
    return [x - xBefore, y - yBefore] as const;
  });
  const sum = (of: (move: readonly [number, number]) => number): number =>
    moves.reduce((total, move) => total + of(move), 0);
  return sum(([x, y]) => x * y) / Math.sqrt(sum(([x]) => x * x) * sum(([, y]) => y * y));
}

test('instruments of one panel are correlated, and those of different markets hardly', () => {
  assert.ok(correlation('GGAL', 'BMA') > 0.3);
  assert.ok(correlation('GGAL', 'GGAL_US') > 0.7);
  assert.ok(correlation('DOLAR OFICIAL VENTA', 'DOLAR MAYORISTA') > 0.95);
  assert.ok(correlation('RIESGO PAIS', 'MERVAL') < -0.3);
  assert.ok(Math.abs(correlation('SPY_US', 'TX26')) < 0.25);
});

function closeOn(ticker: string, day: number): number {
  return history.get(ticker)?.find((close) => close.day === day)?.close ?? assert.fail(ticker);
}

test('derived closes are computed from the closes of their inputs on the same day', () => {
  for (const { day, close } of history.get('DOLAR MEP') ?? []) {
    assert.equal(close, Math.round((closeOn('AL30', day) / closeOn('AL30D', day)) * 100) / 100);
  }
});

test('the first batch has every open instrument, and the following ones as many as the rate sets', async () => {
  const [first = [], ...next] = await firstBatches(51, noon);
  const open = market.instruments.filter((one) => market.calendarOf(one).stateAt(noon) === 'open');
  assert.deepEqual(
    new Set(first.map(({ ticker }) => ticker)),
    new Set(open.map((one) => one.ticker)),
  );
  assert.equal(first.length, open.length);
  const updates = next.flat();
  // Ten seconds at 50 per second, minus instruments that were chosen twice for one batch.
  assert.ok(updates.length > 480 && updates.length <= 500, `${updates.length}`);
  for (const update of updates) {
    const { last, volume } = market.at(find(update.ticker), update.at);
    assert.deepEqual([update.last, update.volume], [last, volume]);
  }
});

function marketsOf(batches: readonly (readonly Update[])[]): ReadonlySet<string> {
  return new Set(batches.flat().map(({ ticker }) => find(ticker).market));
}

test('instruments of a closed market have no updates, and with alwaysOpen no market is ever closed', async () => {
  const saturday = at('2026-11-21', '12:00');
  assert.deepEqual(marketsOf(await firstBatches(3, saturday)), new Set(['CRIPTO']));
  const always = await firstBatches(3, saturday, { alwaysOpen: true });
  assert.equal(always[0]?.length, market.instruments.length);
  const moved = await firstBatches(1, saturday + 3_600_000, { alwaysOpen: true });
  const changed = moved[0]?.filter(({ last }, index) => last !== always[0]?.[index]?.last) ?? [];
  assert.ok(changed.length > market.instruments.length / 2, 'prices move at the weekend too');
  const traded = moved[0]?.filter(({ volume, ticker }, index) => {
    const before = always[0]?.[index]?.volume;
    return find(ticker).market === 'BYMA' && (volume ?? 0) > (before ?? 0);
  });
  assert.ok((traded?.length ?? 0) > 100, 'and are traded');
});

test('derived instruments have no updates', async () => {
  const updates = new Set((await firstBatches(1, noon)).flat().map(({ ticker }) => ticker));
  for (const { instrument } of universe.derived) assert.ok(!updates.has(instrument.ticker));
});

test('the same seed and clock give the same updates', async () => {
  assert.deepEqual(await firstBatches(5, noon), await firstBatches(5, noon));
});

test('after a pause, updates are made up for only a limited time', async () => {
  let now = noon;
  const stopping = new AbortController();
  const feed = createSimulatedFeed(config(), {
    universe,
    clock: clockAt(() => now),
    async pause() {
      now += 3_600_000;
    },
  });
  const sizes: number[] = [];
  for await (const batch of feed.batches(stopping.signal)) {
    sizes.push(batch.updates.length);
    if (sizes.length === 2) stopping.abort();
  }
  assert.ok((sizes[1] ?? 0) <= 50, `${sizes[1]} after an hour`);
});

/** The updates of a feed with whole minutes, one batch for each instant of its clock. */
async function wholeMinutes(instants: readonly number[]): Promise<readonly (readonly Update[])[]> {
  let turn = 0;
  const stopping = new AbortController();
  const feed = createSimulatedFeed(config({ alwaysOpen: true }), {
    universe,
    clock: clockAt(() => instants[Math.min(turn, instants.length - 1)] ?? Number.NaN),
    async pause() {
      turn += 1;
      if (turn === instants.length) stopping.abort();
    },
    hasWholeMinutes: true,
  });
  const batches: (readonly Update[])[] = [];
  for await (const { updates } of feed.batches(stopping.signal)) batches.push(updates);
  return batches;
}

const allDay = new SimulatedMarket(openAllDay(universe), 1);
const midnight = at('2026-11-22', '00:00');

function tickersOf(updates: readonly Update[]): ReadonlySet<string> {
  return new Set(updates.map(({ ticker }) => ticker));
}

const allTickers = new Set<string>(allDay.instruments.map(({ ticker }) => ticker));

test('with whole minutes, every instrument has an update at the end of each minute, with the price of the close at the end of the session', async () => {
  const batches = await wholeMinutes([-70_000, -59_800, -200, 100, 300].map((ms) => midnight + ms));
  const ends = [-60_000, 0].map((ms) => midnight + ms - 1);
  for (const [index, end] of [ends[0], ends[1]].entries()) {
    const atEnd = (batches[2 * index + 1] ?? []).filter((one) => one.at === end);
    assert.equal(atEnd.length, allTickers.size);
    assert.deepEqual(tickersOf(atEnd), allTickers);
    assert.ok([0, 2, 4].every((other) => batches[other]?.every((one) => one.at !== end)));
  }
  const day = toEpochDay('2026-11-21' as PlainDate);
  for (const { ticker, last, volume } of (batches[3] ?? []).filter((one) => one.at === ends[1])) {
    assert.deepEqual({ last, volume }, allDay.closeOf(allDay.universe.get(ticker), day), ticker);
  }
  // The whole board begins the new session at once.
  const begun = (batches[3] ?? []).filter((one) => one.at === midnight + 100);
  assert.deepEqual(tickersOf(begun), allTickers);
  assert.ok((batches[4]?.length ?? 0) < 20);
});

test('after a start or a gap, whole minutes begin with that before, unless it is of another session', async () => {
  for (const instants of [[midnight + 500], [midnight - 7_200_000, midnight + 500]]) {
    const last = (await wholeMinutes(instants)).at(-1) ?? [];
    assert.deepEqual(tickersOf(last), allTickers);
    assert.ok(last.every((one) => one.at === midnight + 500));
  }
  const [first = []] = await wholeMinutes([midnight + 65_000]);
  assert.deepEqual(
    Map.groupBy(first, (one) => one.at - midnight)
      .keys()
      .toArray(),
    [59_999, 65_000],
  );
});
