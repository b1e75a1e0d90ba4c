import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMarketParams } from './market-params.ts';

test('contract 4.6.2: a year has four digits, and is optional', () => {
  for (const year of ['2026', '0001', '9999', '1000']) {
    assert.deepEqual(parseMarketParams(`anio=${year}`), { ok: true, value: year });
  }
  for (const query of ['', 'formato=csv', 'ANIO=x', 'año=2026']) {
    assert.deepEqual(parseMarketParams(query), { ok: true, value: undefined }, query);
  }
});

test('contract 4.6.2: any other value is a problem that names the parameter and the value', () => {
  for (const value of ['', '26', '20266', '0000', '2026 ', ' 2026', '-2026', '2O26', '２０２６']) {
    assert.deepEqual(parseMarketParams(`anio=${encodeURIComponent(value)}`), {
      ok: false,
      problem: { type: 'year-malformed', parameter: 'anio', value },
    });
  }
});

test('contract 4.6.2: a year that is sent twice or is malformed is a problem', () => {
  assert.deepEqual(parseMarketParams('anio=2026&anio=2026'), {
    ok: false,
    problem: { type: 'parameter-repeated', parameter: 'anio' },
  });
  assert.deepEqual(parseMarketParams('anio=%zz'), {
    ok: false,
    problem: { type: 'parameter-malformed', parameter: 'anio', value: '%zz' },
  });
});
