import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  firstEpochDay,
  lastEpochDay,
  toEpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import { indexNames } from '../../domain/indices/index-name.ts';
import { parseWith } from '../../../test/support/http/parse-with.ts';
import { indices } from './indices.ts';

/** What a query asks for. */
function parse(query: string): unknown {
  const parsed = parseWith(indices, query);
  return parsed.ok ? { ok: true, value: parsed.value.subject } : parsed;
}

test('contract 4.14.1: without indice, the list is asked for, whatever else is sent', () => {
  for (const query of ['', 'desde=x', 'hasta=2026-01-01', 'especie=CER']) {
    assert.deepEqual(parse(query), { ok: true, value: { index: undefined } }, query);
  }
});

test('contract 4.14.2: both dates are optional, and an empty one counts as missing', () => {
  const [first, last] = ['2026-01-01', '2026-12-31'] as const;
  const [from, to] = [first, last].map((date) => toEpochDay(date as PlainDate));
  const ever = { from: firstEpochDay, to: lastEpochDay };
  for (const [query, days] of [
    ['', ever],
    [`&desde=${first}`, { ...ever, from }],
    [`&desde=&hasta=${last}`, { ...ever, to }],
    [`&desde=${first}&hasta=${last}`, { from, to }],
  ] as const) {
    assert.deepEqual(parse(`indice=CER${query}`), {
      ok: true,
      value: { index: 'CER', ...days },
    });
  }
});

test('contract 4.14.4: another index, an impossible day and a reversed range are problems', () => {
  for (const [query, problem] of [
    ['indice=cer', unknown('cer')],
    ['indice=', unknown('')],
    ['indice=CER,UVA', unknown('CER,UVA')],
    ['indice=CER&indice=CER', { type: 'parameter-repeated', parameter: 'indice' }],
    ['indice=CER&desde=hoy', { type: 'date-malformed', parameter: 'desde', value: 'hoy' }],
    [
      'indice=CER&hasta=2026-02-30',
      { type: 'date-malformed', parameter: 'hasta', value: '2026-02-30' },
    ],
    [
      'indice=CER&desde=2026-02-02&hasta=2026-02-01',
      { type: 'range-reversed', from: '2026-02-02', to: '2026-02-01' },
    ],
    [
      'indice=CER&desde=2026-02-02&desde=2026-02-02',
      { type: 'parameter-repeated', parameter: 'desde' },
    ],
  ] as const) {
    assert.deepEqual(parse(query), { ok: false, problem }, query);
  }
});

function unknown(value: string) {
  return { type: 'value-unknown', parameter: 'indice', value, valid: indexNames } as const;
}
