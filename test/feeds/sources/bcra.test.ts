import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SessionCalendar } from '../../../src/domain/calendar/session-calendar.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import {
  type BcraSeries,
  bcraSeries,
  bcraType,
  mapLatest,
  readSeries,
} from '../../../src/feeds/sources/bcra.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { sharedOrSkip } from '../../support/program/shared-data.ts';
import {
  fixed,
  type ReceivedRequest,
  type Responder,
  type SourceResponse,
} from '../../support/http/source-server.ts';
import { playHistory, testHistoryFaults, testPolledSource } from './source-suite.ts';

const now = Date.parse('2026-11-20T18:00:00Z');
const reserves = 'RESERVAS BCRA' as Ticker;
// The market is open all day, like that of the central bank, and on every day of the week.
const universe = makeUniverse(
  Array.from(bcraSeries.keys(), (ticker) => ({ ticker, kind: 'index', market: 'CRIPTO' })),
);
const calendar = new SessionCalendar(universe.marketOf(universe.get(reserves)));

function monetary(id: number, rows: readonly (readonly [string, unknown])[], count = rows.length) {
  const detalle = rows.map(([fecha, valor]) => ({ fecha, valor }));
  const metadata = { resultset: { count, offset: 0, limit: 3_000 } };
  return JSON.stringify({ status: 200, metadata, results: [{ idVariable: id, detalle }] });
}

function euro(rows: readonly (readonly [string, unknown])[]): string {
  const results = rows.map(([fecha, tipoPase]) => ({
    fecha,
    detalle: [{ codigoMoneda: 'EUR', descripcion: 'EURO', tipoPase, tipoCotizacion: 1_779.1 }],
  }));
  return JSON.stringify({ status: 200, results });
}

function seriesFor(ticker: string): BcraSeries {
  const series = bcraSeries.get(ticker);
  assert.ok(series !== undefined);
  return series;
}

function respond({ url }: ReceivedRequest): SourceResponse | undefined {
  switch (url) {
    case '/estadisticas/v4.0/Monetarias/1?limit=10':
      return {
        body: monetary(1, [
          ['2026-11-18', 46_092],
          ['2026-11-17', 46_010],
        ]),
      };
    case '/estadisticas/v4.0/Monetarias/5?limit=10':
      return {
        body: monetary(5, [
          ['2026-11-20', 1_523.0868],
          ['2026-11-19', 1_520.5],
        ]),
      };
    case '/estadisticascambiarias/v1.0/Cotizaciones/EUR?limit=10':
      return { body: euro([['2026-11-20T00:00:00', 1.1681]]) };
    default:
      return undefined;
  }
}

testPolledSource({
  type: bcraType,
  universe,
  now,
  respond,
  emptyBodies: [
    '[]',
    '{}',
    '{"status":200,"results":[]}',
    '{"status":200,"results":{"fecha":null,"detalle":[]}}',
    '{"status":400,"errorMessages":["Fecha inválida"]}',
  ],
  expected: [
    {
      ticker: reserves,
      at: Date.parse('2026-11-18T00:00:00-03:00'),
      last: 46_092,
      previousClose: 46_010,
    },
    {
      ticker: 'DOLAR A3500' as Ticker,
      at: Date.parse('2026-11-20T00:00:00-03:00'),
      last: 1_523.0868,
      previousClose: 1_520.5,
    },
    { ticker: 'DOLAR/EURO' as Ticker, at: Date.parse('2026-11-20T00:00:00-03:00'), last: 1.1681 },
  ],
});

test('bcra: a value of no day, of year 1, of a day to come or without a number is rejected, and the others are used', () => {
  const rows = [
    ['2026-11-21', 5],
    ['2026-11-20', null],
    ['2026-11-19', 0],
    ['2026-02-30', 5],
    ['0001-01-01', 5],
    ['2026-11-18', 46_092],
  ] as const;
  const part = readSeries(JSON.parse(monetary(1, rows)), seriesFor(reserves));
  const { updates, rejected } = mapLatest(part, { ticker: reserves, calendar, snapshotAt: now });
  assert.deepEqual(updates, [
    { ticker: reserves, at: Date.parse('2026-11-18T00:00:00-03:00'), last: 46_092 },
  ]);
  assert.deepEqual(rejected.map(({ reason }) => reason).toSorted(), [
    'bad-instant',
    'bad-instant',
    'bad-instant',
    'no-price',
    'no-price',
  ]);
});

test('bcra: another series than the one that was requested is a fault, and not a price', () => {
  const body: unknown = JSON.parse(monetary(5, [['2026-11-18', 1_523]]));
  assert.throws(() => readSeries(body, seriesFor(reserves)), { code: 'unintelligible' });
});

/** What the history of an instrument gives, and the requests that it sent. */
async function history(ticker: string, [from, to]: readonly [string, string], answer: Responder) {
  const source = { type: bcraType, universe, now };
  const { closes, urls } = await playHistory(source, { ticker, from, to, respond: answer });
  return { closes: closes.map(({ date, close }) => [date, close] as const), urls };
}

testHistoryFaults(bcraType, (answer) => history(reserves, ['2026-11-01', '2026-11-19'], answer));

test('bcra: the history is read page by page, oldest first, and today is left out', async () => {
  const pages = new Map([
    [
      '0',
      monetary(
        1,
        [
          ['2026-11-20', 4],
          ['2026-11-19', 3],
        ],
        4,
      ),
    ],
    [
      '2',
      monetary(
        1,
        [
          ['2026-11-18', 2],
          ['2026-11-17', 1],
        ],
        4,
      ),
    ],
  ]);
  const answer: Responder = ({ url }, response) => {
    const offset = new URL(url, 'http://x').searchParams.get('offset') ?? '';
    response.end(pages.get(offset));
  };
  const { closes, urls } = await history(reserves, ['1996-01-01', '2026-12-31'], answer);
  assert.deepEqual(closes, [
    ['2026-11-17', 1],
    ['2026-11-18', 2],
    ['2026-11-19', 3],
  ]);
  // The end of the range is today: the source refuses a date to come.
  assert.deepEqual(
    urls,
    ['0', '2'].map(
      (offset) =>
        `/estadisticas/v4.0/Monetarias/1?desde=1996-01-01&hasta=2026-11-20&limit=3000&offset=${offset}`,
    ),
  );
});

test('bcra: the names of the parameters of the exchange rates are in lower case', async () => {
  const answer = fixed(200, {}, euro([['2026-11-19', 1.16]]));
  const { closes, urls } = await history('DOLAR/EURO', ['2026-11-01', '2026-11-19'], answer);
  assert.deepEqual(closes, [['2026-11-19', 1.16]]);
  assert.deepEqual(urls, [
    '/estadisticascambiarias/v1.0/Cotizaciones/EUR?fechadesde=2026-11-01&fechahasta=2026-11-19&limit=1000&offset=0',
  ]);
});

test('bcra: a range without values has no closes, and a range to come sends no request', async () => {
  const empty = fixed(200, {}, '{"status":200,"metadata":{"resultset":{"count":0}},"results":[]}');
  const past = await history(reserves, ['2026-11-14', '2026-11-15'], empty);
  assert.deepEqual(past.closes, []);
  const ahead = await history(reserves, ['2026-11-21', '2026-11-30'], empty);
  assert.deepEqual(ahead, { closes: [], urls: [] });
});

test('bcra: a page that fails fails the whole history, because a part would look complete', async () => {
  let requests = 0;
  const answer: Responder = (_, response) => {
    requests += 1;
    if (requests === 1) response.end(monetary(1, [['2026-11-19', 3]], 9));
    else response.writeHead(503, { 'retry-after': '30' }).end();
  };
  const read = history(reserves, ['2026-11-01', '2026-11-19'], answer);
  await assert.rejects(read, { code: 'unavailable', retryAfterMs: 30_000 });
});

test('bcra: pages without an end are a fault', async () => {
  const answer = fixed(200, {}, monetary(1, [['2026-11-19', 3]], 1e9));
  const read = history(reserves, ['2026-11-01', '2026-11-19'], answer);
  await assert.rejects(read, { code: 'unintelligible' });
});

test('bcra: the recorded part of a series is read', (t) => {
  const path = sharedOrSkip(t, 'payloads/bcra/monetarias-4-202603.json');
  if (path === undefined) return;
  // The recording is of another number; its form is that of all series.
  const text = readFileSync(path, 'utf8').replace('"idVariable": 4', '"idVariable": 1');
  assert.deepEqual(readSeries(JSON.parse(text), seriesFor(reserves)), {
    values: [
      { date: '2026-03-30', value: 1_419.32 },
      { date: '2026-03-27', value: 1_404.43 },
    ],
    rejected: [],
    rows: 2,
    count: 19,
  });
});
