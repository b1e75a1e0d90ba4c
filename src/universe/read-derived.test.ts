import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Instrument } from '../domain/instruments/instrument.ts';
import { tickerKey, type Ticker } from '../domain/instruments/ticker.ts';
import { readDerived } from './read-derived.ts';

const tickers = ['A', 'B', 'C', 'D', 'E'];
const byKey = new Map(
  tickers.map((ticker, position): [ReturnType<typeof tickerKey>, Instrument] => [
    tickerKey(ticker),
    {
      ticker: ticker as Ticker,
      name: ticker,
      kind: 'exchange-rate',
      market: 'BYMA',
      currency: 'ARS',
      decimals: 2,
      changeUnit: 'percent',
      pricePer: 1,
      position,
    },
  ]),
);
/** F has a row that is faulty. */
const declared = new Map([...tickers, 'F'].map((ticker, index) => [tickerKey(ticker), index + 2]));

const read = (...lines: string[]) =>
  readDerived({ file: 'derived.yaml', text: lines.join('\n') }, { byKey, declared });

function onlyFault(...lines: string[]) {
  const { faults } = read(...lines);
  assert.equal(faults.length, 1, JSON.stringify(faults));
  return faults.map(({ line, column, value, message }) => [line, column, value, message])[0];
}

test('all four types of derivation are read', () => {
  const { derived, faults } = read(
    'derived:',
    '  B: { ratio: { numerator: A, denominator: a } }',
    '  C: { gap: { value: A, base: B } }',
    '  D: { scaled: A, factors: { 2024-12-23: 1.30, 2023-12-13: 1.6 } }',
    '  E: { alias: A }',
  );
  assert.deepEqual(faults, []);
  assert.deepEqual(
    derived.map(({ derivation }) => derivation),
    [
      { type: 'ratio', numerator: 'A', denominator: 'A' },
      { type: 'gap', value: 'A', base: 'B' },
      {
        type: 'scaled',
        source: 'A',
        factors: [
          { since: '2023-12-13', factor: 1.6 },
          { since: '2024-12-23', factor: 1.3 },
        ],
      },
      { type: 'alias', source: 'A' },
    ],
  );
});

test('every derived instrument comes after its inputs, for any order in the file', () => {
  const { derived } = read(
    'derived:',
    '  E: { gap: { value: D, base: C } }',
    '  D: { alias: C }',
    '  C: { alias: B }',
    '  B: { alias: A }',
  );
  assert.deepEqual(
    derived.map(({ instrument }) => instrument.ticker),
    ['B', 'C', 'D', 'E'],
  );
});

test('an instrument under "direct" is not derived, and interrupts a circular derivation', () => {
  const lines = ['derived:', '  A: { alias: B }', '  B: { alias: A }', 'direct: [A]'];
  const { derived, faults } = read(...lines);
  assert.deepEqual(faults, []);
  assert.deepEqual(
    derived.map(({ instrument }) => instrument.ticker),
    ['B'],
  );
  assert.deepEqual(onlyFault('derived: { B: { alias: A } }', 'direct: [C]')?.slice(0, 3), [
    2,
    10,
    'C',
  ]);
});

test('an input without a row is a fault, and an input with a faulty row is not', () => {
  assert.deepEqual(onlyFault('derived:', '  B:', '    alias: AL30X'), [
    3,
    12,
    'AL30X',
    'unknown instrument; instruments.csv has no row with this ticker',
  ]);
  assert.deepEqual(read('derived:', '  B: { alias: F }').faults, []);
});

test('a derived instrument without a row is a fault', () => {
  assert.deepEqual(onlyFault('derived:', '  X: { alias: A }')?.slice(0, 3), [2, 3, 'X']);
});

test('an instrument derived from itself is a fault', () => {
  assert.deepEqual(onlyFault('derived:', '  A: { alias: a }'), [
    2,
    3,
    'A',
    'an instrument cannot be derived from itself',
  ]);
});

test('a circular derivation is one fault, which shows the circle', () => {
  assert.deepEqual(
    onlyFault('derived:', '  A: { alias: B }', '  B: { alias: C }', '  C: { alias: A }'),
    [2, 3, 'A', 'circular derivation: A → B → C → A'],
  );
});

test('two derivations of one instrument are a fault, whatever the case of the ticker', () => {
  assert.deepEqual(onlyFault('derived:', '  B: { alias: A }', '  b: { alias: C }')?.slice(0, 3), [
    3,
    3,
    'b',
  ]);
});

test('a derivation has exactly one type', () => {
  assert.deepEqual(onlyFault('derived:', '  B: {}')?.slice(0, 2), [2, 6]);
  assert.deepEqual(
    onlyFault('derived:', '  B: { alias: A, gap: { value: A, base: C } }')?.slice(0, 2),
    [2, 6],
  );
});

test('a ratio without its denominator is a fault', () => {
  assert.deepEqual(onlyFault('derived:', '  B: { ratio: { numerator: A } }'), [
    2,
    15,
    '',
    'the ratio requires denominator',
  ]);
});

test('factors are numbers above zero by date, and only scaled instruments have them', () => {
  const factor = onlyFault('derived:', '  B: { scaled: A, factors: { 2024-12-23: 30% } }');
  assert.deepEqual(factor?.slice(0, 3), [2, 42, '30%']);
  const zero = onlyFault('derived:', '  B: { scaled: A, factors: { 2024-12-23: 0 } }');
  assert.deepEqual(zero?.slice(0, 3), [2, 42, '0']);
  const date = onlyFault('derived:', '  B: { scaled: A, factors: { 2024-13-01: 1 } }');
  assert.deepEqual(date?.slice(0, 3), [2, 30, '2024-13-01']);
  const none = onlyFault('derived:', '  B: { scaled: A }');
  assert.deepEqual(none?.slice(0, 2), [2, 8]);
  const alias = onlyFault('derived:', '  B: { alias: A, factors: { 2024-12-23: 1 } }');
  assert.deepEqual(alias?.slice(0, 3), [2, 18, 'factors']);
});

test('a derivation with a fault does not exist', () => {
  const faulty = [
    '{ scaled: A, factors: { 2024-12-23: 30% } }',
    '{ scaled: A, factors: { 2024-12-23: 1.3, 2025-01-01: 0 } }',
    '{ scaled: A, factors: { ayer: 1.3, 2025-01-01: 1.4 } }',
    '{ scaled: A, factors: { 2024-12-23: [], 2025-01-01: 1.4 } }',
    '{ scaled: A, factors: {} }',
    '{ scaled: NADA, factors: { 2024-12-23: 1.3 } }',
    '{ scaled: A }',
    '{ alias: NADA }',
    '{ ratio: { numerator: A, denominator: NADA } }',
    '{ ratio: { numerator: NADA, denominator: A } }',
    '{ gap: { value: A } }',
    '{ alias: A, factors: { 2024-12-23: 1 } }',
  ];
  for (const text of faulty) {
    assert.deepEqual(read('derived:', `  B: ${text}`).derived, [], text);
  }
});

test('a factor is written in digits, without an exponent, a sign or a space', () => {
  for (const factor of ['1e3', '0x10', "' 2'", '+2', '-2', '.5', '2.', 'Infinity']) {
    const fault = onlyFault('derived:', `  B: { scaled: A, factors: { 2024-12-23: ${factor} } }`);
    assert.match(String(fault?.[3]), /^not a valid factor/, factor);
  }
  const huge = `1${'0'.repeat(400)}`;
  const fault = onlyFault('derived:', `  B: { scaled: A, factors: { 2024-12-23: ${huge} } }`);
  assert.match(String(fault?.[3]), /^not a valid factor/);
});

test('a derivation that is no map is one fault', () => {
  assert.deepEqual(onlyFault('derived:', '  B: A'), [
    2,
    6,
    'A',
    'the derivation of B must be a map of keys and values',
  ]);
});

test('a file without derivations is one fault', () => {
  assert.deepEqual(onlyFault('direct: []'), [1, 1, '', 'the file requires derived']);
});

test('factors without any, and texts in place of lists and of tickers, are faults', () => {
  assert.deepEqual(onlyFault('derived: { B: { alias: A } }', 'direct: B'), [
    2,
    9,
    'B',
    '"direct" must be a list with at least one item',
  ]);
  assert.deepEqual(onlyFault('derived: { B: { alias: [A] } }'), [
    1,
    24,
    '[A]',
    'a ticker must be a text',
  ]);
  assert.deepEqual(onlyFault('derived: { B: { scaled: A, factors: [] } }'), [
    1,
    37,
    '[]',
    '"factors" must be a map of keys and values',
  ]);
  assert.deepEqual(onlyFault('derived: []'), [
    1,
    10,
    '[]',
    '"derived" must be a map of keys and values',
  ]);
});

test('instruments that depend on a circle are derived, and each circle is reported once', () => {
  const { derived, faults } = read(
    'derived:',
    '  A: { alias: B }',
    '  B: { alias: A }',
    '  C: { alias: A }',
    '  D: { alias: E }',
    '  E: { ratio: { numerator: D, denominator: A } }',
  );
  assert.deepEqual(
    faults.map(({ line, message }) => [line, message]),
    [
      [2, 'circular derivation: A → B → A'],
      [5, 'circular derivation: D → E → D'],
    ],
  );
  assert.deepEqual(
    derived.map(({ instrument }) => instrument.ticker),
    ['B', 'A', 'C', 'E', 'D'],
  );
});

test('factors are in the order of their dates, and may be below one', () => {
  const factors = [
    { since: '2023-12-13', factor: 1.6 },
    { since: '2024-12-23', factor: 0.5 },
    { since: '2025-01-01', factor: 1 },
  ];
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ]) {
    const text = order.map((at) => `${factors[at]?.since}: ${factors[at]?.factor}`).join(', ');
    const { derived } = read('derived:', `  B: { scaled: A, factors: { ${text} } }`);
    assert.deepEqual(derived[0]?.derivation, { type: 'scaled', source: 'A', factors });
  }
});

test('a factor that is no text is one fault', () => {
  assert.deepEqual(onlyFault('derived:', '  B: { scaled: A, factors: { 2024-12-23: [] } }'), [
    2,
    42,
    '[]',
    'a factor must be a text',
  ]);
});
