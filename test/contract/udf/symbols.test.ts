import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { after, test } from 'node:test';

import { Board } from '../../../src/board/board.ts';
import type { PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import { MarketCalendars } from '../../../src/domain/instruments/market-calendars.ts';
import { loadUniverse } from '../../../src/universe/load-universe.ts';
import { symbolJson } from '../../../src/contract/paths/udf/symbols.ts';
import { assertSchemaOf } from '../../support/http/contract.ts';
import { testNow } from '../../support/http/start-test-server.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { startUdfServer } from './udf-market.ts';

/** Contract 4.15.2 to 4.15.6. */
const udf = await startUdfServer();
after(() => udf[Symbol.asyncDispose]());

type Row = Readonly<Record<string, unknown>>;

const unknown = { s: 'error', errmsg: 'unknown_symbol' };

test('contract 4.15.4 and 4.15.5: a symbol has its type, market, sessions, holidays, early closes and decimals', async () => {
  assert.deepEqual(await udf.get('symbols?symbol=GGAL'), {
    name: 'GGAL',
    ticker: 'GGAL',
    description: 'GGAL',
    type: 'stock',
    exchange: 'BYMA',
    listed_exchange: 'BYMA',
    timezone: 'America/Argentina/Buenos_Aires',
    session: '1030-1700:23456',
    session_holidays: '20260101,20261123,20261208,20261225',
    corrections: '1030-1500:20261224',
    format: 'price',
    minmov: 1,
    pricescale: 10_000,
    has_intraday: true,
    intraday_multipliers: ['1', '5', '15', '60'],
    has_daily: true,
    daily_multipliers: ['1'],
    has_weekly_and_monthly: true,
    weekly_multipliers: ['1'],
    monthly_multipliers: ['1'],
    visible_plots_set: 'ohlcv',
    volume_precision: 0,
    currency_code: 'ARS',
    original_currency_code: 'ARS',
    data_status: 'streaming',
    delay: 0,
  });
  const { session, pricescale, volume_precision, ...btc } =
    await udf.get<Row>('symbols?symbol=btc');
  assert.deepEqual([session, pricescale, volume_precision], ['24x7', 1e8, 8]);
  assert.ok(!('session_holidays' in btc) && !('corrections' in btc));
  const apple = await udf.get<Row>('symbols?symbol=AAPL_US');
  assert.equal(apple['timezone'], 'America/New_York');
  assert.equal(apple['corrections'], '0930-1300:20261127');
  const mep = await udf.get<Row>('symbols?symbol=DOLAR+MEP');
  assert.equal(mep['visible_plots_set'], 'ohlc');
  assert.ok(!('volume_precision' in mep));
});

test('contract 4.15.4: the delay of the source is in seconds', async () => {
  const stateOf = async (): Promise<unknown> => {
    const { data_status, delay } = await udf.get<Row>('symbols?symbol=COME');
    return [data_status, delay];
  };
  const session = { date: '2026-11-20', last: 88, volume: 1 };
  udf.show('COME', session, { source: { name: 'byma', delayMinutes: 20 } });
  assert.deepEqual(await stateOf(), ['delayed_streaming', 1_200]);
  udf.show('COME', session, { source: { name: 'primary', delayMinutes: 0 } });
  assert.deepEqual(await stateOf(), ['streaming', 0]);
});

test('contract 4.15.2: every spelling of a ticker, also after the code of a market, gives the canonical one', async () => {
  for (const [spelling, ticker] of [
    ['BYMA:GGAL', 'GGAL'],
    ['ggal', 'GGAL'],
    ['DOLAR%20MEP', 'DOLAR MEP'],
    ['BYMA:dolar++mep', 'DOLAR MEP'],
    ['DOLAR/EURO', 'DOLAR/EURO'],
    ['DOLAR%2FEURO', 'DOLAR/EURO'],
    ['NYSE%3AAAPL_US', 'AAPL_US'],
    [':GGAL', 'GGAL'],
  ] as const) {
    const symbol = await udf.get<Row>(`symbols?symbol=${spelling}`);
    assert.deepEqual([symbol['name'], symbol['ticker']], [ticker, ticker], spelling);
  }
});

test('contract 4.15.4: an unknown symbol is 200 with the error that the library knows', async () => {
  const names = [
    'NO',
    'A:B:GGAL',
    'x'.repeat(41),
    '__proto__',
    '%00',
    '%zz',
    '%FF',
    'GGAL:',
    'A,B',
    ':',
  ];
  for (const name of names) {
    assert.deepEqual(await udf.get(`symbols?symbol=${name}`), unknown, name);
  }
});

test('contract 4.15.3: the configuration names the markets with instruments and the types, and the time is whole seconds', async () => {
  const { exchanges, ...config } =
    await udf.get<Readonly<Record<string, readonly Row[]>>>('config');
  assert.deepEqual(
    exchanges?.map(({ value }) => value),
    ['', 'BYMA', 'NYSE', 'CRIPTO'],
  );
  assert.deepEqual(exchanges?.slice(0, 2), [
    { value: '', name: 'Todos los mercados', desc: '' },
    { value: 'BYMA', name: 'BYMA', desc: 'Bolsas y Mercados Argentinos' },
  ]);
  assert.deepEqual(config, {
    supports_search: true,
    supports_group_request: false,
    supports_marks: false,
    supports_timescale_marks: true,
    supports_time: true,
    supported_resolutions: ['1', '5', '15', '30', '60', '240', '1D', '1W', '1M'],
    symbols_types: [
      { value: '', name: 'Todas' },
      { value: 'stock', name: 'Acciones' },
      { value: 'dr', name: 'CEDEAR y ADR' },
      { value: 'fund', name: 'ETF' },
      { value: 'bond', name: 'Bonos y letras' },
      { value: 'index', name: 'Índices' },
      { value: 'forex', name: 'Tipos de cambio' },
      { value: 'economic', name: 'Tasas y brechas' },
      { value: 'crypto', name: 'Criptomonedas' },
    ],
  });
  assert.equal((await udf.server.get('/udf/time')).body, String(testNow / 1000));
});

test('contract 4.15.6: the search finds as /especies.json does, within a type and a market', async () => {
  const found = async (query: string): Promise<unknown> =>
    (await udf.get<readonly Row[]>(`search?${query}`)).map(({ ticker }) => ticker);
  assert.deepEqual(await udf.get('search?query=DOLAR&limit=1'), [
    {
      symbol: 'DOLAR MEP',
      full_name: 'BYMA:DOLAR MEP',
      description: 'DOLAR MEP',
      exchange: 'BYMA',
      ticker: 'DOLAR MEP',
      type: 'forex',
    },
  ]);
  const answer = await udf.server.get('/especies.json?buscar=a');
  const expected = (answer.json() as readonly Row[]).map(({ especie }) => especie);
  assert.deepEqual(await found('query=A&limit=50'), expected);
  assert.deepEqual(await found('query=&limit=2'), ['YPFD', 'GGAL']);
  assert.deepEqual(await found('limit=2&exchange=NYSE'), ['SPY_US', 'BABA_US']);
  assert.deepEqual(await found('query=GGAL&type=dr&exchange='), ['GGAL_US']);
  assert.deepEqual(await found('query=GGAL&type=x'), []);
  assert.deepEqual(await found(`query=${'A'.repeat(101)}`), []);
});

test('contract 4.15.6: a search has 30 results by default and at most 50, and a text of 100 characters is searched', async () => {
  const names = Array.from({ length: 51 }, (_, at) => ({ ticker: `Z${at}` }));
  const long = { ticker: 'LARGA', name: 'A'.repeat(100) };
  const dollar = { ticker: 'DOLAR MEP', kind: 'exchange-rate' } as const;
  const board = new Board(makeUniverse([...names, long, dollar]));
  await using many = await startUdfServer({ board });
  const search = async (query: string): Promise<readonly unknown[]> =>
    (await many.get<readonly Row[]>(`search?${query}`)).map(({ ticker }) => ticker);
  assert.equal((await search('')).length, 30);
  assert.equal((await search('limit=50')).length, 50);
  assert.deepEqual(await search(`query=${long.name}`), ['LARGA']);
  const folded = 'query=d%C3%B3lar++mep&type=forex&exchange=BYMA';
  assert.deepEqual(await search(folded), ['DOLAR MEP']);
});

test('contract 4.15.4 and 4.15.5: every instrument of the default universe is a valid symbol', async () => {
  const loaded = await loadUniverse(resolve(import.meta.dirname, '../../../universe'));
  assert.ok(loaded.ok);
  const { universe } = loaded;
  const calendars = new MarketCalendars(universe);
  const today = '2026-11-20' as PlainDate;
  const symbols = universe.instruments.map((instrument) => {
    const calendar = calendars.of(instrument);
    const symbol = JSON.parse(symbolJson(instrument, { calendar, today })) as Row;
    assertSchemaOf('SimboloDeGrafico', symbol);
    assert.equal(symbol['ticker'], instrument.ticker);
    // A unit that is no currency, such as %, is absent.
    const { currency_code: code, original_currency_code: original } = symbol;
    const currency = /^[A-Za-z]+$/.test(instrument.currency) ? instrument.currency : undefined;
    assert.deepEqual([code, original], [currency, currency], instrument.ticker);
    return symbol;
  });
  const sessions = new Set(symbols.map(({ session }) => session));
  assert.ok(sessions.has('24x7') && sessions.has('0000-0000:23456'));
  const ggal = symbols.find(({ ticker }) => ticker === 'GGAL') ?? assert.fail();
  assert.match(String(ggal['session_holidays']), /(?:^|,)20261225(?:,|$)/);
});
