import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { extrasOf } from '../../domain/quotes/quote-extra.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { listText } from '../paths/texts.ts';
import { quoteJson, quoteTable } from './quote.ts';

const table = quoteTable().plain;

const instrument: Instrument = {
  ticker: 'DOLAR "X"' as Ticker,
  name: 'Dólar X',
  kind: 'share',
  market: 'BYMA',
  currency: 'ARS',
  decimals: 2,
  changeUnit: 'percent',
  pricePer: 1,
  position: 0,
};

const bare: Quote = {
  instrument,
  version: 1,
  sessionDate: '2026-11-20' as PlainDate,
  last: 10.126,
  volume: null,
  change: null,
  references: {},
  monthToDatePct: null,
  yearToDatePct: null,
};

test('contract 2.1: a full quote has every field, in the order of the contract', () => {
  const full: Quote = {
    ...bare,
    asOf: Date.parse('2026-11-20T19:59:58Z'),
    open: 9,
    high: 11.5,
    low: 8.999,
    volume: 0.00000025,
    previousClose: 10,
    change: { value: 1.26, unit: 'percent' },
    monthToDatePct: -0.5,
    yearToDatePct: 0,
  };
  assert.equal(
    quoteJson(full),
    '{"especie":"DOLAR \\"X\\"","fecha":"2026-11-20","hora":"16:59:58","ultimo":10.13,' +
      '"variacion":1.26,"anterior":10,"apertura":9,"minimo":9,"maximo":11.5,' +
      '"varMTD":-0.5,"varYTD":0,"volumen":0.00000025}',
  );
});

test('contract 2.1.8: no body rounds a positive price to 0, and a rate may be 0', () => {
  const dust = { ...bare, last: 0.000_012_345_6, previousClose: 0.000_03, open: 0.004_9 };
  assert.match(
    quoteJson(dust),
    /"ultimo":0\.0000123,"variacion":null,"anterior":0\.00003,"apertura":0\.0049,/,
  );
  assert.match(table.render([dust], 'csv'), /,0\.0000123,,0\.00003,0\.0049,/);
  const rate: Instrument = { ...instrument, kind: 'interest-rate' };
  assert.match(quoteJson({ ...dust, instrument: rate }), /"ultimo":0,/);
});

test('contract 2.1.1 to 2.1.6: an unknown value is absent or null, and never a placeholder', () => {
  assert.equal(
    quoteJson(bare),
    '{"especie":"DOLAR \\"X\\"","fecha":"2026-11-20","ultimo":10.13,"variacion":null,' +
      '"varMTD":null,"varYTD":null,"volumen":null}',
  );
});

test('contract 4.5.3: a quote in CSV has the texts of its JSON, in the same order, and empty cells for absent fields', () => {
  const full: Quote = {
    ...bare,
    instrument: { ...instrument, ticker: 'GGAL' as Ticker },
    asOf: Date.parse('2026-11-20T15:04:05-03:00'),
    open: 1.5,
    high: 4.25,
    low: 0.5,
    previousClose: 9,
    volume: 12_345,
    change: { value: 12.51, unit: 'percent' },
    monthToDatePct: -3.5,
    yearToDatePct: 7,
  };
  const [header, first, second] = table.render([full, bare], 'csv').split(/\r?\n/);
  assert.equal(
    header,
    'especie,fecha,hora,ultimo,variacion,anterior,apertura,minimo,maximo,varMTD,varYTD,volumen',
  );
  assert.equal(first, 'GGAL,2026-11-20,15:04:05,10.13,12.51,9,1.5,0.5,4.25,-3.5,7,12345');
  assert.equal(second, '"DOLAR ""X""",2026-11-20,,10.13,,,,,,,,');
});

test('contract 4.5.7: with decimal commas, only numbers change, and semicolons separate the fields', () => {
  const quote: Quote = {
    ...bare,
    instrument: { ...instrument, ticker: 'BRK.B' as Ticker },
    asOf: Date.parse('2026-11-20T15:04:05-03:00'),
    previousClose: 9.5,
    volume: 0.000_000_25,
    change: { value: -12.51, unit: 'percent' },
  };
  assert.equal(
    table.render([quote, bare], 'csv-comma'),
    'especie;fecha;hora;ultimo;variacion;anterior;apertura;minimo;maximo;varMTD;varYTD;volumen\r\n' +
      'BRK.B;2026-11-20;15:04:05;10,13;-12,51;9,5;;;;;;0,00000025\r\n' +
      '"DOLAR ""X""";2026-11-20;;10,13;;;;;;;;\r\n',
  );
  assert.match(table.render([quote], 'csv'), /\r\nBRK\.B,2026-11-20,15:04:05,10\.13,-12\.51,9\.5,/);
});

test('contract 4.1.4: a list is an array in the order given, and may be empty', () => {
  const other: Quote = { ...bare, version: 2, last: 11 };
  assert.equal(table.render([other, bare], 'json'), `[${quoteJson(other)},${quoteJson(bare)}]`);
  assert.equal(table.render([], 'json'), '[]');
});

test('a new quote of an instrument is rendered again', () => {
  quoteJson(bare);
  assert.match(quoteJson({ ...bare, version: 3, last: 12 }), /"ultimo":12,/);
});

test('the instant of a quote is not shown without the markets', () => {
  const timed: Quote = { ...bare, asOf: Date.parse('2026-11-20T19:59:58.750Z') };
  assert.throws(() => quoteJson(timed, extrasOf(['instant'])), /no market BYMA/);
});

test('contract 4.3.1: a list has one ticker per line, with a final newline', () => {
  assert.equal(listText([instrument, instrument]), 'DOLAR "X"\nDOLAR "X"\n');
  assert.equal(listText([]), '');
});
