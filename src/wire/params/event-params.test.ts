import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseEventParams } from './event-params.ts';

test('contract 4.8.1: the parameters and their problems are those of a range of /historicos', () => {
  assert.deepEqual(parseEventParams('especie=+ggal&desde=2026-01-01&hasta=2026-01-01&ajuste=x'), {
    ok: true,
    value: { ticker: 'ggal', from: '2026-01-01', to: '2026-01-01' },
  });
  for (const [query, problem] of [
    ['desde=%zz', { type: 'parameter-malformed', parameter: 'desde', value: '%zz' }],
    [
      'especie=GGAL&hasta=2026-01-01',
      { type: 'parameter-missing', parameter: 'desde', path: '/eventos' },
    ],
    ['especie=A,B', { type: 'ticker-not-single', value: 'A,B', path: '/eventos' }],
  ] as const) {
    assert.deepEqual(parseEventParams(query), { ok: false, problem });
  }
});
