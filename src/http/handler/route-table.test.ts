import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readKeyedPath, withoutKeys } from './route-table.ts';

const key = `pzc_${'0'.repeat(36)}`;

test('the key and the rest of a path are what is before and after the next slash', () => {
  for (const [path, expectedKey, rest] of [
    [`/clave/${key}/cotizaciones`, key, '/cotizaciones'],
    [`/clave/${key}/bonos/flujos`, key, '/bonos/flujos'],
    [`/clave/${key}//x/`, key, '//x/'],
    [`/clave/${key}/`, key, '/'],
    [`/clave/${key}`, key, '/'],
    [`/clave/`, '', '/'],
    [`/clave//x`, '', '/x'],
    [`/clave/%zz/x`, '%zz', '/x'],
    [`/%63l%61ve/pzc%5F1/%zz`, 'pzc_1', '/%zz'],
  ] as const) {
    const read = readKeyedPath(path, '');
    assert.deepEqual([read?.key, read?.path], [expectedKey, rest], path);
    assert.equal(read?.hidden, `/clave/…${rest}`);
  }
});

test('the prefix follows the base path, and nothing else is the prefix', () => {
  assert.equal(readKeyedPath(`/v5/a/clave/${key}/x`, '/v5/a')?.key, key);
  for (const path of ['/clave', '/claves/x', '/CLAVE/x', '//clave/x', '/v5/clave/x', '/x', '*']) {
    assert.equal(readKeyedPath(path, ''), undefined, path);
  }
  assert.equal(readKeyedPath('/clave/x', '/v5'), undefined);
});

test('texts that begin as keys do are hidden in a path, and other paths stay as they were sent', () => {
  assert.equal(withoutKeys(`/a/${key}/b`), '/a/pzc_…/b');
  assert.equal(withoutKeys('/a/pz%5Fabc;pz_def'), '/a/pz_…;pz_…');
  assert.equal(withoutKeys('/%zz/pz%5Fabc'), '/%zz/pz_…');
  // Encoded twice or more, and beside an escape that is malformed.
  for (const sent of [
    'pz%5Fabc',
    'pz%255Fabc',
    'pz%25255F%2561bc',
    '%2570z%5fabc',
    'pz%25%35%46abc',
  ])
    for (const rest of ['', '%zz', '%ff']) {
      assert.equal(withoutKeys(`/clave%252F${sent}${rest}`), `/clave/pz_…${rest}`, sent);
    }
  for (const path of ['/', '/a%20b', '/%zz', '/pz', '/pz_', '/APZ_US', '*']) {
    assert.equal(withoutKeys(path), path);
  }
});
