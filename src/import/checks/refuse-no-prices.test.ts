import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf } from '../../../test/support/import/import-refusal.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { csvHead } from '../../../test/support/import/table-head.ts';
import { noActions } from '../../domain/history/corporate-actions.ts';
import { bindSeries } from '../names/binding.ts';
import { CloseTargets } from '../closes/close-target.ts';
import type { TableHead } from '../layouts/layout.ts';
import { recognise } from '../recognition/recognise.ts';
import type { Check } from './checked-table.ts';
import { alikeValues, mixedRows, noPrices } from './refuse-no-prices.ts';

const universe = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'CHANGE' },
  { ticker: 'MEP-CCL', kind: 'spread' },
]);

const refuseNoPrices = [noPrices, alikeValues];
const refuseMixed = [mixedRows];

/** Runs checks on a table as an import does. */
function run(checks: readonly Check[], head: TableHead, column?: string): void {
  const targets = new CloseTargets(universe, Date.UTC(2026, 10, 20, 21), noActions);
  const reading = recognise(head, column === undefined ? {} : { column });
  const { series } = bindSeries(reading, { universe, targets });
  const table = {
    reading,
    series,
    options: {},
    universe,
    targets,
    otherMeaning: () => undefined,
  };
  for (const check of checks) check(table);
}

/** A table of one instrument with these closes, one per day unless the days are given. */
function tableOf(
  values: readonly (number | string)[],
  { path = 'GGAL.csv', heading = 'cierre', days = (at: number) => at } = {},
): TableHead {
  const start = Date.UTC(2026, 0, 1);
  const dateOf = (at: number) => new Date(start + days(at) * 86_400_000).toISOString().slice(0, 10);
  const rows = values.map((value, at) => `${dateOf(at)},${value}`);
  return csvHead(path, [`fecha,${heading}`, ...rows].join('\n'));
}

const some = (count: number, value: number) => Array.from({ length: count }, () => value);

const share = (negatives: number, others: number) =>
  tableOf([...some(negatives, -1.5), ...some(others, 1.5)]);

test('a column with a fifth of negative values contains returns, and a single negative value does not prove it', () => {
  assert.equal(
    refusalOf(() => run(refuseNoPrices, share(2, 8))),
    'not-prices: 2 of the first 10 values of GGAL in the column "cierre" are negative, so these ' +
      'are returns or changes, not prices',
  );
  for (const [negatives, others] of [
    [2, 9],
    [1, 1],
    [0, 5],
  ] as const) {
    run(refuseNoPrices, share(negatives, others));
  }
});

test('words do not count as values, and a spread may have any share of negative values', () => {
  run(refuseNoPrices, tableOf([-1.5, 'x', -1.5, ...some(9, 1.5)]));
  assert.match(
    refusalOf(() => run(refuseNoPrices, tableOf([-1.5, 'x', -1.5, ...some(8, 1.5)]))),
    /2 of the first 10 values/,
  );
  run(refuseNoPrices, tableOf(some(10, -1.5), { path: 'MEP-CCL.csv' }));
});

test('a heading that names returns is refused, unless it is the ticker itself', () => {
  for (const name of [
    'Return',
    'retornos',
    'daily_returns',
    'Rendimiento',
    'variación',
    'pct chg',
  ]) {
    const head = tableOf([1.5], { heading: `${name},cierre` });
    const rows = head.rows.map((row, at) => (at === 0 ? row : [...row, '2.5']));
    assert.equal(
      refusalOf(() => run(refuseNoPrices, { ...head, rows }, name)),
      `not-prices: the column "${name}" contains returns or changes, not prices of GGAL`,
    );
  }
  const rows = csvHead('x.csv', 'fecha,CHANGE,GGAL\n2026-01-01,1.5,2.5');
  run(refuseNoPrices, rows);
});

test('a heading of volumes, indicators or terms of a bond is refused, and that of the last price is not', () => {
  const refusalFor = (heading: string) =>
    refusalOf(() => {
      const { rows, ...head } = tableOf([1.5, 2.5], { heading: `${heading},cierre` });
      const full = rows.map((row, at) => (at === 0 ? row : [...row, '3.5']));
      run(refuseNoPrices, { ...head, rows: full }, heading);
    });
  for (const [heading, what] of [
    ['Volumen Nominal', 'volumes or amounts'],
    ['open_interest', 'volumes or amounts'],
    ['market cap', 'volumes or amounts'],
    ['RSI', 'indicators'],
    ['sma_20', 'indicators'],
    ['EMA50', 'indicators'],
    ['Media móvil', 'indicators'],
    ['valor técnico', 'terms of a bond'],
    ['Intereses corridos', 'terms of a bond'],
    ['amortización', 'terms of a bond'],
  ] as const) {
    assert.equal(
      refusalFor(heading),
      `not-prices: the column "${heading}" contains ${what}, not prices of GGAL`,
    );
  }
  const { rows, ...head } = tableOf([1.5, 2.5], { heading: 'ultimo,x' });
  run(refuseNoPrices, { ...head, rows: rows.map((row, at) => (at === 0 ? row : [...row, '3.5'])) });
});

test('rows are of several instruments when a tenth of them have a different close of an earlier day', () => {
  /** A number of days, then the first of them again with other closes. */
  const mixed = (count: number, repeats: number) =>
    tableOf(
      Array.from({ length: count + repeats }, (_, at) => at + 0.5),
      { days: (at) => (at < count ? at : at - count) },
    );
  assert.equal(
    refusalOf(() => run(refuseMixed, mixed(27, 3))),
    'not-prices: 3 of the first 30 rows have a different close of a day that an earlier row ' +
      'has, so they are of several instruments, or of several times of day',
  );
  run(refuseMixed, mixed(28, 3));
  run(refuseMixed, mixed(3, 2));
  run(refuseMixed, tableOf(some(20, 1.5), { days: (at) => at % 5 }));
});

test('rows of a matrix, and rows that name their instrument, are of one instrument each as well', () => {
  const rows = Array.from({ length: 10 }, (_, at) => `2026-01-01,${at}.5,${at}.5`);
  const named = rows.map((row) => row.replace(/[^,]*$/, 'GGAL'));
  const repeated = /^not-prices: 9 of the first 10 rows have a different close of a day/;
  assert.match(
    refusalOf(() =>
      run(refuseMixed, csvHead('x.csv', ['fecha,cierre,ticker', ...named].join('\n'))),
    ),
    repeated,
  );
  assert.match(
    refusalOf(() => run(refuseMixed, csvHead('x.csv', ['fecha,GGAL,CHANGE', ...rows].join('\n')))),
    repeated,
  );
  const many = Array.from({ length: 10 }, (_, at) => `2026-01-01,${at}.5,N${at}`);
  run(refuseMixed, csvHead('x.csv', ['fecha,cierre,ticker', ...many].join('\n')));
});

test('a column of texts that distinguishes the rows of a day is evidence from the first repeated day on', () => {
  const rows = ['2026-01-01,1.5,Oficial', '2026-01-01,2.5,Blue'];
  assert.match(
    refusalOf(() =>
      run(refuseMixed, csvHead('GGAL.csv', ['fecha,cierre,tipo', ...rows].join('\n'))),
    ),
    /several instruments, which the column "tipo" may name, or of several times of day/,
  );
  const noted = ['2026-01-01,1.5,a', '2026-01-01,2.5,a'];
  run(refuseMixed, csvHead('GGAL.csv', ['fecha,cierre,tipo', ...noted].join('\n')));
});

test('a table with one row for each value of a day is refused with the column that names the values', () => {
  const rows = ['open,1.5', 'close,2.5', 'volume,100'].map((row) => `2026-01-01,GGAL,${row}`);
  assert.equal(
    refusalOf(() =>
      run(refuseMixed, csvHead('x.csv', ['date,ticker,field,value', ...rows].join('\n'))),
    ),
    'not-prices: each row has one value of a day, and the column "field" has its name (open, close, ' +
      'volume); write one row for each day, with these names as headings',
  );
});

test('rows without a date and rows without a close do not count as repeated days', () => {
  const days = Array.from(
    { length: 20 },
    (_, at) => `2026-01-${String(at + 1).padStart(2, '0')},5`,
  );
  const undated = Array.from({ length: 10 }, (_, at) => `total,${at}.5`);
  run(refuseMixed, csvHead('GGAL.csv', ['fecha,cierre', ...days, ...undated].join('\n')));
  const unpriced = Array.from({ length: 10 }, () => '2026-01-01,N/A');
  run(refuseMixed, csvHead('GGAL.csv', ['fecha,cierre', ...days, ...unpriced].join('\n')));
});

test('returns without a header are refused without naming a column', () => {
  const rows = Array.from({ length: 10 }, (_, at) => `2026-01-${at + 10},-2,-1,-3,-2,7`);
  assert.equal(
    refusalOf(() => run(refuseNoPrices, csvHead('GGAL.csv', rows.join('\n')))),
    'not-prices: 10 of the first 10 values of GGAL are negative, so these are returns or changes, ' +
      'not prices',
  );
});
