import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noActions } from '../../domain/history/corporate-actions.ts';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { parseActionType, readAction, type FieldTexts } from './action-fields.ts';

const universe = makeUniverse([{ ticker: 'YPFD' }, { ticker: 'META_US' }]);
const empty: FieldTexts = {
  ticker: 'YPFD',
  date: '2026-08-24',
  type: 'split',
  factor: '',
  amount: '',
  currency: '',
  newTicker: '',
  source: '',
  ratio: '',
  price: '',
};

/** The action of these fields, or the faults as `field: message`. */
function read(fields: Partial<FieldTexts>): unknown {
  const faults: string[] = [];
  const texts = { ...empty, ...fields };
  const action = readAction(
    texts,
    { universe, recorded: noActions, source: 'a.csv' },
    (field, message) => faults.push(`${field}: ${message}`),
  );
  if (action === undefined) {
    assert.notDeepEqual(faults, []);
    return faults;
  }
  assert.deepEqual(faults, []);
  const { exDay, ...rest } = action;
  return { date: fromEpochDay(exDay), ...rest };
}

const base = { date: '2026-08-24', ticker: 'YPFD', source: 'a.csv' };

test('each type is read with its own fields', () => {
  for (const type of ['split', 'stock-dividend', 'ratio-change']) {
    assert.deepEqual(read({ type, factor: '10' }), { ...base, type, factor: 10 });
  }
  assert.deepEqual(read({ type: 'cash-dividend', amount: '12.5', currency: 'ars' }), {
    ...base,
    type: 'cash-dividend',
    amount: 12.5,
    currency: 'ARS',
  });
  for (const type of ['rights-issue', 'spin-off']) {
    assert.deepEqual(read({ type, factor: '1.1' }), { ...base, type, factor: 1.1 });
    assert.deepEqual(read({ type, ratio: '1:4', price: '30,5' }), {
      ...base,
      type,
      ratio: 0.25,
      price: 30.5,
    });
  }
  const renamed = { type: 'ticker-change', ticker: 'FB_US', newTicker: 'meta_us' };
  assert.deepEqual(read(renamed), {
    ...base,
    ...renamed,
    newTicker: 'META_US',
  });
});

test('the usual other names of types are read, in any case and spelling', () => {
  for (const [name, type] of [
    ['Split', 'split'],
    ['forward_split', 'split'],
    ['stock split', 'split'],
    ['REVERSE-SPLIT', 'split'],
    ['desdoblamiento', 'split'],
    ['split  inverso', 'split'],
    ['bonus', 'stock-dividend'],
    ['Dividendo en acciones', 'stock-dividend'],
    ['dividendo-acciones', 'stock-dividend'],
    ['ratio', 'ratio-change'],
    ['cambio ratio', 'ratio-change'],
    ['cambio de ratio', 'ratio-change'],
    ['rights', 'rights-issue'],
    ['Derechos de suscripción', 'rights-issue'],
    ['spinoff', 'spin-off'],
    ['escision', 'spin-off'],
    ['dividend', 'cash-dividend'],
    ['Dividendo', 'cash-dividend'],
    ['dividendo en efectivo', 'cash-dividend'],
    ['symbol change', 'ticker-change'],
    ['rename', 'ticker-change'],
    ['cambio-ticker', 'ticker-change'],
    ['cambio de ticker', 'ticker-change'],
    [' ticker change ', 'ticker-change'],
  ] as const) {
    assert.equal(parseActionType(name), type, name);
  }
  for (const name of ['', 'splits', 'merger', 'toString']) {
    assert.equal(parseActionType(name), undefined, name);
  }
  assert.deepEqual(read({ type: 'merger', factor: '2' }), [
    'type: not a type of action; the types are split, stock-dividend, ratio-change, rights-issue, spin-off, cash-dividend, ticker-change',
  ]);
});

test('a rights issue and a spin-off have either a factor above 1, or a ratio and a price', () => {
  for (const type of ['rights-issue', 'spin-off']) {
    assert.deepEqual(read({ type }), [`factor: a ${type} requires it, or ratio and price`]);
    assert.deepEqual(read({ type, ratio: '1:4' }), [`price: a ${type} requires it`]);
    assert.deepEqual(read({ type, factor: '1.1', ratio: '0.25', price: '30' }), [
      'factor: ratio and price say the same; leave it empty',
    ]);
    assert.deepEqual(read({ type, factor: '0.9' }), [
      'factor: below 1; it is the price before the ex date divided by the theoretical one after it',
    ]);
    assert.deepEqual(read({ type, ratio: '1:4:2', price: '1:2' }), [
      'ratio: not a number above zero, such as 0.25, or new shares to shares held, such as 1:4',
      'price: not a number above zero',
    ]);
  }
  assert.deepEqual(read({ factor: '2', ratio: '2', price: '1' }), [
    'ratio: a split has none; leave it empty',
    'price: a split has none; leave it empty',
  ]);
});

test('a ticker is found in any spelling, a source is kept, and the file is the source of the others', () => {
  assert.deepEqual(read({ ticker: ' ypfd ', factor: '2', source: 'CNV' }), {
    ...base,
    type: 'split',
    factor: 2,
    source: 'CNV',
  });
});

test('a factor is a number or the ratio of new to old units, with a decimal point or comma', () => {
  for (const [text, factor] of [
    ['10', 10],
    ['0.1', 0.1],
    ['1,09', 1.09],
    ['1,5', 1.5],
    ['1,0925', 1.0925],
    ['4:1', 4],
    ['3 : 2', 1.5],
    ['1/10', 0.1],
    ['1.5:1', 1.5],
    ['100000', 100_000],
    ['1:100000', 1e-5],
  ] as const) {
    assert.deepEqual(read({ factor: text }), { ...base, type: 'split', factor }, text);
  }
});

test('what is no number above zero is a fault', () => {
  const message =
    'factor: not a number above zero, such as 10, or new units to old units, such as 10:1';
  for (const text of ['0', '-2', 'x', '1e3', '1.', '.5', '1:0', '0:1', '4:1:2', '1:', '∞']) {
    assert.deepEqual(read({ factor: text }), [message], text);
  }
  const paid = { type: 'dividend', currency: 'USD' };
  for (const text of ['0', '2:1', '-1', '$3']) {
    assert.deepEqual(read({ ...paid, amount: text }), ['amount: not a number above zero'], text);
  }
});

test('a comma that may separate thousands is a fault', () => {
  const message = 'the comma may be decimal or separate thousands; write a decimal point';
  assert.deepEqual(read({ factor: '1,000' }), [`factor: ${message}`]);
  const amounts = ['12,500', '1,234,567'];
  for (const amount of amounts) {
    const paid = { type: 'dividend', currency: 'USD', amount };
    assert.deepEqual(read(paid), [`amount: ${message}`]);
  }
});

test('a factor of 1, one beyond the largest, and one against its name are faults', () => {
  assert.deepEqual(read({ factor: '1' }), [
    'factor: a factor of 1 changes nothing; delete the row',
  ]);
  const bounds = 'factor: not between 1/100000 and 100000';
  assert.deepEqual(read({ factor: '100001' }), [bounds]);
  assert.deepEqual(read({ factor: '0.0000099' }), [bounds]);
  const reverse = 'factor: a reverse split of one new for ten old units has the factor 0.1 or 1:10';
  assert.deepEqual(read({ type: 'reverse split', factor: '10' }), [reverse]);
  assert.deepEqual(read({ type: 'split inverso', factor: '10' }), [reverse]);
  assert.deepEqual(read({ type: 'split inverso', factor: '1' }), [
    'factor: a factor of 1 changes nothing; delete the row',
  ]);
  assert.deepEqual(read({ type: 'reverse split', factor: '1:10' }), {
    ...base,
    type: 'split',
    factor: 0.1,
  });
});

test('a field that the type requires and a field that it does not have are faults', () => {
  assert.deepEqual(read({}), ['factor: a split requires it']);
  assert.deepEqual(read({ type: 'dividend' }), [
    'amount: a cash-dividend requires it',
    'currency: a cash-dividend requires it',
  ]);
  assert.deepEqual(read({ type: 'rename' }), ['newTicker: a ticker-change requires it']);
  assert.deepEqual(read({ factor: '2', amount: '1', currency: 'USD', newTicker: 'META_US' }), [
    'amount: a split has none; leave it empty',
    'currency: a split has none; leave it empty',
    'newTicker: a split has none; leave it empty',
  ]);
});

test('a date that does not exist or is before 1800, and a currency that is none, are faults', () => {
  const message = 'date: not a valid ex date; use YYYY-MM-DD and a day that exists';
  for (const date of ['', '2026-02-30', '24/08/2026', '1799-12-31']) {
    assert.deepEqual(read({ date, factor: '2' }), [message], date);
  }
  assert.ok(!Array.isArray(read({ date: '1800-01-01', factor: '2' })));
  for (const currency of ['US', 'pesos', 'U$D']) {
    assert.deepEqual(read({ type: 'dividend', amount: '1', currency }), [
      'currency: not a currency; use its ISO 4217 code, such as ARS or USD',
    ]);
  }
});

test('an instrument must be in the universe, or one of the two of a change of the ticker', () => {
  const unknown =
    'ticker: not in the universe; correct the ticker, or add the instrument to the universe';
  assert.deepEqual(read({ ticker: 'NADA', factor: '2' }), [unknown]);
  assert.deepEqual(read({ ticker: 'a,b', factor: '2' }), ['ticker: not a ticker']);
  assert.deepEqual(read({ type: 'rename', ticker: 'FB_US', newTicker: 'NADA' }), [
    'newTicker: neither the old nor the new ticker is in the universe',
  ]);
  const old = { type: 'ticker-change', ticker: 'YPFD', newTicker: 'YPF2' };
  assert.deepEqual(read(old), { ...base, ...old });
  assert.deepEqual(read({ type: 'rename', ticker: 'NADA', newTicker: 'x,y' }), [
    'newTicker: not a ticker',
    unknown,
  ]);
  assert.deepEqual(read({ type: 'rename', newTicker: 'ypfd' }), [
    'newTicker: the same as the old ticker; correct it, or delete the row',
  ]);
});
