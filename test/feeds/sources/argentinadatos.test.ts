import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import {
  argentinadatosType,
  historyTickers,
  mapLatest,
} from '../../../src/feeds/sources/argentinadatos.ts';
import { SessionCalendar } from '../../../src/domain/calendar/session-calendar.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { sharedOrSkip } from '../../support/program/shared-data.ts';
import { fixed, type Responder } from '../../support/http/source-server.ts';
import { createHistory, playHistory, testHistoryFaults, testPolledSource } from './source-suite.ts';

const now = Date.parse('2026-11-20T18:00:00Z');
const risk = 'RIESGO PAIS' as Ticker;
const universe = makeUniverse(
  historyTickers.map((ticker) => ({
    ticker,
    kind: ticker === risk ? 'country-risk' : 'exchange-rate',
  })),
);
const calendar = new SessionCalendar(universe.marketOf(universe.get(risk)));

testPolledSource({
  type: argentinadatosType,
  universe,
  now,
  respond: ({ url }) =>
    url === '/v1/finanzas/indices/riesgo-pais/ultimo'
      ? { body: '{"valor":573,"fecha":"2026-11-20"}' }
      : undefined,
  emptyBodies: ['{}', '[]', '[{"valor":573,"fecha":"2026-11-20"}]'],
  // The day has no time: the instant is the open of the market.
  expected: [{ ticker: risk, at: Date.parse('2026-11-20T10:30:00-03:00'), last: 573 }],
});

test('argentinadatos: a country risk without a number, of year 1 or of a day to come is rejected', () => {
  for (const [body, reason] of [
    [{ valor: null, fecha: '2026-11-20' }, 'no-price'],
    [{ valor: 0, fecha: '2026-11-20' }, 'no-price'],
    [{ valor: '573', fecha: '2026-11-20' }, 'no-price'],
    [{ valor: 573, fecha: '2026-11-21' }, 'bad-instant'],
    [{ valor: 573, fecha: '0001-01-01' }, 'bad-instant'],
    [{ valor: 573, fecha: null }, 'bad-instant'],
  ] as const) {
    const { updates, rejected } = mapLatest(body, { ticker: risk, calendar, snapshotAt: now });
    assert.deepEqual(updates, []);
    assert.deepEqual(
      rejected.map((one) => one.reason),
      [reason],
    );
  }
});

/** The closes and the reasons of the rejections of the history of an instrument. */
async function history(ticker: string, respond: Responder) {
  const range = { from: '2026-11-01', to: '2026-11-20' };
  const source = { type: argentinadatosType, universe, now };
  const { closes, rejected, urls } = await playHistory(source, { ticker, ...range, respond });
  const pairs = closes.map(({ date, close }) => [date, close] as const);
  return { closes: pairs, reasons: rejected, urls };
}

testHistoryFaults(argentinadatosType, (respond) => history('DOLAR MEP', respond));

function row(fecha: string, compra: unknown, venta: unknown): object {
  return { casa: 'oficial', compra, venta, fecha };
}

test('argentinadatos: days without a session, crossed rates, missing prices and today are no closes', async () => {
  const rows = [
    row('2026-11-12', 1_480, 1_500),
    row('2026-11-13', 1_490, 1_510),
    // Saturday and Sunday repeat Friday.
    row('2026-11-14', 1_490, 1_510),
    row('2026-11-15', 1_490, 1_510),
    row('2026-11-16', 1_520, 1_510),
    row('2026-11-17', null, 1_515),
    row('2026-11-18', 1_491, null),
    row('2026-11-20', 1_495, 1_515),
    'row',
    row('2026-02-30', 1, 2),
  ];
  const answer = fixed(200, {}, JSON.stringify(rows));
  const seller = await history('DOLAR OFICIAL VENTA', answer);
  assert.deepEqual(seller, {
    closes: [
      ['2026-11-12', 1_500],
      ['2026-11-13', 1_510],
      ['2026-11-17', 1_515],
    ],
    reasons: [
      'not-traded',
      'not-traded',
      'crossed',
      'unintelligible',
      'unintelligible',
      'no-price',
    ],
    urls: ['/v1/cotizaciones/dolares/oficial'],
  });
  const buyer = await history('DOLAR OFICIAL COMPRA', answer);
  assert.deepEqual(buyer.closes.at(-1), ['2026-11-18', 1_491]);
});

test('argentinadatos: every instrument has the series of its own house', async () => {
  const urls = new Map<string, string | undefined>();
  for (const ticker of historyTickers) {
    const rows = [{ ...row('2026-11-12', 1, 2), valor: 3 }];
    const found = await history(ticker, fixed(200, {}, JSON.stringify(rows)));
    urls.set(ticker, found.urls[0]);
    assert.equal(found.closes.length, 1, ticker);
  }
  assert.deepEqual(Object.fromEntries(urls), {
    'DOLAR OFICIAL': '/v1/cotizaciones/dolares/oficial',
    'DOLAR OFICIAL COMPRA': '/v1/cotizaciones/dolares/oficial',
    'DOLAR OFICIAL VENTA': '/v1/cotizaciones/dolares/oficial',
    'DOLAR MAYORISTA': '/v1/cotizaciones/dolares/mayorista',
    'DOLAR TARJETA': '/v1/cotizaciones/dolares/tarjeta',
    'DOLAR BLUE': '/v1/cotizaciones/dolares/blue',
    'DOLAR BLUE COMPRA': '/v1/cotizaciones/dolares/blue',
    'DOLAR BLUE VENTA': '/v1/cotizaciones/dolares/blue',
    'DOLAR MEP': '/v1/cotizaciones/dolares/bolsa',
    'DOLAR CCL': '/v1/cotizaciones/dolares/contadoconliqui',
    'DOLAR CRIPTO': '/v1/cotizaciones/dolares/cripto',
    'RIESGO PAIS': '/v1/finanzas/indices/riesgo-pais',
  });
});

test('argentinadatos: the history of a derived instrument is read, because its past is not computed', () => {
  const derived = makeUniverse([
    { ticker: 'DOLAR BLUE VENTA', kind: 'exchange-rate' },
    {
      ticker: 'DOLAR BLUE',
      kind: 'exchange-rate',
      derivation: { type: 'alias', source: 'DOLAR BLUE VENTA' as Ticker },
    },
  ]);
  const source = createHistory({ type: argentinadatosType, universe: derived, now }, 'http://x');
  assert.deepEqual(source.instruments, ['DOLAR BLUE VENTA', 'DOLAR BLUE']);
});

test('argentinadatos: a history without rows is a fault', async () => {
  for (const body of ['[]', '{"error":"Not found"}']) {
    await assert.rejects(history('DOLAR MEP', fixed(200, {}, body)), { code: 'unintelligible' });
  }
});

for (const [ticker, file, first, count] of [
  ['DOLAR MEP', 'cotizaciones/dolares/bolsa', ['2018-10-29', 36.97], 1_800],
  ['DOLAR BLUE COMPRA', 'cotizaciones/dolares/blue', ['2011-01-03', 4], 3_700],
  ['RIESGO PAIS', 'finanzas/indices/riesgo-pais', ['1999-01-22', 937], 6_800],
] as const) {
  test(`argentinadatos: the recorded history of ${ticker} gives a close for every business day`, async (t) => {
    const path = sharedOrSkip(
      t,
      `history/enzonotario__esjs-argentina-datos-api/datos/v1/${file}/index.json`,
    );
    if (path === undefined) return;
    const { closes, reasons } = await history(ticker, fixed(200, {}, readFileSync(path, 'utf8')));
    assert.deepEqual(closes[0], first);
    assert.ok(closes.length > count, `${closes.length} closes`);
    assert.deepEqual(
      [...new Set(reasons)].filter((reason) => reason !== 'not-traded' && reason !== 'crossed'),
      [],
    );
  });
}
