import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { jsonParts } from './json-parts.ts';

test('names, strings, numbers and literals of a JSON text are told apart', () => {
  const parts = jsonParts('{"a": "x\\"y: 1", "b": -1.5e3, "c": null}');
  assert.deepEqual(
    parts.filter(({ kind }) => kind !== 'mark').map(({ kind, text }) => `${kind} ${text}`),
    ['name "a"', 'string "x\\"y: 1"', 'name "b"', 'number -1.5e3', 'name "c"', 'literal null'],
  );
});

test('the parts of a JSON text are the text, also if it is cut', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, length) => {
      const text = JSON.stringify(JSON.parse(json), undefined, 2).slice(0, length);
      const joined = jsonParts(text).map((part) => part.text);
      assert.equal(joined.join(''), text);
    }),
  );
});
