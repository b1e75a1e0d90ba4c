import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import type { CorporateAction } from '../../../src/domain/history/corporate-action.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { closeOn } from '../../support/market/close-on.ts';
import { fieldsIn } from '../../support/fields-in.ts';
import { day, dayTime, startUdfServer } from './udf-market.ts';

/** Contract 4.15.9 and 4.15.10. */
const udf = await startUdfServer();
after(() => udf[Symbol.asyncDispose]());

interface Quotes {
  readonly s: string;
  readonly d: readonly { readonly s: string; readonly n: string; readonly v: object }[];
}

test('contract 4.15.9: there is an entry for each symbol in the order of the request, and an unknown one affects no other', async () => {
  const names = ['BYMA:GGAL', 'NO"', 'ggal', '', '%zz', 'DOLAR MEP', '__proto__', 'GGAL', 'NUEVA'];
  const { s, d } = await udf.get<Quotes>(
    `quotes?symbols=${names.map((name) => (name === '%zz' ? name : encodeURIComponent(name))).join()}`,
  );
  assert.equal(s, 'ok');
  assert.deepEqual(fieldsIn(d, 'n'), names);
  assert.deepEqual(
    d.map((one) => one.s),
    ['ok', 'error', 'ok', 'error', 'error', 'ok', 'error', 'ok', 'ok'],
  );
  assert.deepEqual(d[1]?.v, {});
  // An instrument without a quote.
  assert.deepEqual(d[8]?.v, { short_name: 'NUEVA', exchange: 'BYMA', description: 'NUEVA' });
});

test('contract 4.15.9: the values are those of /cotizaciones; what is not known is absent', async () => {
  const book = { at: 1, bid: 7_405, ask: 7_410.5 };
  const ggal = {
    date: '2026-11-20',
    last: 7_410,
    open: 7_330,
    low: 7_275,
    high: 7_450,
    volume: 9,
    book,
  };
  udf.show('GGAL', ggal, { references: { previous: closeOn('2026-11-19', 7_310.1) } });
  udf.show(
    'MEP-CCL',
    { date: '2026-11-20', last: -0.4 },
    { references: { previous: closeOn('2026-11-19', 0.1) } },
  );
  udf.show(
    'YPFD',
    { date: '2026-11-20', last: 41_250 },
    { references: { previous: closeOn('2026-09-01', 40_000) } },
  );
  // One side of a book has no spread, and that of both has no binary error.
  const btc = { date: '2026-11-20', last: 0.2, volume: 1 };
  const spreadOf = async (sides: object): Promise<unknown> => {
    udf.show('BTC', { ...btc, book: { at: 1, ...sides } });
    const [one] = (await udf.get<Quotes>('quotes?symbols=BTC')).d;
    const { bid, ask, spread } = (one?.v ?? {}) as Readonly<Record<string, unknown>>;
    return [bid, ask, spread];
  };
  assert.deepEqual(await spreadOf({ bid: 0.1 }), [0.1, undefined, undefined]);
  assert.deepEqual(await spreadOf({ bid: 0.1, ask: 0.3 }), [0.1, 0.3, 0.2]);
  const { d } = await udf.get<Quotes>('quotes?symbols=GGAL,MEP-CCL,YPFD');
  assert.deepEqual(fieldsIn(d, 'v'), [
    {
      lp: 7_410,
      ch: 99.9,
      chp: 1.37,
      short_name: 'GGAL',
      exchange: 'BYMA',
      description: 'GGAL',
      open_price: 7_330,
      high_price: 7_450,
      low_price: 7_275,
      prev_close_price: 7_310.1,
      volume: 9,
      bid: 7_405,
      ask: 7_410.5,
      spread: 5.5,
    },
    {
      lp: -0.4,
      ch: -0.5,
      short_name: 'MEP-CCL',
      exchange: 'BYMA',
      description: 'MEP-CCL',
      prev_close_price: 0.1,
    },
    // No variation, as when the previous close is too old to compare with.
    {
      lp: 41_250,
      short_name: 'YPFD',
      exchange: 'BYMA',
      description: 'YPFD',
      prev_close_price: 40_000,
    },
  ]);
});

test('contract 4.15.9: without symbols, and with more than the limit, the response is 400 with both numbers', async () => {
  assert.equal((await udf.server.get('/udf/quotes?symbols=')).status, 400);
  const symbols = Array.from({ length: 501 }, () => 'A').join();
  const refused = await udf.server.get(`/udf/quotes?symbols=${symbols}`);
  assert.equal(refused.status, 400);
  assert.match(refused.body, /«symbols» tiene 501 especies\. Se admiten como máximo 500/);
});

test('contract 4.15.9: the tag changes with a value of one of the symbols and with nothing else', async () => {
  const ask = (fields: Readonly<Record<string, string>> = {}) =>
    udf.server.get('/udf/quotes?symbols=COME,NO', { headers: fields });
  const etag = { 'if-none-match': (await ask()).header('etag') ?? assert.fail('no tag') };
  udf.show('AAPL', { date: '2026-11-20', last: 22_100, volume: 1 });
  assert.equal((await ask(etag)).status, 304);
  udf.show('COME', { date: '2026-11-20', last: 88.5, volume: 1 });
  assert.equal((await ask(etag)).status, 200);
});

function action(date: string, more: object, ticker = 'AAPL'): CorporateAction {
  const known = { ticker: ticker as Ticker, exDay: day(date), source: 'test' };
  return { ...known, ...more } as CorporateAction;
}

test('contract 4.15.10: a dividend names what one unit of its instrument is, and every other action its factor', async () => {
  const paid = { type: 'cash-dividend', amount: 0.1, currency: 'USD' };
  const units = { BABA_US: 'ADR', SPY_US: 'cuotaparte', AL30: 'unidad' };
  udf.adopt([
    ...Object.keys(units).map((ticker) => action('2026-11-18', paid, ticker)),
    action('2026-11-23', { type: 'rights-issue', factor: 1.1 }, 'GGAL'),
    action('2026-11-18', { ...paid, amount: 1234.5, currency: 'ARS' }, 'GGAL'),
    action('2026-11-24', { type: 'spin-off', factor: 2.376 }, 'GGAL'),
  ]);
  const marksOf = async (ticker: string): Promise<readonly unknown[]> => {
    const query = `symbol=${ticker}&from=-8640000000000&to=8640000000000`;
    const marks = await udf.get<readonly Readonly<Record<string, unknown>>[]>(
      `timescale_marks?${query}`,
    );
    return marks.map(({ id, label, color, tooltip }) => [id, label, color, tooltip]);
  };
  for (const [ticker, unit] of Object.entries(units))
    assert.deepEqual(await marksOf(ticker), [
      [`${ticker}-2026-11-18-dividendo`, 'D', 'green', [`Dividendo: 0,1 USD por ${unit}`]],
    ]);
  assert.deepEqual(await marksOf('GGAL'), [
    ['GGAL-2026-11-18-dividendo', 'D', 'green', ['Dividendo: 1.234,5 ARS por acción']],
    ['GGAL-2026-11-23-suscripcion', 'P', 'blue', ['Derechos de suscripción: factor 1,1']],
    ['GGAL-2026-11-24-escision', 'E', 'blue', ['Escisión: factor 2,376']],
  ]);
  assert.deepEqual(await marksOf('COME'), []);
});

test('contract 4.15.10: each corporate action within the instants is a mark with a text in Spanish', async () => {
  udf.adopt([
    action('2026-11-18', { type: 'cash-dividend', amount: 12.5, currency: 'ARS' }),
    action('2026-11-19', { type: 'split', factor: 10 }),
    action('2026-11-19', { type: 'stock-dividend', factor: 1.09 }),
    action('2026-11-20', { type: 'ratio-change', factor: 2 }),
    action('2026-11-23', { type: 'split', factor: 0.1 }),
    action('2026-11-24', { type: 'ticker-change', newTicker: 'AAPL' }, 'APPL'),
    action('2026-11-19', { type: 'split', factor: 3 }, 'GGAL'),
  ]);
  const marks = (from: string, to: string) =>
    udf.get<readonly Readonly<Record<string, unknown>>[]>(
      `timescale_marks?symbol=BYMA:AAPL&from=${dayTime(from)}&to=${dayTime(to)}&resolution=1D`,
    );
  const all = await marks('2026-01-01', '2026-12-31');
  assert.deepEqual(all[0], {
    id: 'AAPL-2026-11-18-dividendo',
    time: dayTime('2026-11-18'),
    color: 'green',
    label: 'D',
    tooltip: ['Dividendo: 12,5 ARS por CEDEAR'],
  });
  assert.deepEqual(
    all.map(({ label, color, tooltip }) => [label, color, tooltip]),
    [
      ['D', 'green', ['Dividendo: 12,5 ARS por CEDEAR']],
      ['S', 'blue', ['Split: 10 por 1']],
      ['A', 'blue', ['Dividendo en acciones: 9 %']],
      ['R', 'yellow', ['Cambio de ratio: 2 por 1']],
      ['S', 'blue', ['Split: 1 por 10']],
      ['T', 'yellow', ['Cambio de ticker: de APPL a AAPL']],
    ],
  );
  const some = await marks('2026-11-19', '2026-11-20');
  assert.deepEqual(some, all.slice(1, 4));
  assert.deepEqual(await udf.get(`timescale_marks?symbol=NO&from=0&to=1`), []);
});
