import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sampleQuotes, sampleUniverse } from '../../../test/support/market/sample-market.ts';
import { extrasOf, noExtras, quoteExtras } from '../../domain/quotes/quote-extra.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { quoteJson, quoteTable } from './quote.ts';

const [plain = assert.fail(), other = assert.fail()] = sampleQuotes;
const instants = new InstantTexts(sampleUniverse);
const table = quoteTable(instants);
const quote: Quote = {
  ...plain,
  book: {
    at: 1,
    bid: 41_249.500_04,
    ask: 41_250.999_96,
    bidSize: 12.5,
    askSize: 3,
    amount: 1_234_567.890_1,
    trades: 42,
  },
  source: { name: 'byma "2"', delayMinutes: 20 },
};

const allJson =
  ',"compra":41249.5,"venta":41251,"cantCompra":12.5,"cantVenta":3,"monto":1234567.8901,' +
  '"operaciones":42,"fuente":"byma \\"2\\""}';

test('contract 2.7.1: the requested fields follow volumen, in the order of the contract', () => {
  const base = quoteJson(plain);
  const open = base.slice(0, -1);
  assert.equal(quoteJson(quote), base);
  assert.equal(quoteJson(quote, noExtras), base);
  assert.equal(quoteJson(quote, quoteExtras, instants), open + allJson);
  const some = extrasOf(['trades', 'ask']);
  assert.equal(quoteJson(quote, some), `${open},"venta":41251,"operaciones":42}`);
  const ask = extrasOf(['ask']);
  assert.equal(
    table.with(ask).render([quote, other], 'json'),
    `[${open},"venta":41251},${quoteJson(other)}]`,
  );
});

test('contract 2.7.1: a field that is not known is absent, and 0 is a value', () => {
  const none = extrasOf(quoteExtras.filter((extra) => extra !== 'instant'));
  assert.equal(quoteJson(other, none), quoteJson(other));
  // The quote has no time.
  assert.equal(quoteJson(plain, extrasOf(['instant']), instants), quoteJson(plain));
  const empty: Quote = { ...quote, source: undefined, book: { at: 1, amount: 0, trades: 0 } };
  assert.match(quoteJson(empty, none), /"volumen":0,"monto":0,"operaciones":0\}$/);
});

test('contract 2.1.8: a small price of the book is not rounded to 0', () => {
  const small: Quote = { ...quote, book: { at: 1, bid: 0.000_000_123_456, ask: 0.000_03 } };
  assert.match(quoteJson(small, extrasOf(['bid'])), /"compra":0\.000000123\}$/);
  assert.match(quoteJson(small, extrasOf(['ask'])), /"venta":0\.00003\}$/);
});

test('contract 4.5.3: CSV has a column for each requested field, empty where it is not known', () => {
  const header =
    'especie,fecha,hora,ultimo,variacion,anterior,apertura,minimo,maximo,varMTD,varYTD,volumen';
  const extras = extrasOf(['bid', 'trades', 'source']);
  const [base, otherBase] = table.plain.render([quote, other], 'csv').split('\r\n').slice(1);
  assert.deepEqual(table.with(extras).render([quote, other], 'csv').split('\r\n'), [
    `${header},compra,operaciones,fuente`,
    `${base},41249.5,42,"byma ""2"""`,
    `${otherBase},,,`,
    '',
  ]);
  const [head, commas] = table.with(extras).render([quote], 'csv-comma').split('\r\n');
  assert.match(head ?? '', /;volumen;compra;operaciones;fuente$/);
  assert.match(commas ?? '', /;41249,5;42;"byma /);
  assert.equal(table.with(noExtras).render([], 'csv'), `${header}\r\n`);
});

test('contract 2.7.7: the instant is the last column, a text with the offset of the market; empty without a time', () => {
  const extras = extrasOf(['instant', 'bid']);
  const at = Date.parse('2026-11-20T19:59:58.750Z');
  const text = '2026-11-20T16:59:58-03:00';
  const timed: Quote = { ...quote, asOf: at };
  assert.match(
    quoteJson(timed, extras, instants),
    new RegExp(`,"compra":41249.5,"instante":"${text}"}$`),
  );
  const [header = '', first = '', second = ''] = table
    .with(extras)
    .render([timed, plain], 'csv')
    .split('\r\n');
  assert.match(header, /,volumen,compra,instante$/);
  assert.ok(first.endsWith(`,41249.5,${text}`), first);
  assert.ok(second.endsWith(',,'), second);
  assert.throws(() => quoteJson(timed, extras), /needs the markets/);
});
