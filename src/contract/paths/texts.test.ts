import assert from 'node:assert/strict';
import { test } from 'node:test';

import { panelCodes } from '../../domain/instruments/panel.ts';
import { parseWith } from '../../../test/support/http/parse-with.ts';
import { especiesTxt } from './texts.ts';

const parseList = (query: string) => parseWith(especiesTxt, query);

test('contract 4.3.1: a list is of a panel, or of all instruments without one; other parameters are ignored', () => {
  assert.deepEqual(parseList('panel=LID'), { ok: true, value: { panel: 'LID' } });
  assert.deepEqual(parseList('otro=x&panel=BONOS'), { ok: true, value: { panel: 'BONOS' } });
  assert.deepEqual(parseList(''), { ok: true, value: { panel: undefined } });
  assert.deepEqual(parseList('Panel=LID'), { ok: true, value: { panel: undefined } });
});

const problemOf = (query: string): unknown => {
  const parsed = parseList(query);
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
