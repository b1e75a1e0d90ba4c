import assert from 'node:assert/strict';
import { test } from 'node:test';

import { knownAt } from './parts.ts';

const at = Date.UTC(2026, 10, 19, 21, 30);

function parse(...conocido: readonly string[]): ReturnType<typeof knownAt.parse> {
  return knownAt.parse({ conocido }, { path: '/historicos', tickersMax: 1 });
}

test('contract 4.18.1: an instant is read with Z or an offset, and a request without one asks for what is stored now', () => {
  assert.deepEqual(parse(), { ok: true, value: undefined });
  for (const text of [
    '2026-11-19T21:30:00Z',
    '2026-11-19T18:30:00-03:00',
    '2026-11-19T22:30:00.000+01:00',
  ])
    assert.deepEqual(parse(text), { ok: true, value: at });
});

function refused(type: string, value: string): object {
  return { ok: false, problem: { type, parameter: 'conocido', value } };
}

test('contract 4.18.2: a text that is an instant but for the sign that was decoded to a space is reported as such', () => {
  for (const value of ['2026-11-19T21:30:00 00:00', '2026-11-19T21:30:00.5 03:00'])
    assert.deepEqual(parse(value), refused('instant-without-sign', value));
  for (const value of [
    '',
    ' 00:00',
    '2026-02-30T21:30:00 00:00',
    '2026-11-19 21:30:00',
    '2026-11-19T21:30:00',
  ])
    assert.deepEqual(parse(value), refused('instant-malformed', value));
  assert.deepEqual(parse('2026-11-19T21:30:00Z', '2026-11-19T21:30:00Z'), {
    ok: false,
    problem: { type: 'parameter-repeated', parameter: 'conocido' },
  });
});
