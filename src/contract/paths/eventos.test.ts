import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseWith } from '../../../test/support/http/parse-with.ts';
import { eventos } from './eventos.ts';

test('contract 4.8.1: the parameters and their problems are those of a range of /historicos', () => {
  assert.deepEqual(
    parseWith(eventos, 'especie=+ggal&desde=2026-01-01&hasta=2026-01-01&ajuste=x', 2),
    {
      ok: true,
      value: {
        range: { selection: { tickers: ['ggal'] }, from: '2026-01-01', to: '2026-01-01' },
        knownAt: undefined,
      },
    },
  );
  for (const [query, problem] of [
    ['desde=%zz', { type: 'parameter-malformed', parameter: 'desde', value: '%zz' }],
    [
      'especie=GGAL&hasta=2026-01-01',
      { type: 'parameter-missing', parameter: 'desde', path: '/eventos' },
    ],
    ['especie=A,B', { type: 'ticker-not-single', value: 'A,B', path: '/eventos' }],
  ] as const) {
    assert.deepEqual(parseWith(eventos, query, 2), { ok: false, problem });
  }
});

test('contract 4.8.5: with forma, the tickers are a list, and the days have the rules of one ticker', () => {
  const days = 'desde=2026-01-01&hasta=2026-01-02';
  assert.deepEqual(parseWith(eventos, `especie=+ggal,AL30,&forma=larga&${days}`, 2), {
    ok: true,
    value: {
      range: { selection: { tickers: ['ggal', 'AL30'] }, from: '2026-01-01', to: '2026-01-02' },
      knownAt: undefined,
    },
  });
  for (const [query, type] of [
    [`forma=larga&${days}`, 'parameter-missing'],
    [`forma=larga&especie=+&${days}`, 'parameter-missing'],
    [`forma=larga&especie=A,B,C&${days}`, 'tickers-too-many'],
    ['forma=larga&especie=A&desde=2026-01-01', 'parameter-missing'],
    ['forma=larga&especie=A&desde=2026-01-02&hasta=2026-01-01', 'range-reversed'],
    [`forma=ancha&especie=A&${days}`, 'value-unknown'],
    [`forma=larga&forma=larga&especie=A&${days}`, 'parameter-repeated'],
  ] as const) {
    const parsed = parseWith(eventos, query, 2);
    assert.ok(!parsed.ok, query);
    assert.equal(parsed.problem.type, type, query);
  }
});

test('contract 4.18.1: a request for one instrument or for several may ask as of an instant, and a wrong one is a problem', () => {
  for (const form of ['', '&forma=larga']) {
    const query = `especie=GGAL&desde=2026-01-01&hasta=2026-01-01${form}&conocido=`;
    const parsed = parseWith(eventos, `${query}2026-01-02T00:00:00Z`, 2);
    assert.equal(parsed.ok && parsed.value.knownAt, Date.UTC(2026, 0, 2));
    assert.deepEqual(parseWith(eventos, `${query}hoy`, 2), {
      ok: false,
      problem: { type: 'instant-malformed', parameter: 'conocido', value: 'hoy' },
    });
  }
});
