import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CorporateAction } from '../../src/domain/history/corporate-action.ts';
import { CorporateActions } from '../../src/domain/history/corporate-actions.ts';
import { fromEpochDay, parsePlainDate, toEpochDay } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { makeUniverse } from '../support/market/make-universe.ts';
import { ImportRig } from './support/import-into.ts';
import { testChange } from '../support/market/test-change.ts';

const universe = makeUniverse([
  { ticker: 'AAPL_US', market: 'NYSE', currency: 'USD' },
  { ticker: 'MSFT_US', market: 'NYSE', currency: 'USD' },
  { ticker: 'GGAL' },
]);

const ticker = 'AAPL_US' as Ticker;

/** Closes of AAPL as they were traded, with the amounts that were paid. The names are those of Tiingo. */
const asTraded = `date,close,open,high,low,volume,adjClose,divCash,splitFactor
2020-08-06,455.61,441.62,457.65,439.19,50607225,113.9,0.0,1.0
2020-08-07,444.45,452.82,454.7,441.17,49511403,111.1,0.82,1.0
2020-08-28,499.23,504.05,505.77,498.31,46907479,124.8,0.0,1.0
2020-08-31,129.04,127.58,131,126,225702688,129.04,0.0,4.0
2020-11-05,119.03,117.95,119.62,116.87,126387074,119.03,0.0,1.0
2020-11-06,118.69,118.32,119.2,116.13,114457922,118.69,0.205,1.0
`;

/** The same days from Yahoo, whose prices and dividends are divided by the later split. */
const adjusted = `Date,Open,High,Low,Close,Volume,Dividends,Stock Splits
2020-08-06,110.40,114.41,109.80,113.9025,202428900,0.0,0.0
2020-08-07,113.20,113.67,110.29,111.1125,198045612,0.205,0.0
2020-08-28,126.01,126.44,124.58,124.8075,187629916,0.0,0.0
2020-08-31,127.58,131,126,129.04,225702688,0.0,4.0
2020-11-05,117.95,119.62,116.87,119.03,126387074,0.0,0.0
2020-11-06,118.32,119.2,116.13,118.69,114457922,0.205,0.0
`;

/** The same file with `auto_adjust=False`: its dividends are not subtracted from `Close`. */
const unsubtracted = adjusted.replaceAll(/.$/gm, '$&,1').replace(',1', ',Adj Close');

function text(action: CorporateAction): string {
  const { ticker: of, exDay, type } = action;
  const value =
    action.type === 'cash-dividend'
      ? `${action.amount} ${action.currency}`
      : 'factor' in action
        ? action.factor
        : '';
  return `${of} ${fromEpochDay(exDay)} ${type} ${value}`;
}

const day = (date: string) => toEpochDay(parsePlainDate(date) ?? assert.fail());

interface Setup {
  readonly name?: string;
  readonly recorded?: readonly CorporateAction[];
  readonly actions?: boolean;
  readonly dryRun?: boolean;
  readonly ticker?: string | undefined;
}

/** Imports one file. Gives what was recorded and what is stored afterwards. */
async function imported(content: string, setup: Setup = {}) {
  await using rig = await ImportRig.open();
  return await importedInto(rig, content, setup);
}

async function importedInto(rig: ImportRig, content: string, setup: Setup = {}) {
  const { name = 'prices.csv', recorded = [], actions = true, dryRun = false } = setup;
  await rig.store.actions.apply({ put: recorded }, testChange);
  const path = await rig.file(name, content);
  const known = (await rig.store.actions.readAll()).values;
  const options = {
    actions,
    ...('ticker' in setup ? { ticker: setup.ticker } : { ticker }),
  };
  const { summary, rejects } = await rig.import([path], {
    universe,
    options: Object.fromEntries(Object.entries(options).filter(([, one]) => one !== undefined)),
    actions: new CorporateActions(known),
    dryRun,
  });
  const [file = assert.fail()] = summary.files;
  if (file.outcome !== 'imported') assert.fail(JSON.stringify(file));
  const { columnsOfActions, columnsUnused, actions: counts, counts: closes } = file;
  return {
    columnsOfActions,
    columnsUnused,
    closes,
    isAdjusted: file.isAdjusted,
    counts: counts && [counts.added, counts.same, counts.rejected],
    leftOut: counts?.leftOut.map(({ action, reason }) => `${text(action)}: ${reason}`),
    stored: (await rig.store.actions.readAll()).values.map(text),
    suspicions: summary.suspicious.map(({ suspicion }) => suspicion),
    rejects: rejects.map(({ line, reason }) => `${line} ${reason}`),
  };
}

const dividendInAugust = 'AAPL_US 2020-08-07 cash-dividend 0.82 USD';
const split = 'AAPL_US 2020-08-31 split 4';
const dividendInNovember = 'AAPL_US 2020-11-06 cash-dividend 0.205 USD';

test('--actions records the dividends and splits of closes as traded, which the judge then knows', async () => {
  const { counts, leftOut, stored, suspicions, columnsUnused } = await imported(asTraded);
  assert.deepEqual(stored, [dividendInAugust, split, dividendInNovember]);
  assert.deepEqual([counts, leftOut, suspicions], [[3, 0, 0], [], []]);
  assert.deepEqual(columnsUnused, ['adjClose']);
});

test('without --actions, the columns are named and nothing is recorded', async () => {
  const { counts, stored, columnsOfActions, columnsUnused, suspicions } = await imported(asTraded, {
    actions: false,
  });
  assert.deepEqual([counts, stored], [undefined, []]);
  assert.deepEqual(columnsOfActions, ['divCash', 'splitFactor']);
  assert.deepEqual(columnsUnused, ['adjClose']);
  assert.deepEqual(suspicions, ['unrecorded-split']);
});

test('a dry run counts what it would record, and records nothing', async () => {
  const { counts, stored } = await imported(asTraded, { dryRun: true });
  assert.deepEqual([counts, stored], [[3, 0, 0], []]);
});

test('a second import of the same file records nothing', async () => {
  await using rig = await ImportRig.open();
  await importedInto(rig, asTraded);
  const revision = await rig.store.actions.revision();
  const { counts, leftOut } = await importedInto(rig, asTraded, { name: 'again.csv' });
  assert.deepEqual([counts, leftOut], [[0, 3, 0], []]);
  assert.equal(await rig.store.actions.revision(), revision);
});

test('a split that is in the closes already is left out by name, and so are the dividends before it', async () => {
  const { counts, leftOut, stored } = await imported(unsubtracted);
  assert.deepEqual(stored, [dividendInNovember]);
  assert.deepEqual(counts, [1, 0, 0]);
  assert.deepEqual(leftOut, [
    'AAPL_US 2020-08-07 cash-dividend 0.205 USD: amount-adjusted',
    `${split}: adjusted`,
  ]);
});

test('dividends that yfinance has subtracted from the closes are left out, and the file is marked', async () => {
  const { leftOut, stored, isAdjusted } = await imported(adjusted);
  assert.deepEqual([stored, isAdjusted], [[], true]);
  assert.deepEqual(leftOut, [
    'AAPL_US 2020-08-07 cash-dividend 0.205 USD: closes-adjusted',
    `${split}: adjusted`,
    `${dividendInNovember}: closes-adjusted`,
  ]);
  for (const [header, isOfHistory] of [
    ['date,open,high,low,close,volume,dividends,stock_splits', true],
    ['date,open,high,low,close,volume,dividends,splits', false],
  ] as const) {
    const renamed = adjusted.replace(/^.*/, header);
    assert.equal((await imported(renamed)).isAdjusted, isOfHistory, header);
  }
  assert.equal((await imported(unsubtracted)).isAdjusted, false);
});

test('a recorded split that the closes of the file do not show leaves out the dividends before it', async () => {
  const recorded: readonly CorporateAction[] = [
    { ticker, exDay: day('2020-08-31'), type: 'split', factor: 4, source: 'x' },
  ];
  const withoutSplits = adjusted.replaceAll(/,[^,]*$/gm, '');
  const { leftOut, stored } = await imported(withoutSplits, { recorded });
  assert.deepEqual(leftOut, ['AAPL_US 2020-08-07 cash-dividend 0.205 USD: amount-adjusted']);
  assert.deepEqual(stored, [split, dividendInNovember]);
});

test('a recorded action is never changed: another one in the file is named', async () => {
  const recorded: readonly CorporateAction[] = [
    { ticker, exDay: day('2020-09-01'), type: 'ratio-change', factor: 3, source: 'x' },
    {
      ticker,
      exDay: day('2020-08-07'),
      type: 'cash-dividend',
      amount: 0.8,
      currency: 'USD',
      source: 'x',
    },
  ];
  const { leftOut, stored } = await imported(asTraded, { recorded });
  assert.deepEqual(leftOut, [`${dividendInAugust}: recorded`, `${split}: recorded`]);
  assert.deepEqual(stored, [
    'AAPL_US 2020-08-07 cash-dividend 0.8 USD',
    'AAPL_US 2020-09-01 ratio-change 3',
    dividendInNovember,
  ]);
});

test('a split without a close before it is left out, because nothing shows whether the closes move with it', async () => {
  const rows = asTraded.split('\n');
  const later = [rows[0], ...rows.slice(4)].join('\n');
  const { leftOut, stored } = await imported(later);
  assert.deepEqual([leftOut, stored], [[`${split}: unclear`], [dividendInNovember]]);
});

test('two rows of a day that differ in their action record none of them', async () => {
  const row = '2020-11-06,118.69,118.32,119.2,116.13,114457922,118.69,0.205,1.0\n';
  const { leftOut } = await imported(`${asTraded}${row}${row.replace('0.205', '0.3')}`);
  assert.deepEqual(leftOut, [`${dividendInNovember}: disputed`]);
});

test('a cell that is no action is rejected with its line, and the close of its row is stored', async () => {
  const broken = asTraded.replace('0.82,1.0', 'abc,1.0').replace('0.0,4.0', '0.0,0:0');
  const { counts, closes, rejects, stored } = await imported(broken);
  assert.deepEqual(rejects, ['3 bad-dividend', '5 bad-split']);
  assert.deepEqual([counts, closes.added, closes.rejected], [[1, 0, 2], 6, 0]);
  assert.deepEqual(stored, [dividendInNovember]);
});

test('each symbol of yfinance has its own columns of actions, on days without its close too', async () => {
  const table = `Price,Close,Close,Dividends,Dividends,Stock Splits,Stock Splits,Adj Close
Ticker,AAPL,GGAL.BA,AAPL,GGAL.BA,AAPL,GGAL.BA,AAPL
Date,,,,,,,
2024-05-09,184.57,4000,0.0,0.0,0.0,0.0,180
2024-05-10,183.05,,0.25,12.5,0.0,,180
2024-05-13,186.28,4100,0.0,0.0,0.0,0.0,180
`;
  const { stored, columnsOfActions } = await imported(table, { ticker: undefined });
  assert.deepEqual(columnsOfActions, ['Dividends', 'Stock Splits']);
  assert.deepEqual(stored, [
    'AAPL_US 2024-05-10 cash-dividend 0.25 USD',
    'GGAL 2024-05-10 cash-dividend 12.5 ARS',
  ]);
});

test('the names of the usual sources are known', async () => {
  for (const [dividend, factor] of [
    ['dividend_amount', 'split_coefficient'],
    ['7. dividend amount', '8. split coefficient'],
    ['Ex-Dividend', 'Split Ratio'],
    ['dividend', 'splitFactor'],
    ['Dividends', 'Stock Splits'],
  ] as const) {
    const content = asTraded.replace('divCash', dividend).replace('splitFactor', factor);
    const { stored } = await imported(content);
    assert.deepEqual(stored, [dividendInAugust, split, dividendInNovember], dividend);
  }
});

test('an adjusted daily series of Alpha Vantage has its dividends and splits', async () => {
  const series = Object.fromEntries(
    asTraded
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => {
        const cells = line.split(',');
        const named = { '4. close': cells[1], '7. dividend amount': cells[7] };
        return [cells[0], { ...named, '8. split coefficient': cells[8] }];
      }),
  );
  const body = { 'Meta Data': { '2. Symbol': 'AAPL' }, 'Time Series (Daily)': series };
  const setup = { name: 'AAPL.json', ticker: undefined };
  const { stored } = await imported(JSON.stringify(body), setup);
  assert.deepEqual(stored, [dividendInAugust, split, dividendInNovember]);
});

test('two columns of dividends are refused with --actions, and do not matter without it', async () => {
  const twice = asTraded.replace('adjClose', 'Dividends');
  await assert.rejects(imported(twice), /the dividends may be in .*Dividends.* or .*divCash/);
  assert.equal((await imported(twice, { actions: false })).closes.added, 6);
});

test('the files of one import know the actions of the files before', async () => {
  await using rig = await ImportRig.open();
  const paths = [await rig.file('a/AAPL.csv', asTraded), await rig.file('b/AAPL.csv', asTraded)];
  const { summary } = await rig.import(paths, { universe, options: { ticker, actions: true } });
  const counts = summary.files.map((file) => file.outcome === 'imported' && file.actions);
  assert.deepEqual(
    counts.map((one) => one && [one.added, one.same]),
    [
      [3, 0],
      [0, 3],
    ],
  );
});
