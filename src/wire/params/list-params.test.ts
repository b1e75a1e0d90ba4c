import assert from 'node:assert/strict';
import { test } from 'node:test';

import { panelCodes } from '../../domain/instruments/panel.ts';
import { parseListParams } from './list-params.ts';

test('contract 4.3.1: a list is of a panel, or of all instruments without one; other parameters are ignored', () => {
  assert.deepEqual(parseListParams('panel=LID'), { ok: true, value: 'LID' });
  assert.deepEqual(parseListParams('otro=x&panel=BONOS'), { ok: true, value: 'BONOS' });
  assert.deepEqual(parseListParams(''), { ok: true, value: undefined });
  assert.deepEqual(parseListParams('Panel=LID'), { ok: true, value: undefined });
});

const problemOf = (query: string): unknown => {
  const parsed = parseListParams(query);
  return parsed.ok ? undefined : parsed.problem;
};

test('contract 4.1.2: an unknown, an empty, a repeated and a malformed panel are problems', () => {
  const unknown = { type: 'panel-unknown', valid: panelCodes };
  assert.deepEqual(problemOf('panel=lid'), { ...unknown, value: 'lid' });
  assert.deepEqual(problemOf('panel='), { ...unknown, value: '' });
  assert.deepEqual(problemOf('panel'), { ...unknown, value: '' });
  assert.deepEqual(problemOf('panel=LID&panel=LID'), { type: 'panel-repeated' });
  assert.deepEqual(problemOf('panel=%zz'), { ...unknown, value: '%zz' });
  assert.deepEqual(problemOf('panel=LID%00'), { ...unknown, value: 'LID%00' });
});
