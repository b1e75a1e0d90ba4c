import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFormatParams } from './table-format.ts';

function valueOf(query: string): unknown {
  const parsed = parseFormatParams(query);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.value;
}

function problemOf(query: string): unknown {
  const parsed = parseFormatParams(query);
  assert.ok(!parsed.ok, `${query} was accepted`);
  return parsed.problem;
}

test('contract 4.5.7: without its parameters, a query does not choose a format', () => {
  const none = { format: undefined, csvStyle: 'csv' };
  for (const query of ['', 'panel=LID', 'especie=DOLAR%20MEP', 'x=formato', 'x=decimal&y=csv']) {
    assert.deepEqual(valueOf(query), none, query);
  }
});

test('contract 4.5.7: formato chooses the format, and decimal the style of a CSV', () => {
  const cases = [
    ['formato=json', 'json', 'csv'],
    ['formato=csv', 'csv', 'csv'],
    ['formato=ndjson', 'ndjson', 'csv'],
    ['panel=LID&formato=csv', 'csv', 'csv'],
    ['decimal=coma', undefined, 'csv-comma'],
    ['decimal=coma&formato=csv', 'csv', 'csv-comma'],
    ['formato=json&decimal=coma', 'json', 'csv-comma'],
    ['%66ormato=%63sv', 'csv', 'csv'],
    ['%64ecimal=com%61', undefined, 'csv-comma'],
  ] as const;
  for (const [query, format, csvStyle] of cases) {
    assert.deepEqual(valueOf(query), { format, csvStyle }, query);
  }
});

test('contract 4.5.7: any other value is a problem that names the parameter, the value and the valid ones', () => {
  for (const value of ['CSV', 'xml', '', ' csv', 'csv,json']) {
    const problem = {
      type: 'value-unknown',
      parameter: 'formato',
      value,
      valid: ['json', 'csv', 'ndjson'],
    };
    assert.deepEqual(problemOf(`formato=${encodeURIComponent(value)}`), problem);
  }
  for (const value of ['punto', 'Coma', '', ',']) {
    const problem = { type: 'value-unknown', parameter: 'decimal', value, valid: ['coma'] };
    assert.deepEqual(problemOf(`decimal=${encodeURIComponent(value)}`), problem);
  }
  assert.deepEqual(problemOf('formato'), {
    type: 'value-unknown',
    parameter: 'formato',
    value: '',
    valid: ['json', 'csv', 'ndjson'],
  });
});

test('contract 4.5.7: a parameter that is sent twice or is malformed is a problem, also with valid values', () => {
  for (const [parameter, value] of [
    ['formato', 'csv'],
    ['decimal', 'coma'],
  ] as const) {
    const twice = `${parameter}=${value}&${parameter}=${value}`;
    assert.deepEqual(problemOf(twice), { type: 'parameter-repeated', parameter });
    assert.deepEqual(problemOf(`${parameter}=%zz`), {
      type: 'parameter-malformed',
      parameter,
      value: '%zz',
    });
  }
});
