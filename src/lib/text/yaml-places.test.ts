import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineCounter, parseDocument } from 'yaml';
import { yamlPlaceOf } from './yaml-places.ts';

const text = `feeds:
  - name: a
    tickers: [X, YY]
  - name: b
    1: one
    empty:
`;

/** The place of a path as `line:column`. */
function placeOf(
  path: readonly (string | number)[],
  { part, of = text }: { readonly part?: 'key' | 'value'; readonly of?: string } = {},
): string {
  const lines = new LineCounter();
  const { line, column } = yamlPlaceOf(
    parseDocument(of, { lineCounter: lines }),
    lines,
    path,
    part,
  );
  return `${line}:${column}`;
}

test('a path of keys and indices leads to the place of its value, or of its key', () => {
  assert.equal(placeOf([]), '1:1');
  assert.equal(placeOf(['feeds']), '2:3');
  assert.equal(placeOf(['feeds'], { part: 'key' }), '1:1');
  assert.equal(placeOf(['feeds', 1, 'name']), '4:11');
  assert.equal(placeOf(['feeds', 1, 'name'], { part: 'key' }), '4:5');
  assert.equal(placeOf(['feeds', 0, 'tickers', 1]), '3:18');
  assert.equal(placeOf(['feeds', 1, 1]), '5:8', 'a key that is a number');
});

test('a path that leads further than the document gives the last value on the way', () => {
  assert.equal(placeOf(['feeds', 0, 'nothing']), '2:5');
  assert.equal(placeOf(['feeds', 7, 'name']), '2:3');
  assert.equal(placeOf(['feeds', 0, 'name', 'deeper']), '2:11');
  assert.equal(placeOf(['nothing'], { part: 'key' }), '1:1');
  assert.equal(placeOf(['feeds', 0], { part: 'key' }), '2:5', 'an element has no key');
});

test('a document without a value has its place at the start', () => {
  assert.equal(placeOf(['feeds'], { of: '' }), '1:1');
});
