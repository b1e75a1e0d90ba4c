import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LocalBus } from '../../src/bus/local/local-bus.ts';
import { parsePlainDate, toEpochDay } from '../../src/domain/plain-date.ts';
import { SessionCalendar } from '../../src/domain/session-calendar.ts';
import type { Quote } from '../../src/domain/quote.ts';
import type { Ticker } from '../../src/domain/ticker.ts';
import { Engine } from '../../src/engine/engine.ts';
import { argentinadatosType } from '../../src/feeds/argentinadatos/index.ts';
import { binanceType } from '../../src/feeds/binance/index.ts';
import { criptoyaType } from '../../src/feeds/criptoya/index.ts';
import { data912Type } from '../../src/feeds/data912/index.ts';
import { dolarapiType } from '../../src/feeds/dolarapi/index.ts';
import type { FeedDeps, FeedType } from '../../src/feeds/feed-type.ts';
import type { Feed } from '../../src/feeds/feed.ts';
import { httpType } from '../../src/feeds/http/index.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { Noise } from '../../src/lib/noise.ts';
import { Ingest } from '../../src/pipeline/ingest.ts';
import { Persist } from '../../src/pipeline/persist.ts';
import { superviseFeeds } from '../../src/pipeline/supervise-feeds.ts';
import { silentLog } from '../../src/lib/log.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { makeUniverse, sketchMarkets } from '../support/make-universe.ts';
import {
  fixed,
  gzipBomb,
  healthy,
  reset,
  SourceServer,
  stall,
  truncate,
} from '../support/source-server.ts';
import type { Responder, SourceResponse, Upgrader } from '../support/source-server.ts';
import { createFeed } from './source-suite.ts';

/**
 * Several sources over a session, faster than real time, with faults drawn from a seed. `npm test` runs
 * the last hours of a session. `npm run test:soak` runs a whole day at thirty times the speed.
 */
const isLong = process.env['SOAK'] === 'long';
const speed = Number(process.env['SOAK_SPEED'] ?? (isLong ? 30 : 1_200));
const seed = Number(process.env['SOAK_SEED'] ?? 1);

const minuteMs = 60_000;
const date = parsePlainDate('2026-11-20') ?? assert.fail();
const calendar = new SessionCalendar(sketchMarkets.get('BYMA') ?? assert.fail('no market'));
const [opensAt, closesAt] = [calendar.opensAt(date), calendar.closesAt(date)];
const startsAt = isLong ? calendar.startOfDay(date) : closesAt - 120 * minuteMs;
const endsAt = closesAt + (isLong ? 7 * 60 : 30) * minuteMs;
/** After this instant the price does not change, so that every source has time to report it. */
const lastTradeAt = closesAt - 60 * minuteMs;
/** A source that limits requests is requested again after at most a quarter of an hour. */
const lastFaultAt = closesAt - 25 * minuteMs;
/** The maximum real time of the test, in milliseconds. */
const timeout = (endsAt - startsAt) / speed + 60_000;

const risk = 'RIESGO PAIS';
const share = 'PAMP';
const tickers = [
  'GGAL',
  'YPFD',
  'DOLAR BLUE COMPRA',
  'DOLAR BLUE VENTA',
  'DOLAR CRIPTO',
  'BTC/ARS',
  'BTC',
  share,
  risk,
];
// All in one market, so that their sessions end at the same time.
const universe = makeUniverse(
  tickers.map((ticker) => ({
    ticker,
    kind: ticker === share ? 'share' : ticker === risk ? 'country-risk' : 'exchange-rate',
    decimals: 2,
  })),
);

const prices = new Noise(seed, 'prices');

/** The price of the recording: it changes every minute of the session. */
function priceAt(ticker: string, instant: number): number {
  // A daily value.
  if (ticker === risk) return 573;
  const index = tickers.indexOf(ticker);
  const minute = Math.floor(tradedAt(instant) / minuteMs);
  return 1_000 * (index + 1) + Math.floor(prices.uniform(index, minute) * 40_000) / 100;
}

/** The start of the last minute in which there was a trade. */
function tradedAt(instant: number): number {
  const latest = Math.min(instant, lastTradeAt);
  const traded = latest < opensAt ? opensAt - 18 * 60 * minuteMs : latest;
  return Math.floor(traded / minuteMs) * minuteMs;
}

/** The responses of the sources at an instant, by path. */
function recordingAt(path: string, now: number): SourceResponse | undefined {
  const at = new Date(tradedAt(now)).toISOString();
  const price = (ticker: string): number => priceAt(ticker, now);
  switch (path) {
    case '/prices.json':
      return { body: JSON.stringify({ rows: [{ s: 'GGAL', p: price('GGAL'), t: at }] }) };
    case '/prices.csv':
      return { body: `especie;ultimo;hora\nYPFD;${price('YPFD')};${at}\n` };
    case '/v1/dolares': {
      const [compra, venta] = [price('DOLAR BLUE COMPRA'), price('DOLAR BLUE VENTA')];
      const blue = { moneda: 'USD', casa: 'blue', compra, venta, fechaActualizacion: at };
      return { body: JSON.stringify([blue]) };
    }
    case '/api/dolar': {
      const ask = price('DOLAR CRIPTO');
      const usdt = { ask, bid: ask - 1, timestamp: Math.floor(now / 1_000) };
      return { body: JSON.stringify({ cripto: { usdt } }) };
    }
    case '/api/BTC/ARS/0.1': {
      const last = price('BTC/ARS');
      const quote = { ask: last, bid: last, time: Math.floor(now / 1_000) };
      return { body: JSON.stringify({ a: quote, b: quote, c: quote }) };
    }
    case '/live/arg_stocks': {
      const trades = Math.floor((tradedAt(now) - opensAt) / minuteMs);
      const row = { symbol: share, c: price(share), v: trades * 10, q_op: trades };
      return { body: JSON.stringify([row]) };
    }
    case '/v1/finanzas/indices/riesgo-pais/ultimo':
      return { body: JSON.stringify({ valor: price(risk), fecha: at.slice(0, 10) }) };
    default:
      return undefined;
  }
}

const json = { 'content-type': 'application/json' };
const misbehaviours: readonly ((body: string) => Responder)[] = [
  () => fixed(429, { 'retry-after': '7' }),
  () => fixed(429),
  () => fixed(500, json, '{}'),
  () => fixed(503, { 'retry-after': '30' }),
  () => fixed(200, { 'content-type': 'text/html' }, '<!doctype html><html>'),
  () => fixed(200, json, '[]'),
  () => fixed(200, json, '{"rows":[{"s":"GGAL"'),
  () => fixed(302, { location: 'https://example.com/' }),
  (body) => truncate(body),
  (body) => reset(body),
  () => gzipBomb,
  () => stall,
];

/** The parts of the requests and of the messages that meet a fault. */
const faultPart = 0.2;
const frameFaultPart = 0.04;

/** Messages are drawn under this name instead of a path. */
const framesName = 'frames';

/** The kind of the fault that the next request to a path meets, or none. */
type Draw = (path: string, kinds: number, part: number) => number | undefined;

/** Plays the recording and misbehaves as the seed says. Counts the faults. */
function misbehave(server: SourceServer, clock: Clock): { readonly faults: Map<string, number> } {
  const faults = new Map<string, number>();
  const counts = new Map<string, number>();
  // Each path has its own draws, because the order of the requests of several sources is not fixed.
  const draw: Draw = (path, kinds, part) => {
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    const draws = new Noise(seed, path);
    if (clock.now() > lastFaultAt || draws.uniform(count, 0) >= part) return undefined;
    const kind = Math.floor(draws.uniform(count, 1) * kinds);
    const name = `${path === framesName ? 'message' : 'response'} ${kind}`;
    faults.set(name, (faults.get(name) ?? 0) + 1);
    return kind;
  };
  server.respond = (request, response) => {
    // The server records every request, which is not what the memory of this test is about.
    server.requests.length = 0;
    const recorded = recordingAt(request.url, clock.now());
    const kind = draw(request.url, misbehaviours.length, faultPart);
    const wrong = kind === undefined ? undefined : misbehaviours[kind];
    if (wrong === undefined) healthy(() => recorded)(request, response);
    else wrong(recorded?.body ?? '')(request, response);
  };
  server.upgrade = playFrames(clock, draw);
  return { faults };
}

/** A trade of one symbol. */
function frameAt(now: number): string {
  const c = priceAt('BTC', now).toFixed(8);
  const L = Math.floor(tradedAt(now) / minuteMs);
  return JSON.stringify({ data: { e: '24hrTicker', E: Math.floor(now), s: 'BTCUSDT', c, L } });
}

/** Trades of one symbol. A fault repeats an old trade, sends something else, or ends the connection. */
function playFrames(clock: Clock, draw: Draw): Upgrader {
  return (_, __, accept) =>
    accept((socket) => {
      const timer = setInterval(
        () => {
          const now = clock.now();
          const kind = draw(framesName, 4, frameFaultPart);
          if (kind === 0) socket.terminate();
          else if (kind === 1) socket.close(1013);
          else if (kind === 2) socket.send('<html>');
          else socket.send(frameAt(kind === 3 ? now - 30 * minuteMs : now));
        },
        Math.max(20, minuteMs / 2 / speed),
      );
      socket.on('close', () => clearInterval(timer));
    });
}

const configured: readonly (readonly [
  string,
  FeedType,
  string,
  Readonly<Record<string, unknown>>,
])[] = [
  [
    'json',
    httpType,
    '/prices.json',
    { expression: 'rows.{ "ticker": s, "last": p, "at": t }', instruments: { include: ['GGAL'] } },
  ],
  [
    'csv',
    httpType,
    '/prices.csv',
    {
      format: 'csv',
      expression: '$.{ "ticker": especie, "last": ultimo, "at": hora }',
      instruments: { include: ['YPFD'] },
    },
  ],
  [
    'dollars',
    dolarapiType,
    '',
    { pollSeconds: 60, instruments: { include: ['DOLAR BLUE COMPRA', 'DOLAR BLUE VENTA'] } },
  ],
  ['crypto', criptoyaType, '', { pollSeconds: 60 }],
  ['shares', data912Type, '', {}],
  ['risk', argentinadatosType, '', { pollSeconds: 600 }],
  ['trades', binanceType, '', {}],
];

function createFeeds(server: SourceServer, deps: Partial<FeedDeps>): readonly Feed[] {
  return configured.map(([name, type, path, config]) => {
    const isSocket = type === binanceType;
    const url = isSocket ? server.socketUrl : server.url + path;
    return createFeed({ type, universe, now: startsAt, config: { ...config, name } }, url, deps);
  });
}

/** A clock that runs faster, and pauses on it. */
function fastClock(): { readonly clock: Clock; readonly pause: FeedDeps['pause'] } {
  const startedAt = performance.now();
  const monotonic = (): number => (performance.now() - startedAt) * speed;
  return {
    clock: { now: () => Math.floor(startsAt + monotonic()), monotonic },
    pause: (ms, signal) => sleep(ms / speed, undefined, { signal }),
  };
}

/** The memory in use after a collection, in MiB. */
function heapMiB(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 1_048_576;
}

/** The most that memory may grow in the second half, in MiB. A leak of 1 KB for each poll is more. */
const growthMiBMax = 4;

/** Whether a price is that of the recording at an instant. */
function isRecorded(ticker: string, last: number, asOf: number): boolean {
  // The instant of a snapshot is that of its request, and the response was written after it.
  const laterMinutes = ticker === share ? 15 : 0;
  for (let minutes = 0; minutes <= laterMinutes; minutes += 1) {
    if (last === priceAt(ticker, asOf + minutes * minuteMs)) return true;
  }
  return false;
}

/** Every price of the recording in the session. */
function recordedPrices(ticker: string): ReadonlySet<number> {
  const instants = [];
  for (let at = opensAt; at <= closesAt; at += minuteMs) instants.push(at);
  return new Set(instants.map((at) => priceAt(ticker, at)));
}

async function run(t: TestContext): Promise<{
  readonly quotes: ReadonlyMap<Ticker, Quote>;
  readonly closes: Readonly<Record<string, readonly number[]>>;
  readonly invented: readonly string[];
  readonly faults: ReadonlyMap<string, number>;
  readonly growthMiB: number;
}> {
  await using server = await SourceServer.start();
  await using store = await openSqliteStore({ directory: await temporaryDirectory(t) });
  const { clock, pause } = fastClock();
  const { faults } = misbehave(server, clock);
  const engine = new Engine(universe, { settleDelayMs: 15 * minuteMs, nextVersion: 1 });
  const bus = new LocalBus();
  const quotes = new Map<Ticker, Quote>();
  const invented: string[] = [];
  bus.subscribe((changed) => {
    for (const quote of changed) {
      const { instrument, last, asOf } = quote;
      quotes.set(instrument.ticker, quote);
      if (asOf === undefined || !isRecorded(instrument.ticker, last, asOf)) {
        invented.push(`${instrument.ticker} ${last} at ${new Date(asOf ?? 0).toISOString()}`);
      }
    }
  });
  await using persist = new Persist({ quotes: store.quotes, bus, log: silentLog });
  const ingest = new Ingest({ engine, persist, clock });
  const random = Math.random.bind(Math);
  const feeds = createFeeds(server, { clock, pause, random });
  const settle = async (): Promise<void> => persist.submit(engine.settle(clock.now()));
  let growthMiB = 0;
  {
    await using _ = superviseFeeds({
      feeds,
      ingest,
      universe,
      clock,
      random,
      log: silentLog,
      pause,
    });
    const halfwayAt = (startsAt + endsAt) / 2;
    let halfMiB: number | undefined;
    for (let now = startsAt; now < endsAt; now = clock.now()) {
      await pause(minuteMs, t.signal);
      await settle();
      if (now > halfwayAt) halfMiB ??= heapMiB();
    }
    growthMiB = heapMiB() - (halfMiB ?? Number.NaN);
  }
  await settle();
  const closes: Record<string, readonly number[]> = {};
  const day = toEpochDay(date);
  for (const ticker of tickers) {
    const series = await store.history.readSeries(ticker as Ticker, { from: day, to: day });
    closes[ticker] = [...series.closes];
  }
  return { quotes, closes, invented, faults, growthMiB };
}

test(
  'with faults drawn from a seed, every close is that of the recording, no price is invented, and memory is flat',
  { timeout },
  async (t) => {
    const { quotes, closes, invented, faults, growthMiB } = await run(t);
    const met = [...faults.values()].reduce((sum, count) => sum + count, 0);
    t.diagnostic(
      `${met} faults of ${faults.size} kinds, memory grew by ${growthMiB.toFixed(1)} MiB`,
    );
    assert.ok(met >= 8 && faults.size >= 4, `${met} faults`);
    assert.deepEqual(invented, []);
    const expected = tickers.map((ticker) => [ticker, [priceAt(ticker, closesAt)]]);
    assert.deepEqual(closes, Object.fromEntries(expected));
    for (const ticker of tickers) {
      const recorded = recordedPrices(ticker);
      const { open, high, low } = quotes.get(ticker as Ticker) ?? assert.fail(ticker);
      for (const price of [open, high, low])
        assert.ok(recorded.has(price ?? 0), `${ticker} ${price}`);
    }
    assert.ok(growthMiB < growthMiBMax, `memory grew by ${growthMiB} MiB`);
  },
);
