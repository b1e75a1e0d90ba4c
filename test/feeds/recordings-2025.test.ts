import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import {
  firstEpochDay,
  fromEpochDay,
  lastEpochDay,
  type EpochDay,
} from '../../src/domain/calendar/plain-date.ts';
import { Universe } from '../../src/domain/instruments/universe.ts';
import type { Update } from '../../src/domain/quotes/update.ts';
import { Engine } from '../../src/engine/engine.ts';
import { mapDolarapiLine } from '../../src/feeds/sources/dolarapi.ts';
import { ReplayClock, createReplayFeed } from '../../src/feeds/replay/index.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { silentLog } from '../../src/lib/reports/log.ts';
import { labelOf } from '../../src/pipeline/live/feed-state.ts';
import { Ingest } from '../../src/pipeline/live/ingest.ts';
import { Persist } from '../../src/pipeline/live/persist.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { loadUniverse } from '../../src/universe/load-universe.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { pauseInRealTime } from '../../src/lib/time/pause.ts';
import { sharedOrSkip } from '../support/program/shared-data.ts';
import { testClock } from '../support/market/test-change.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;
const recordings = 'ticks/enzonotario__dolarapi.com';

/** Maximum number of turns that wait for a commit. A commit of its own for each of them takes most of the time. */
const underWayMax = 100;

/** Closes by ticker and date, and the outcomes of the updates. */
interface Replayed {
  readonly closes: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly outcomes: ReadonlyMap<string, number>;
  readonly rejected: ReadonlyMap<string, number>;
}

/** Replays recordings at full speed through the real engine into a real store. */
async function replay(
  t: TestContext,
  universe: Universe,
  files: readonly string[],
): Promise<Replayed> {
  await using store = await openSqliteStore({ directory: await temporaryDirectory(t) });
  const clock = new ReplayClock({ real: systemClock, speed: 'max' });
  const engine = new Engine(universe, { settleDelayMs: 15 * minuteMs, nextVersion: 1 });
  await using persist = new Persist({
    clock: testClock,
    quotes: store.quotes,
    publish: () => undefined,
    log: silentLog,
  });
  const ingest = new Ingest({ engine, persist, clock });
  const outcomes = new Map<string, number>();
  const rejected = new Map<string, number>();
  const feed = createReplayFeed(
    {
      type: 'replay',
      name: 'recordings',
      staleAfterSeconds: 1,
      files,
      format: 'dolarapi',
      speed: 'max',
    },
    {
      clock,
      directory: '.',
      log: silentLog,
      mapLine: mapDolarapiLine,
      pause: pauseInRealTime,
    },
  );
  const accept = async (updates: readonly Update[]): Promise<void> => {
    for (const outcome of await ingest.submit(updates)) {
      const label = labelOf(outcome);
      outcomes.set(label, (outcomes.get(label) ?? 0) + 1);
    }
  };
  let underWay: Promise<void>[] = [];
  for await (const batch of feed.batches(t.signal)) {
    // As in the service, the clock ends sessions too, not only the next quote.
    underWay.push(persist.submit(engine.settle(clock.now())), accept(batch.updates));
    for (const { reason } of batch.rejected) {
      rejected.set(reason, (rejected.get(reason) ?? 0) + 1);
    }
    if (underWay.length < underWayMax) continue;
    await Promise.all(underWay);
    underWay = [];
  }
  await Promise.all(underWay);
  await persist.submit(engine.settle(clock.now() + 7 * dayMs));
  const closes = new Map<string, ReadonlyMap<string, number>>();
  for (const { ticker } of universe.instruments) {
    const everyDay = { from: firstEpochDay, to: lastEpochDay };
    const series = await store.history.readSeries(ticker, everyDay);
    if (series.days.length === 0) continue;
    const days = [...series.days].map((day) => fromEpochDay(day as EpochDay));
    closes.set(
      ticker,
      new Map(days.map((day, index) => [day, series.closes[index] ?? Number.NaN])),
    );
  }
  return { closes, outcomes, rejected };
}

/** The default universe, but with derived instruments that a feed sets, as an operator may configure. */
async function directUniverse(): Promise<Universe> {
  const universe = await defaultUniverse();
  const { instruments, markets, panels } = universe;
  return new Universe({ instruments, markets, panels, derived: [], bondTerms: [] });
}

async function defaultUniverse(): Promise<Universe> {
  const loaded = await loadUniverse(resolve(import.meta.dirname, '../../universe'));
  assert.ok(loaded.ok);
  return loaded.universe;
}

// The code from here on computes the same closes in the simplest way, without using the program.

interface RecordedEntry {
  readonly casa?: string;
  readonly moneda: string;
  readonly monedaBase?: string;
  readonly criptomoneda?: string;
  readonly compra: number;
  readonly venta: number;
  readonly fechaActualizacion?: string;
}

interface RecordedLine {
  readonly committedAt: string;
  readonly path: string;
  readonly data: readonly RecordedEntry[];
}

function linesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').trimEnd().split('\n');
}

/** Bank holidays of 2025. Exchanges have sessions on the last four. */
const bankHolidays = new Set([
  '2025-01-01',
  '2025-03-03',
  '2025-03-04',
  '2025-03-24',
  '2025-04-02',
  '2025-04-17',
  '2025-04-18',
  '2025-05-01',
  '2025-06-16',
  '2025-06-20',
  '2025-07-09',
  '2025-10-10',
  '2025-11-24',
  '2025-12-08',
  '2025-12-25',
  '2025-12-31',
  '2025-05-02',
  '2025-08-15',
  '2025-11-21',
  '2025-12-24',
]);
const exchangesTradeOn = new Set(['2025-05-02', '2025-08-15', '2025-11-21', '2025-12-24']);

/** The session date of an instant; undefined outside the hours of a session. */
function dayOf(ticker: string, at: number): string | undefined {
  const local = new Date(at - 3 * 3_600_000);
  const [day = '', time = ''] = local.toISOString().split('T');
  if (['BTC', 'ETH', 'DOLAR CRIPTO'].includes(ticker)) return day;
  if (local.getUTCDay() % 6 === 0) return undefined;
  const isTraded = ticker === 'DOLAR MEP' || ticker === 'DOLAR CCL';
  if (bankHolidays.has(day) && !(isTraded && exchangesTradeOn.has(day))) return undefined;
  if (!isTraded) return day;
  const opens = day < '2025-07-28' ? '11:00' : '10:30';
  const ends = day === '2025-12-24' ? '15:15:00.000Z' : '17:15:00.000Z';
  return time >= opens && time <= ends ? day : undefined;
}

const askTickers: Readonly<Record<string, string>> = {
  oficial: 'DOLAR OFICIAL VENTA',
  blue: 'DOLAR BLUE VENTA',
  bolsa: 'DOLAR MEP',
  contadoconliqui: 'DOLAR CCL',
  mayorista: 'DOLAR MAYORISTA',
  cripto: 'DOLAR CRIPTO',
  tarjeta: 'DOLAR TARJETA',
};

function pricesOf(entry: RecordedEntry): readonly (readonly [string, number])[] {
  const { casa, moneda, monedaBase, criptomoneda, compra, venta } = entry;
  if (monedaBase !== undefined) {
    return criptomoneda === 'USDT' ? [[monedaBase, (compra + venta) / 2]] : [];
  }
  const ask = askTickers[casa ?? ''];
  if (moneda !== 'USD' || ask === undefined || compra > venta) return [];
  if (casa === 'oficial')
    return [
      ['DOLAR OFICIAL COMPRA', compra],
      [ask, venta],
    ];
  return casa === 'blue'
    ? [
        ['DOLAR BLUE COMPRA', compra],
        [ask, venta],
      ]
    : [[ask, venta]];
}

/**
 * The houses whose instants are true UTC. Those of the others are Buenos Aires time labelled as UTC, unless
 * a machine at -03:00 recorded them.
 */
const inTrueUtc = new Set(['blue', 'bolsa', 'contadoconliqui', 'cripto']);

function instantOf(
  { casa, fechaActualizacion }: RecordedEntry,
  { committedAt, path }: { readonly committedAt: string; readonly path: string },
): number {
  if (fechaActualizacion === undefined) return Date.parse(committedAt);
  const isTrue = path.includes('v1/dolares/') && inTrueUtc.has(casa ?? '');
  if (isTrue || committedAt.endsWith('-03:00')) return Date.parse(fechaActualizacion);
  return Date.parse(fechaActualizacion.replace('Z', '-03:00'));
}

/** The last price of each day: the one with the latest instant, of those that arrived in time. */
function lastOfEachDay(path: string): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const latest = new Map<string, Map<string, { readonly at: number; readonly price: number }>>();
  const latestDay = new Map<string, string>();
  let recordedAt = 0;
  for (const line of linesOf(path)) {
    const row = JSON.parse(line) as RecordedLine;
    recordedAt = Math.max(recordedAt, Date.parse(row.committedAt));
    for (const entry of row.data) {
      const at = instantOf(entry, row);
      if (at > recordedAt + minuteMs) continue;
      for (const [ticker, price] of pricesOf(entry)) {
        const days = latest.get(ticker) ?? new Map<string, { at: number; price: number }>();
        latest.set(ticker, days);
        const day = dayOf(ticker, at);
        if (day === undefined) continue;
        // A day ends with the first price of a later day. Its prices that arrive afterwards are too late.
        if (day < (latestDay.get(ticker) ?? '')) continue;
        latestDay.set(ticker, day);
        const known = days.get(day);
        if (known === undefined || at >= known.at) days.set(day, { at, price });
      }
    }
  }
  return new Map(
    [...latest].map(([ticker, days]) => [
      ticker,
      new Map([...days].map(([day, { price }]) => [day, price])),
    ]),
  );
}

/** Lists the differences, so that a failure is readable. */
function differences(
  made: ReadonlyMap<string, ReadonlyMap<string, number>>,
  expected: ReadonlyMap<string, ReadonlyMap<string, number>>,
): readonly string[] {
  const tickers = new Set([...made.keys(), ...expected.keys()]);
  return [...tickers].flatMap((ticker) => {
    const [ours, theirs] = [made.get(ticker), expected.get(ticker)];
    const days = new Set([...(ours?.keys() ?? []), ...(theirs?.keys() ?? [])]);
    return [...days]
      .filter((day) => ours?.get(day) !== theirs?.get(day))
      .map((day) => `${ticker} ${day}: made ${ours?.get(day)}, expected ${theirs?.get(day)}`);
  });
}

for (const file of [
  'dolares-2025.ndjson',
  'ambito-dolares-2025.ndjson',
  'cotizaciones-2025.ndjson',
  'belo-btc-2025.ndjson',
  'belo-eth-2025.ndjson',
]) {
  test(`the closes from ${file} equal the last quote of each day`, async (t) => {
    const directory = sharedOrSkip(t, recordings);
    if (directory === undefined) return;
    const path = join(directory, file);
    const { closes, outcomes, rejected } = await replay(t, await directUniverse(), [path]);
    t.diagnostic(JSON.stringify(Object.fromEntries([...outcomes, ...rejected])));
    const expected = lastOfEachDay(path);
    assert.ok(expected.size > 0);
    assert.deepEqual(differences(closes, expected), []);
    for (const days of closes.values()) assert.ok(days.size > 100, 'most of the days have a close');
  });
}

test('a quarter with true UTC instants, as in early 2024, has all its sessions', async (t) => {
  const directory = sharedOrSkip(t, recordings);
  if (directory === undefined) return;
  const quarter = linesOf(join(directory, 'ambito-dolares-2025.ndjson')).slice(0, 700);
  const scratch = await temporaryDirectory(t);
  const [recorded, stamped] = [join(scratch, 'recorded'), join(scratch, 'stamped')];
  writeFileSync(recorded, quarter.join('\n'));
  writeFileSync(stamped, quarter.map(stampedInUtc).join('\n'));
  const { closes } = await replay(t, await directUniverse(), [stamped]);
  const expected = sessionsOf(lastOfEachDay(recorded)).toSorted();
  assert.ok(expected.length > 400, `${expected.length} sessions`);
  assert.deepEqual(sessionsOf(closes).toSorted(), expected);
});

function sessionsOf(closes: Replayed['closes']): readonly string[] {
  return [...closes].flatMap(([ticker, days]) => [...days.keys()].map((day) => `${ticker} ${day}`));
}

/** A recorded line in which the instants of the sources are true UTC. */
function stampedInUtc(line: string): string {
  const row = JSON.parse(line) as RecordedLine;
  const data = row.data.map((entry) => ({
    ...entry,
    fechaActualizacion: new Date(instantOf(entry, row)).toISOString(),
  }));
  return JSON.stringify({ ...row, data });
}

test('updates of derived instruments are refused and counted, and all others are accepted', async (t) => {
  const directory = sharedOrSkip(t, recordings);
  if (directory === undefined) return;
  const path = join(directory, 'dolares-2025.ndjson');
  const { closes, outcomes } = await replay(t, await defaultUniverse(), [path]);
  const lines = linesOf(path).length;
  const crossed = 11;
  // DOLAR MEP, DOLAR CCL and DOLAR TARJETA are in every snapshot, except where the CCL is crossed.
  assert.equal(outcomes.get('derived'), 3 * lines - crossed);
  const official = closes.get('DOLAR OFICIAL VENTA');
  assert.deepEqual(closes.get('DOLAR OFICIAL'), official);
  const factor = 1.3;
  assert.deepEqual(
    [...(closes.get('DOLAR TARJETA') ?? [])].map(([day, value]) => [day, value]),
    [...(official ?? [])].map(([day, value]) => [day, Math.round(value * factor * 100) / 100]),
  );
});
