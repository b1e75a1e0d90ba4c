import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMarketParams } from './market-params.ts';

test('contract 4.6.2: a year has four digits, and is optional', () => {
  for (const year of ['2026', '0001', '9999', '1000', 'todos']) {
    assert.deepEqual(parseMarketParams(`anio=${year}`), {
      ok: true,
      value: { year, fields: [] },
    });
  }
  for (const query of ['', 'formato=csv', 'ANIO=x', 'año=2026']) {
    assert.deepEqual(
      parseMarketParams(query),
      {
        ok: true,
        value: { year: undefined, fields: [] },
      },
      query,
    );
  }
});

test('contract 4.6.2: any other value is a problem that names the parameter and the value', () => {
  for (const value of [
    '',
    '26',
    '20266',
    '0000',
    '2026 ',
    ' 2026',
    '-2026',
    '2O26',
    'TODOS',
    '２０２６',
  ]) {
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

test('contract 4.6.5: campos names further fields, which have the order of the row', () => {
  const parsed = parseMarketParams('campos=cierresAnticipados,dias&campos=dias');
  assert.deepEqual(parsed, {
    ok: true,
    value: { year: undefined, fields: ['weekdays', 'earlyCloses'] },
  });
  for (const value of ['', 'Dias', 'feriados']) {
    assert.deepEqual(parseMarketParams(`campos=horarios,${value}`), {
      ok: false,
      problem: {
        type: 'field-unknown',
        value,
        valid: ['dias', 'horarios', 'cierresAnticipados', 'liquidacion'],
      },
    });
  }
});
