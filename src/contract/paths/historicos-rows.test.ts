import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { toEpochDay, type EpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { CloseSeries } from '../../domain/history/daily-close.ts';
import type { TableFormat } from '../table-format.ts';
import {
  historyRows,
  historyTable,
  wideRowOf,
  wideTable,
  type HistoryField,
  type ShownSeries,
} from './historicos.ts';

const [instrument] = makeUniverse([{ ticker: 'DOLAR "X"', decimals: 2 }]).instruments;
const table = historyTable();

function bodyOf(
  series: ShownSeries,
  format: TableFormat = 'json',
  fields: readonly HistoryField[] = [],
): string {
  assert.ok(instrument !== undefined);
  const rows = [...historyRows(instrument, series)];
  const shown = table.with(fields);
  const body = shown.render(rows, format);
  const texts = shown.texts(rows, rows.length, format);
  assert.equal(String(shown.body([texts.between(0, rows.length)], format)), body);
  return body;
}

test('contract 2.2: a series is an array of rows, with null where there is no volume', () => {
  const days = ['2024-02-29', '2024-03-01'].map((date) => toEpochDay(date as PlainDate));
  const series: CloseSeries = {
    days: Int32Array.from(days),
    closes: Float64Array.of(1.005, 2),
    volumes: Float64Array.of(Number.NaN, 0),
  };
  assert.equal(
    bodyOf(series),
    '[{"especie":"DOLAR \\"X\\"","fecha":"2024-02-29","ultimo":1.01,"volumen":null},' +
      '{"especie":"DOLAR \\"X\\"","fecha":"2024-03-01","ultimo":2,"volumen":0}]',
  );
  assert.equal(
    bodyOf(series, 'csv'),
    'especie,fecha,ultimo,volumen\r\n' +
      '"DOLAR ""X""",2024-02-29,1.01,\r\n' +
      '"DOLAR ""X""",2024-03-01,2,0\r\n',
  );
});

test('contract 2.1.8: no price above 0 is rounded to 0', () => {
  const dust = {
    days: Int32Array.of(0),
    closes: Float64Array.of(0.000_03),
    volumes: Float64Array.of(100),
  };
  assert.match(bodyOf(dust), /"ultimo":0\.00003,/);
  assert.match(bodyOf(dust, 'csv'), /,0\.00003,100/);
});

const bars = {
  days: Int32Array.from(['2024-02-28', '2024-02-29', '2024-03-01'], (date) =>
    toEpochDay(date as PlainDate),
  ),
  closes: Float64Array.of(1.005, 2.123_456_78, 3.999),
  volumes: Float64Array.of(Number.NaN, 0.5, 7),
  opens: Float64Array.of(1.123, Number.NaN, 0.001),
  highs: Float64Array.of(1.5, 2.123_456_78, Number.NaN),
  lows: Float64Array.of(Number.NaN, 0.5, 0),
};

test('contract 4.2.8: the fields on request follow ultimo, absent where not known', () => {
  assert.equal(
    bodyOf(bars, 'json', ['apertura', 'minimo']),
    '[{"especie":"DOLAR \\"X\\"","fecha":"2024-02-28","ultimo":1.01,"apertura":1.12,"volumen":null},' +
      '{"especie":"DOLAR \\"X\\"","fecha":"2024-02-29","ultimo":2.12,"minimo":0.5,"volumen":0.5},' +
      '{"especie":"DOLAR \\"X\\"","fecha":"2024-03-01","ultimo":4,"apertura":0.001,"minimo":0,"volumen":7}]',
  );
  assert.equal(
    bodyOf(bars, 'csv-comma', ['apertura', 'maximo', 'minimo']),
    'especie;fecha;ultimo;apertura;maximo;minimo;volumen\r\n' +
      '"DOLAR ""X""";2024-02-28;1,01;1,12;1,5;;\r\n' +
      '"DOLAR ""X""";2024-02-29;2,12;;2,12;0,5;0,5\r\n' +
      '"DOLAR ""X""";2024-03-01;4;0,001;;0;7\r\n',
  );
  const { opens: _, ...without } = bars;
  assert.doesNotMatch(bodyOf(without, 'json', ['apertura']), /apertura/);
});

test('contract 4.2.6: adjusted rows have the decimals of their values, and later rows those of the instrument', () => {
  assert.equal(
    bodyOf({ ...bars, adjustedRows: 2 }, 'csv', ['maximo']),
    'especie,fecha,ultimo,maximo,volumen\r\n' +
      '"DOLAR ""X""",2024-02-28,1.005,1.5,\r\n' +
      '"DOLAR ""X""",2024-02-29,2.12345678,2.12345678,0.5\r\n' +
      '"DOLAR ""X""",2024-03-01,4,,7\r\n',
  );
});

test('contract 4.2.3: a table without rows has the header of its fields', () => {
  const empty = { days: new Int32Array(), closes: new Float64Array(), volumes: new Float64Array() };
  assert.equal(bodyOf(empty, 'json', ['maximo']), '[]');
  assert.equal(bodyOf(empty, 'csv'), 'especie,fecha,ultimo,volumen\r\n');
  assert.equal(
    bodyOf(empty, 'csv', ['apertura', 'minimo']),
    'especie,fecha,ultimo,apertura,minimo,volumen\r\n',
  );
});

test('contract 4.2.12: the columns have the order of the request, also those of tickers that look like numbers', () => {
  const { instruments } = makeUniverse(['B', '700', '3M', 'A&B'].map((ticker) => ({ ticker })));
  const columns = instruments.map((of, at) => ({
    instrument: of,
    series: {
      days: Int32Array.of(at, 9),
      closes: Float64Array.of(at + 1.5, 7),
      volumes: Float64Array.of(Number.NaN, at),
    },
  }));
  const days = [0, 1, 2, 3, 9] as EpochDay[];
  const wide = wideTable(instruments);
  const of = (format: TableFormat, column: 'closes' | 'volumes'): string =>
    wide.render(days.map(wideRowOf(columns, column)), format);
  assert.equal(
    of('csv-comma', 'closes').split('\r\n').slice(0, 2).join('|'),
    'fecha;B;700;3M;A&B|1970-01-01;1,5;;;',
  );
  assert.match(
    of('json', 'closes'),
    /^\[\{"fecha":"1970-01-01","B":1\.5,"700":null,"3M":null,"A&B":null\},/,
  );
  assert.match(of('json', 'volumes'), /"1970-01-10","B":0,"700":1,"3M":2,"A&B":3\}\]$/);
});
