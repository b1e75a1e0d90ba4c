import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseWith } from '../../../test/support/http/parse-with.ts';
import { cambios } from './cambios.ts';

test('contract 4.19.1: a request is about one ticker or one index, and its dates are optional', () => {
  assert.deepEqual(parseWith(cambios, 'especie=+dolar++mep&desde=2026-01-02'), {
    ok: true,
    value: { subject: { ticker: 'dolar mep', from: '2026-01-02', to: undefined } },
  });
  assert.deepEqual(parseWith(cambios, 'indice=CER&hasta=2026-01-02&especie=+'), {
    ok: true,
    value: { subject: { index: 'CER', from: undefined, to: '2026-01-02' } },
  });
});

function typeOf(query: string): string | undefined {
  const parsed = parseWith(cambios, query);
  return parsed.ok ? undefined : parsed.problem.type;
}

test('contract 4.19.1: a request with both, with neither, or with a wrong value is a problem', () => {
  for (const query of ['', 'especie=', 'especie=GGAL&indice=CER', 'especie=GGAL&indice='])
    assert.equal(typeOf(query), 'subject-not-single', query);
  assert.equal(typeOf('especie=GGAL,AL30'), 'ticker-not-single');
  assert.equal(typeOf('especie=GGAL&especie=AL30'), 'parameter-repeated');
  assert.equal(typeOf('especie=GGAL&desde=2026'), 'date-malformed');
  assert.equal(typeOf('indice=cer'), 'value-unknown');
  assert.equal(typeOf('indice='), 'value-unknown');
  assert.equal(typeOf('indice=CER&desde=2026-01-02&hasta=2026-01-01'), 'range-reversed');
});
