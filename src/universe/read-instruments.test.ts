import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PanelCode } from '../domain/instruments/panel.ts';
import { readInstruments } from './read-instruments.ts';
import type { PanelRule } from './read-panels.ts';

const header = 'ticker,name,kind,market,currency,decimals,change_unit,panels';
const markets = new Set(['BYMA', 'NYSE']);
const panels = new Map<PanelCode, PanelRule>([
  ['LID', { type: 'rows' }],
  ['LIDGEN', { type: 'of', panels: ['LID', 'GEN'] }],
]);

function read(...rows: string[]) {
  const text = [header, ...rows].join('\n');
  return readInstruments({ file: 'instruments.csv', text }, { markets, panels });
}

/** The only fault of a table, as [line, column, value, message]. */
function onlyFault(...rows: string[]) {
  const { faults } = read(...rows);
  assert.equal(faults.length, 1, JSON.stringify(faults));
  return faults.map(({ line, column, value, message }) => [line, column, value, message])[0];
}

test('a row becomes an instrument, with the defaults of its kind for empty cells', () => {
  const { instruments, faults } = read(
    'ALUA,Aluar,share,BYMA,ARS,,,LID',
    'CAUCION 1D,Caución,interest-rate,BYMA,%,2,percent,',
    'RIESGO PAIS,EMBI,country-risk,NYSE,bp,0,,IND',
  );
  assert.deepEqual(faults, []);
  assert.deepEqual(
    instruments.map((one) => [one.ticker, one.decimals, one.changeUnit, one.position]),
    [
      ['ALUA', 4, 'percent', 0],
      ['CAUCION 1D', 2, 'percent', 1],
      ['RIESGO PAIS', 0, 'points', 2],
    ],
  );
});

test('a panel has its rows in the order of the file, and a row may be in several panels', () => {
  const { members } = read(
    'B,b,share,BYMA,ARS,,,LID; ADR',
    'A,a,share,BYMA,ARS,,,LID',
    'C,c,share,BYMA,ARS,,,',
  );
  const tickers = (code: PanelCode) => members.get(code)?.map((one) => one.ticker);
  assert.deepEqual(tickers('LID'), ['B', 'A']);
  assert.deepEqual(tickers('ADR'), ['B']);
});

test('markets are not checked when the file of markets could not be read', () => {
  const text = `${header}\nA,a,share,BYMMA,ARS,,,`;
  const source = { file: 'instruments.csv', text };
  assert.deepEqual(readInstruments(source, { markets: undefined, panels }).faults, []);
});

test('decimals other than a number from 0 to 15 are a fault', () => {
  for (const decimals of ['16', '-1', '2.5', 'two', '1e1']) {
    const fault = onlyFault(`A,a,share,BYMA,ARS,${decimals},,`);
    assert.deepEqual(fault?.slice(0, 3), [2, 6, decimals]);
  }
});

test('what a price is a price of is 100 for debt and 1 for the rest, and a cell has priority', () => {
  const text = [
    `${header},price_per`,
    'AL30,a,bond,BYMA,ARS,,,,',
    'S30J6,a,bill,BYMA,ARS,,,,',
    'YMCXO,a,corporate-bond,BYMA,ARS,,,,',
    'ALUA,a,share,BYMA,ARS,,,,',
    'DOLAR,a,exchange-rate,BYMA,ARS,,,,',
    'UNIT,a,bond,BYMA,ARS,,,,1',
    'PENCE,a,share,NYSE,GBP,,,,1000000',
  ].join('\n');
  const { instruments, faults } = readInstruments(
    { file: 'instruments.csv', text },
    { markets, panels },
  );
  assert.deepEqual(faults, []);
  assert.deepEqual(
    instruments.map(({ pricePer }) => pricePer),
    [100, 100, 100, 1, 1, 1, 1_000_000],
  );
});

test('a cell for what a price is a price of that is no whole number from 1 to 1000000 is a fault', () => {
  for (const cell of ['0', '-100', '0.5', '100,0', 'cien', '1e2', '1000001', '10000000']) {
    const quoted = cell.includes(',') ? `"${cell}"` : cell;
    const text = `${header},price_per\nAL30,a,bond,BYMA,ARS,,,,${quoted}`;
    const { faults } = readInstruments({ file: 'instruments.csv', text }, { markets, panels });
    assert.deepEqual(
      faults.map(({ line, column, value }) => [line, column, value]),
      [[2, 9, cell]],
      cell,
    );
    assert.match(faults[0]?.message ?? '', /^price_per: must be a whole number from 1 to 1000000/);
  }
});

test('a ticker that occurs three times, in any case, is two faults, each with the line of the first', () => {
  const { faults } = read(...['Alua', 'ALUA', 'alua'].map((one) => `${one},a,share,BYMA,ARS,,,`));
  assert.deepEqual(
    faults.map(({ line, message }) => [line, message.slice(8, 32)]),
    [
      [3, 'duplicate ticker; line 2'],
      [4, 'duplicate ticker; line 2'],
    ],
  );
});

test('the cells for decimals and for the unit of change have priority over the kind', () => {
  const { instruments, faults } = read(
    'A,a,share,BYMA,ARS,0,points,',
    'B,b,country-risk,BYMA,bp,15,percent,',
  );
  assert.deepEqual(faults, []);
  assert.deepEqual(
    instruments.map(({ decimals, changeUnit }) => [decimals, changeUnit]),
    [
      [0, 'points'],
      [15, 'percent'],
    ],
  );
});

test('a name has at most 200 characters', () => {
  assert.deepEqual(read(`A,${'n'.repeat(200)},share,BYMA,ARS,,,`).faults, []);
  assert.equal(onlyFault(`A,${'n'.repeat(201)},share,BYMA,ARS,,,`)?.[1], 2);
});

test('a row with a fault is declared, and is neither an instrument nor a member', () => {
  const { instruments, byKey, declared, members } = read(
    'A,,share,BYMA,ARS,,,LID',
    'B,b,share,BYMA,ARS,,,LID',
  );
  assert.deepEqual(
    [...declared],
    [
      ['A', 2],
      ['B', 3],
    ],
  );
  const [b] = instruments;
  assert.equal(b?.position, 0);
  assert.deepEqual([...byKey], [['B', b]]);
  assert.deepEqual(members.get('LID'), [b]);
});

test('the columns of receipts are optional, and their faults have their position', () => {
  const text = [
    `ratio,${header},underlying`,
    '20:1,AAPL,Apple,cedear,BYMA,ARS,,,CED,AAPL_US',
    ',ALUA,Aluar,share,BYMA,ARS,,,LID,',
    '20,MSFT,Microsoft,cedear,BYMA,ARS,,,,msft',
  ].join('\n');
  const table = readInstruments({ file: 'instruments.csv', text }, { markets, panels });
  assert.deepEqual(
    table.instruments.map(({ ticker, ratio, underlying }) => [ticker, ratio, underlying]),
    [
      ['AAPL', '20:1', 'AAPL_US'],
      ['ALUA', undefined, undefined],
    ],
  );
  assert.deepEqual(
    table.faults.map(({ line, column, value, message }) => [line, column, value, message]),
    [
      [4, 1, '20', 'ratio: not a valid ratio; use receipts:shares, such as 20:1'],
      [4, 10, 'msft', 'underlying: an instrument cannot be its own underlying'],
    ],
  );
  assert.ok(!('ratio' in (read('A,a,cedear,BYMA,ARS,,,').instruments[0] ?? {})));
});

test('a class in dollars names its class in pesos, and every fault of the two has its position', () => {
  const text = [
    `${header},base,class,issuer`,
    'AL30,Bonar,bond,BYMA,ARS,,,,,,República Argentina',
    'AL30D,Bonar D,bond,BYMA,USD,,,,AL30,mep,',
    'AL30C,Bonar C,bond,BYMA,USD,,,,AL30,cable,',
  ];
  const readMore = (...rows: readonly string[]) =>
    readInstruments(
      { file: 'instruments.csv', text: [...text, ...rows].join('\n') },
      { markets, panels },
    );
  const { instruments, faults } = readMore();
  assert.deepEqual(faults, []);
  assert.deepEqual(
    instruments.map(({ ticker, dollarClass, issuer }) => [ticker, dollarClass, issuer]),
    [
      ['AL30', undefined, 'República Argentina'],
      ['AL30D', { base: 'AL30', paid: 'mep' }, undefined],
      ['AL30C', { base: 'AL30', paid: 'cable' }, undefined],
    ],
  );
  const cases: readonly (readonly [row: string, column: number, message: RegExp])[] = [
    ['X,x,bond,BYMA,USD,,,,AL30,,', 10, /^class: must be mep, cable/],
    ['X,x,bond,BYMA,USD,,,,,mep,', 9, /^base: must be the ticker of the class in pesos/],
    ['X,x,bond,BYMA,USD,,,,AL31,mep,', 9, /^base: unknown ticker; add a row for it/],
    ['X,x,bond,BYMA,USD,,,,al30,mep,', 9, /^base: write it as its row does, AL30/],
    ['X,x,bond,BYMA,USD,,,,AL30D,mep,', 9, /^base: AL30D is not in ARS/],
    ['X,x,share,BYMA,USD,,,,AL30,mep,', 9, /^base: AL30 is a bond; both have one kind/],
    ['X,x,bond,BYMA,ARS,,,,AL30,mep,', 9, /^base: only an instrument in USD/],
    ['X,x,bond,BYMA,USD,,,,AL30,mep,', 10, /^class: AL30D is the mep class of AL30 already/],
    [`X,x,bond,BYMA,USD,,,,,,${'x'.repeat(201)}`, 11, /^issuer: has more than 200 characters/],
  ];
  for (const [row, column, message] of cases) {
    const [fault] = readMore(row).faults;
    assert.deepEqual([fault?.line, fault?.column], [5, column], row);
    assert.match(fault?.message ?? '', message);
  }
});
