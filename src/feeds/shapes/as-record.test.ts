import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asRecord, fieldsOf, isAmount, isNone, isPrice, parseJson } from './as-record.ts';

test('only an object of JSON has fields', () => {
  const fields = { price: 1 };
  assert.equal(asRecord(fields), fields);
  assert.equal(fieldsOf(fields), fields);
  for (const value of [null, undefined, 1, 'text', true, [fields]]) {
    assert.equal(asRecord(value), undefined, JSON.stringify(value));
    assert.deepEqual(fieldsOf(value), {}, JSON.stringify(value));
  }
});

test('a text that is not JSON has no value, and a number that is too large is no price and no amount', () => {
  assert.deepEqual(parseJson('{"price":[1,null]}'), { price: [1, null] });
  assert.equal(parseJson('null'), null);
  for (const text of ['', '<html>', '{"price":', '{"price":1}}']) {
    assert.equal(parseJson(text), undefined, text);
  }
  for (const value of [parseJson('1e999'), Number.NaN, '1', null, undefined, -0.01]) {
    assert.equal(isPrice(value), false, String(value));
    assert.equal(isAmount(value), false, String(value));
  }
  assert.deepEqual([isPrice(0.01), isAmount(0.01)], [true, true]);
  assert.deepEqual([isPrice(0), isAmount(0)], [false, true]);
});

test('null and an absent field are none', () => {
  assert.deepEqual([isNone(null), isNone(undefined)], [true, true]);
  assert.deepEqual([isNone(0), isNone(''), isNone(false)], [false, false, false]);
});
