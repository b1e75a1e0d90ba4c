import assert from 'node:assert/strict';
import { test } from 'node:test';

import { csvHead } from '../../../test/support/import/table-head.ts';
import { findHeader, foldHeading, meaningsOf } from './headings.ts';

/** Headings of real files, by their meaning. */
const headings: Readonly<Record<string, readonly string[]>> = {
  date: [
    'Date',
    'dates',
    'FECHA',
    'fechas',
    'day',
    'days',
    'Día',
    'datetime',
    'time',
    'Trade Date',
    'trade_date',
    'Fecha Cotización',
    'fecha_cotizacion',
    'indice_tiempo',
    'observation_date',
    'snapped_at',
    'timestamp',
  ],
  ticker: ['especie', 'Ticker', 'symbol', 'Símbolo', 'instrumento', 'instrument'],
  close: ['Close', 'cierre', 'Closing Price', 'precio de cierre', 'Close/Last', 'PX_LAST'],
  price: ['price', 'precio', 'last', 'Último', 'value', 'valor', 'settle'],
  adjusted: [
    'Adj Close',
    'adj. close',
    'adjclose',
    'adj_close',
    'Adjusted Close',
    'cierre ajustado',
  ],
  side: ['compra', 'venta', 'bid', 'ask', 'buy', 'sell', 'comprador', 'vendedor'],
  open: ['Open', 'apertura', 'Opening Price'],
  high: ['High', 'Máximo', 'max'],
  low: ['Low', 'mínimo', 'min'],
  volume: [
    'Volume',
    'volumen',
    'vol',
    'Vol.',
    'volumen nominal',
    'volumen_nominal',
    'cantidad nominal',
    'shares',
    'volumefrom',
  ],
};

test('each usual heading is recognised, in English and Spanish, in any case, with or without accents', () => {
  for (const [meaning, names] of Object.entries(headings)) {
    for (const name of names) {
      const header = findHeader(csvHead('x.csv', `Fecha,${name} \n2026-11-16,1`));
      assert.equal(meaningsOf(header ?? assert.fail(name))[1], meaning, name);
    }
  }
});

function meanings(line: string) {
  const header = findHeader(csvHead('x.csv', `${line}\n2026-11-16,1,2,3,4`));
  return meaningsOf(header ?? assert.fail(line)).slice(1);
}

test('o, h, l and c are prices only together, because each alone is a ticker', () => {
  assert.deepEqual(meanings('date,o,h,l,c'), ['open', 'high', 'low', 'close']);
  assert.deepEqual(meanings('date,c,f,v'), [undefined, undefined, undefined]);
  assert.deepEqual(meanings('date,o,h,l'), [undefined, undefined, undefined]);
  assert.deepEqual(meanings('date,o,h,c'), [undefined, undefined, undefined]);
  assert.deepEqual(meanings('date,o,l,c'), [undefined, undefined, undefined]);
  assert.deepEqual(meanings('date,h,l,c'), [undefined, undefined, undefined]);
});

test('a heading is folded without accents, white space, upper case and a pair of angle brackets', () => {
  for (const [heading, folded] of [
    [' Último ', 'ultimo'],
    ['<CLOSE>', 'close'],
    ['<close', '<close'],
    ['close>', 'close>'],
    ['<>', ''],
  ] as const) {
    assert.equal(foldHeading(heading), folded);
  }
});

test('an empty heading has no meaning, and a table without a date has no header', () => {
  const header = findHeader(csvHead('x.csv', ',GGAL,\n2026-11-16,1,2'));
  assert.deepEqual(meaningsOf(header ?? assert.fail()), [undefined, undefined, undefined]);
  assert.equal(findHeader(csvHead('x.csv', 'a,b\nc,d')), undefined);
});

const comments = (count: number) => '#\n'.repeat(count);
const skipped = (text: string) => findHeader(csvHead('x.csv', text))?.skipRows;

test('a header is searched in the first ten rows, and begins with a date or an empty cell', () => {
  assert.equal(skipped(`${comments(9)}date,close\n2026-11-16,1`), 10);
  assert.equal(skipped(`${comments(10)}date,close\n2026-11-16,1`), undefined);
  assert.equal(skipped('#\n,GGAL\n2026-11-16,1'), 2);
  assert.equal(skipped('x,GGAL\n2026-11-16,1'), undefined);
  assert.equal(skipped(',GGAL\nx,1'), undefined);
  assert.equal(skipped(',GGAL'), undefined);
});

test('a blank row above a date is no header', () => {
  const rows = [[''], ['2026-11-16', '1']];
  assert.equal(findHeader({ rows }), undefined);
});
