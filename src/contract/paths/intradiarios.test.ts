import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseWith } from '../../../test/support/http/parse-with.ts';
import { intradiarios } from './intradiarios.ts';

const parseBarParams = (query: string) => parseWith(intradiarios, query);

function problemOf(query: string): unknown {
  const parsed = parseBarParams(query);
  assert.ok(!parsed.ok, `${query} was accepted`);
  return parsed.problem;
}

function rangeOf(query: string): unknown {
  const parsed = parseBarParams(`especie=AL30&${query}`);
  assert.ok(parsed.ok, query);
  return [parsed.value.range.from, parsed.value.range.to];
}

test('contract 4.9.1: only especie is required, and intervalo is 5m by default', () => {
  assert.deepEqual(parseBarParams('especie=+dolar++mep'), {
    ok: true,
    value: {
      range: { ticker: 'dolar mep', from: undefined, to: undefined },
      interval: 5,
      fields: [],
    },
  });
  for (const query of ['', 'especie=', 'especie=+', 'desde=2026-11-20']) {
    const problem = { type: 'parameter-missing', parameter: 'especie', path: '/intradiarios' };
    assert.deepEqual(problemOf(query), problem);
  }
});

test('contract 4.9.1: each interval of the contract is accepted, and nothing else', () => {
  for (const [name, interval] of [
    ['1m', 1],
    ['5m', 5],
    ['15m', 15],
    ['60m', 60],
  ] as const) {
    const parsed = parseBarParams(`especie=AL30&intervalo=${name}`);
    assert.equal(parsed.ok && parsed.value.interval, interval);
  }
  const valid = ['1m', '5m', '15m', '60m'];
  for (const value of ['', '1', '2m', '1M', '5m ', '1h', '60']) {
    const sent = encodeURIComponent(value);
    const problem = { type: 'value-unknown', parameter: 'intervalo', value, valid };
    assert.deepEqual(problemOf(`especie=AL30&intervalo=${sent}`), problem);
  }
});

test('contract 4.9.1: an absent or empty date is left to the service, and each may be sent alone', () => {
  assert.deepEqual(rangeOf('desde=2026-11-20'), ['2026-11-20', undefined]);
  assert.deepEqual(rangeOf('hasta=2026-11-20'), [undefined, '2026-11-20']);
  assert.deepEqual(rangeOf('desde=&hasta='), [undefined, undefined]);
  assert.deepEqual(rangeOf('desde=2026-11-20&hasta=2026-11-20'), ['2026-11-20', '2026-11-20']);
});

test('contract 4.9.1: a mistake in a parameter is a problem that names it', () => {
  assert.deepEqual(problemOf('especie=AL30,GD30'), {
    type: 'ticker-not-single',
    value: 'AL30,GD30',
    path: '/intradiarios',
  });
  assert.deepEqual(problemOf('especie=AL30&desde=2026-02-30'), {
    type: 'date-malformed',
    parameter: 'desde',
    value: '2026-02-30',
  });
  assert.deepEqual(problemOf('especie=AL30&hasta=ayer'), {
    type: 'date-malformed',
    parameter: 'hasta',
    value: 'ayer',
  });
  assert.deepEqual(problemOf('especie=AL30&desde=2026-11-21&hasta=2026-11-20'), {
    type: 'range-reversed',
    from: '2026-11-21',
    to: '2026-11-20',
  });
  for (const parameter of ['especie', 'desde', 'hasta', 'intervalo']) {
    assert.deepEqual(problemOf(`especie=A&${parameter}=x&${parameter}=x`), {
      type: 'parameter-repeated',
      parameter,
    });
  }
  assert.equal(parseBarParams('especie=GGAL&desde=%zz').ok, false);
});

test('contract 4.9.6: campos accepts the instant and nothing else', () => {
  for (const query of [
    'campos=instante',
    'campos=instante,instante',
    'campos=instante&campos=instante',
  ]) {
    const parsed = parseBarParams(`especie=AL30&${query}`);
    assert.deepEqual(parsed.ok && parsed.value.fields, ['instant'], query);
  }
  for (const value of ['', 'Instante', 'volumen', 'instante,']) {
    const problem = problemOf(`especie=AL30&campos=${value}`);
    const named = value.endsWith(',') ? '' : value;
    assert.deepEqual(problem, { type: 'field-unknown', value: named, valid: ['instante'] });
  }
});
