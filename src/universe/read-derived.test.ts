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
    '  D: { scaled: A, factors: { 2024-12-23: 1.30, 2025-01-01: 0.5, 2023-12-13: 1.6 } }',
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
          { since: '2025-01-01', factor: 0.5 },
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

test('an input whose own row has a fault is not reported as unknown too', () => {
  assert.deepEqual(read('derived:', '  B: { alias: F }').faults, []);
});

test('an instrument derived from itself is a fault', () => {
  assert.deepEqual(onlyFault('derived:', '  A: { alias: a }'), [
    2,
    3,
    'A',
    'an instrument cannot be derived from itself',
  ]);
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

test('a key that is missing, and a value of another type than its key needs, are faults that name it', () => {
  for (const [text, column, value, message] of [
    ['direct: []', 1, '', 'the file requires derived'],
    ['derived: []', 10, '[]', '"derived" must be a map of keys and values'],
    ['derived: { B: A }', 15, 'A', 'the derivation of B must be a map of keys and values'],
    ['derived: { B: { alias: [A] } }', 24, '[A]', 'a ticker must be a text'],
    [
      'derived: { B: { scaled: A, factors: [] } }',
      37,
      '[]',
      '"factors" must be a map of keys and values',
    ],
    [
      'derived: { B: { scaled: A, factors: { 2024-12-23: [] } } }',
      51,
      '[]',
      'a factor must be a text',
    ],
    [
      '{ derived: { B: { alias: A } }, direct: B }',
      41,
      'B',
      '"direct" must be a list with at least one item',
    ],
  ] as const) {
    assert.deepEqual(onlyFault(text), [1, column, value, message]);
  }
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
