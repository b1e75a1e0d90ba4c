import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWith } from '../../../test/support/http/parse-with.ts';
import { mercados } from './mercados.ts';

test('contract 4.6.2: a year has four digits, and is optional', () => {
  for (const year of ['2026', '0001', '9999', '1000', 'todos']) {
    assert.deepEqual(parseWith(mercados, `anio=${year}`), {
      ok: true,
      value: { year, fields: [] },
    });
  }
  for (const query of ['', 'formato=csv', 'ANIO=x', 'año=2026']) {
    assert.deepEqual(
      parseWith(mercados, query),
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
    assert.deepEqual(parseWith(mercados, `anio=${encodeURIComponent(value)}`), {
      ok: false,
      problem: { type: 'year-malformed', parameter: 'anio', value },
    });
  }
});

test('contract 4.6.2: a year that is sent twice or is malformed is a problem', () => {
  assert.deepEqual(parseWith(mercados, 'anio=2026&anio=2026'), {
    ok: false,
    problem: { type: 'parameter-repeated', parameter: 'anio' },
  });
  assert.deepEqual(parseWith(mercados, 'anio=%zz'), {
    ok: false,
    problem: { type: 'parameter-malformed', parameter: 'anio', value: '%zz' },
  });
});

test('contract 4.6.5: campos names further fields, which have the order of the row', () => {
  const parsed = parseWith(mercados, 'campos=cierresAnticipados,dias&campos=dias');
  assert.deepEqual(parsed, {
    ok: true,
    value: { year: undefined, fields: ['weekdays', 'earlyCloses'] },
  });
  for (const value of ['', 'Dias', 'feriados']) {
    assert.deepEqual(parseWith(mercados, `campos=horarios,${value}`), {
      ok: false,
      problem: {
        type: 'field-unknown',
        value,
        valid: ['dias', 'horarios', 'cierresAnticipados', 'liquidacion'],
      },
    });
  }
});
