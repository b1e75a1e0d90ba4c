import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import type { HistoryRow, IntradayRow } from '../../market/api/quote.ts';
import { currencyCodes } from '../../places/chart-choices.ts';
import { dailyBars, intradayBars } from '../drawing/bars.ts';
import { dollarOf, isInPesos, rowsInDollars, shownUnit } from './conversion.ts';

const closesInDollars = (rows: readonly HistoryRow[], dollars: readonly HistoryRow[]) =>
  rowsInDollars(rows, dollars, dailyBars);
const barsInDollars = (rows: readonly IntradayRow[], dollars: readonly IntradayRow[]) =>
  rowsInDollars(rows, dollars, intradayBars);

const close = (fecha: string, ultimo: number, more: Partial<HistoryRow> = {}): HistoryRow => ({
  especie: 'GGAL',
  fecha,
  ultimo,
  volumen: 7,
  ...more,
});
const mep = (fecha: string, ultimo: number) => close(fecha, ultimo, { especie: 'DOLAR MEP' });

test('each day is divided by the close of the dollar on that day, and its volume is unchanged', () => {
  const range = { apertura: 6000, maximo: 6600, minimo: 5400 };
  const { rows, missing } = closesInDollars(
    [close('2026-11-19', 6000), close('2026-11-20', 6300, range)],
    [mep('2026-11-19', 1500), mep('2026-11-20', 1200)],
  );
  assert.deepEqual(rows, [
    { ...close('2026-11-19', 4), conversion: 'DOLAR MEP', dolar: 1500 },
    {
      ...close('2026-11-20', 5.25, { apertura: 5, maximo: 5.5, minimo: 4.5 }),
      conversion: 'DOLAR MEP',
      dolar: 1200,
    },
  ]);
  assert.deepEqual(missing, []);
});

test('a day without a close of the dollar is left out and counted, and no close of another day is used', () => {
  const own = [close('2026-11-18', 6000), close('2026-11-19', 6300), close('2026-11-20', 6400)];
  const dollars = [mep('2026-11-17', 1500), mep('2026-11-19', 1260), mep('2026-11-21', 1500)];
  const { rows, missing } = closesInDollars(own, dollars);
  assert.deepEqual(
    rows.map(({ fecha, ultimo }) => [fecha, ultimo]),
    [['2026-11-19', 5]],
  );
  assert.deepEqual(missing, [own[0], own[2]]);
  assert.deepEqual(closesInDollars(own, []).missing, own);
  assert.equal(closesInDollars(own, [mep('2026-11-18', 0)]).missing.length, 3);
});

const bar = (especie: string, hora: string, ultimo: number, fecha = '2026-11-20'): IntradayRow => ({
  especie,
  fecha,
  hora: `${hora}:00`,
  apertura: ultimo,
  maximo: ultimo * 2,
  minimo: ultimo / 2,
  ultimo,
  volumen: 3,
});

test('intraday, each bar is divided by the latest price of the dollar in the same session', () => {
  const own = [
    bar('GGAL', '16:59', 5000, '2026-11-19'),
    bar('GGAL', '11:00', 6000),
    bar('GGAL', '11:02', 6000),
    bar('GGAL', '11:05', 6000),
  ];
  const dollars = [
    bar('DOLAR MEP', '16:50', 1000, '2026-11-19'),
    bar('DOLAR MEP', '11:01', 1200),
    bar('DOLAR MEP', '11:02', 1500),
    bar('DOLAR MEP', '11:06', 2000),
  ];
  const { rows, missing } = barsInDollars(own, dollars);
  assert.deepEqual(
    rows.map(({ hora, minimo, ultimo, maximo, dolar }) => [hora, minimo, ultimo, maximo, dolar]),
    [
      ['16:59:00', 2.5, 5, 10, 1000],
      ['11:02:00', 2, 4, 8, 1500],
      ['11:05:00', 2, 4, 8, 1500],
    ],
  );
  // At 11:00 the session had no price of the dollar. That of the day before is not used.
  assert.deepEqual(missing, [own[1]]);
});

const clock = (minute: number) =>
  `${String(11 + Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

const seriesOf = (ticker: string) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom('19', '20'), fc.integer({ min: 0, max: 300 })), {
      selector: (one) => one.join(),
      maxLength: 40,
    })
    .map((found) =>
      found
        .map(([day, minute]) => bar(ticker, clock(minute), 1 + minute * 3, `2026-11-${day}`))
        .toSorted((a, b) => (a.fecha + a.hora < b.fecha + b.hora ? -1 : 1)),
    );

test('intraday conversions are those that a search for each bar finds', () => {
  fc.assert(
    fc.property(seriesOf('GGAL'), seriesOf('DOLAR MEP'), (own, dollars) => {
      const wanted = own.flatMap((row) => {
        const sameDay = dollars.filter(({ fecha }) => fecha === row.fecha);
        const dollar = sameDay.findLast(({ hora }) => hora <= row.hora);
        return dollar === undefined ? [] : [[row.fecha, row.hora, row.ultimo / dollar.ultimo]];
      });
      const { rows, missing } = barsInDollars(own, dollars);
      assert.deepEqual(
        rows.map(({ fecha, hora, ultimo }) => [fecha, hora, ultimo]),
        wanted,
      );
      assert.equal(rows.length + missing.length, own.length);
    }),
  );
});

const units = (moneda: string) => currencyCodes.map((one) => shownUnit({ moneda }, one));

test('only prices in pesos are converted, and the unit names the dollar', () => {
  assert.deepEqual(units('ARS'), ['ARS', 'USD MEP', 'USD CCL', 'USD oficial']);
  assert.deepEqual(units('USD'), ['USD', 'USD', 'USD', 'USD']);
  assert.deepEqual(units('bp')[1], 'puntos básicos');
  assert.deepEqual(units('%')[1], '%');
  assert.deepEqual(
    ['ARS', 'USD', '%', 'bp'].map((moneda) => isInPesos({ moneda })),
    [true, false, false, false],
  );
  assert.equal(shownUnit(undefined, 'mep'), '');
  assert.equal(dollarOf('oficial'), 'DOLAR OFICIAL');
  assert.equal(dollarOf('original'), undefined);
});
