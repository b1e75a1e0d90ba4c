import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf } from '../../../test/support/import/import-refusal.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { csvHead } from '../../../test/support/import/table-head.ts';
import { noActions } from '../../domain/history/corporate-actions.ts';
import { bindSeries, type BindingContext } from './binding.ts';
import { CloseTargets } from '../closes/close-target.ts';
import type { TableHead } from '../layouts/layout.ts';
import { recognise } from '../recognition/recognise.ts';

const universe = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'YPFD' },
  { ticker: 'AL30', kind: 'bond' },
  { ticker: 'KO', kind: 'cedear' },
  { ticker: 'KO_US', market: 'NYSE' },
  { ticker: 'AAPL', kind: 'cedear' },
  { ticker: 'AAPL_US', market: 'NYSE' },
]);

function bind(head: TableHead, options: Pick<BindingContext, 'ticker' | 'suffix' | 'column'> = {}) {
  const targets = new CloseTargets(universe, Date.UTC(2026, 10, 20, 21), noActions);
  const { column } = options;
  const reading = recognise(head, column === undefined ? {} : { column });
  return bindSeries(reading, { universe, targets, ...options });
}

/** The tickers that the rows of a table are bound to, series by series. */
function bound(head: TableHead, options?: Parameters<typeof bind>[1]) {
  return bind(head, options).series.map(({ targetOf }) =>
    head.rows.slice(1).map((row) => targetOf(row)?.instrument.ticker),
  );
}

function table(heading: string, ...rows: readonly string[]): TableHead {
  return csvHead('folder/prices.csv', [heading, ...rows].join('\n'));
}

const byRow = (...names: readonly string[]) =>
  table('ticker,fecha,cierre', ...names.map((name) => `${name},2026-11-16,10.5`));

function matrix(columns: readonly string[]): TableHead {
  return table(
    ['fecha', ...columns].join(','),
    ['2026-11-16', ...columns.map(() => '10.5')].join(','),
  );
}

test('each row is bound to the instrument that it names, also when names repeat', () => {
  const head = byRow('GGAL', 'nobody', 'YPFD', 'GGAL', 'nobody', 'YPFD');
  const once = ['GGAL', undefined, 'YPFD'];
  assert.deepEqual(bound(head), [[...once, ...once]]);
  assert.deepEqual(bound(byRow('KO', 'AAPL'), { suffix: '_US' }), [['KO_US', 'AAPL_US']]);
});

test('a row whose name fits two instruments is refused with the options for a table of rows', () => {
  const rows = ['GGAL,2026-11-16,10.5', 'KO,2026-11-16,10.5'];
  assert.deepEqual(bound(table('ticker,fecha,cierre', ...rows)), [['GGAL', 'KO']]);
  assert.equal(
    refusalOf(() => bound(table('symbol,fecha,cierre', ...rows))),
    'ambiguous: KO may be KO (cedear in ARS, BYMA) or KO_US (share in ARS, NYSE); ' +
      'choose with --suffix "" or --suffix _US',
  );
});

test('without a column of names, the instrument is the one in the file name', () => {
  const text = 'fecha,cierre\n2026-11-16,10.5';
  assert.deepEqual(bound(csvHead('folder/GGAL.csv', text)), [['GGAL']]);
  assert.equal(
    refusalOf(() => bound(csvHead('folder/KO.csv', text))),
    'ambiguous: KO may be KO (cedear in ARS, BYMA) or KO_US (share in ARS, NYSE); ' +
      'choose with --ticker KO, --ticker KO_US, --suffix "" or --suffix _US',
  );
  assert.equal(
    refusalOf(() => bound(csvHead('folder/NADA.csv', text))),
    'unknown-ticker: unknown ticker NADA; specify the instrument with --ticker TICKER',
  );
});

test('--ticker imports a table with one name, and no later row with another name', () => {
  const head = byRow('galicia', 'galicia');
  assert.deepEqual(bound(head, { ticker: 'GGAL' }), [['GGAL', 'GGAL']]);
  const [series] = bind(head, { ticker: 'GGAL' }).series;
  assert.equal(series?.targetOf(['ypf', '2026-11-17', '10.5']), undefined);
  const unnamed = table('fecha,cierre', '2026-11-16,10.5');
  assert.deepEqual(bound(unnamed, { ticker: 'GGAL' }), [['GGAL']]);
});

test('--ticker is refused for rows with several names, of which up to five are listed', () => {
  assert.equal(
    refusalOf(() => bound(byRow('GGAL', 'YPFD', 'GGAL'), { ticker: 'AL30' })),
    'option-mismatch: --ticker AL30 does not fit: the rows name GGAL, YPFD; import it without --ticker',
  );
  assert.equal(
    refusalOf(() => bound(byRow('A', 'B', 'C', 'D', 'E', 'F'), { ticker: 'AL30' })),
    'option-mismatch: --ticker AL30 does not fit: the rows name A, B, C, D, E; import it without --ticker',
  );
});

test('--ticker is refused for a matrix, with up to eight columns to choose from, and --column chooses', () => {
  const refused = (columns: readonly string[]) =>
    refusalOf(() => bound(matrix(columns), { ticker: 'AL30' }));
  const eight = ['GGAL', 'YPFD', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8'];
  assert.equal(
    refused(eight),
    'option-mismatch: --ticker AL30 does not fit: each row has closes of 8 instruments; choose one ' +
      'column with --column GGAL, --column YPFD, --column A3, --column A4, --column A5, --column A6, ' +
      '--column A7 or --column A8',
  );
  assert.match(refused([...eight, 'A9']), /of 9 instruments; .*--column GGAL, .*, --column A8, …$/);
  assert.deepEqual(bound(matrix(eight), { ticker: 'AL30', column: 'A3' }), [['AL30']]);
});

test('a matrix binds the columns that the universe has, and reports the others', () => {
  const head = table('fecha,GGAL,NADIE,YPFD', '2026-11-16,10.5,11.5,12.5');
  const { series, columnsUnknown } = bind(head);
  assert.deepEqual(columnsUnknown, ['NADIE']);
  assert.deepEqual(
    series.map(({ columns, targetOf }) => [columns.close, targetOf([])?.instrument.ticker]),
    [
      [1, 'GGAL'],
      [3, 'YPFD'],
    ],
  );
  assert.match(
    refusalOf(() => bind(table('fecha,N1,N2', '2026-11-16,10.5,11.5'))),
    /^unknown-ticker: unknown ticker N1, N2; import one column with --column/,
  );
});

test('a row without the cell of the name has no instrument', () => {
  const [series] = bind(byRow('GGAL')).series;
  assert.equal(series?.targetOf([]), undefined);
});

test('--ticker imports a table of one name that has blank lines', () => {
  const head = byRow('galicia', 'galicia');
  const rows = [...head.rows, [''], []];
  assert.deepEqual(bound({ ...head, rows }, { ticker: 'GGAL' }), [
    ['GGAL', 'GGAL', undefined, undefined],
  ]);
});

test('every row is bound to its instrument, whatever the number of names', () => {
  const [series] = bind(byRow('GGAL')).series;
  for (let at = 0; at < 10_001; at += 1) assert.equal(series?.targetOf([`N${at}`]), undefined);
  for (const name of ['GGAL', 'YPFD', 'GGAL', 'YPFD']) {
    assert.equal(series?.targetOf([name])?.instrument.ticker, name);
  }
});
