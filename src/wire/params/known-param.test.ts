import assert from 'node:assert/strict';
import { test } from 'node:test';

import { aheadMsMax, instantToCome, parseKnownAt } from './known-param.ts';

const at = Date.UTC(2026, 10, 19, 21, 30);

function parse(...conocido: readonly string[]): ReturnType<typeof parseKnownAt> {
  return parseKnownAt({ conocido });
}

test('contract 4.18.1: an instant is read with Z or an offset, and a request without one gets no member', () => {
  assert.deepEqual(parse(), { ok: true, value: {} });
  for (const text of [
    '2026-11-19T21:30:00Z',
    '2026-11-19T18:30:00-03:00',
    '2026-11-19T22:30:00.000+01:00',
  ])
    assert.deepEqual(parse(text), { ok: true, value: { knownAt: at } });
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

test('contract 4.18.3: an instant may be a minute ahead of the clock, and no more', () => {
  assert.equal(aheadMsMax, 60_000);
  assert.equal(instantToCome({ knownAt: at }, at - aheadMsMax), undefined);
  assert.deepEqual(instantToCome({ knownAt: at }, at - aheadMsMax - 1), {
    type: 'instant-to-come',
    parameter: 'conocido',
    value: '2026-11-19T21:30:00.000Z',
    now: '2026-11-19T21:28:59.999Z',
  });
});
