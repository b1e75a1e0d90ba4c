import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseStreamParams } from './stream-params.ts';

const nothing = { barInterval: undefined, heartbeatMs: undefined };

test('contract 4.9.5: a stream has bars only if barras is sent, once', () => {
  assert.deepEqual(parseStreamParams('especie=AL30'), { ok: true, value: nothing });
  for (const [name, barInterval] of [
    ['1m', 1],
    ['5m', 5],
    ['15m', 15],
    ['60m', 60],
  ] as const) {
    const parsed = parseStreamParams(`especie=AL30&barras=${name}`);
    assert.deepEqual(parsed, { ok: true, value: { ...nothing, barInterval } });
  }
});

test('contract 4.4.1: a client chooses a heartbeat of 2, 5 or 10 seconds with latido', () => {
  for (const [name, heartbeatMs] of [
    ['2s', 2_000],
    ['5s', 5_000],
    ['10s', 10_000],
  ] as const) {
    const parsed = parseStreamParams(`especie=AL30&latido=${name}`);
    assert.deepEqual(parsed, { ok: true, value: { ...nothing, heartbeatMs } });
  }
});

test('any other value of barras or latido is a problem that lists the valid ones', () => {
  const lists = { barras: ['1m', '5m', '15m', '60m'], latido: ['2s', '5s', '10s'] };
  for (const [parameter, valid] of Object.entries(lists)) {
    for (const value of ['', '2', '2m', '5S', '5m ', '1s', '60']) {
      const problem = { type: 'value-unknown', parameter, value, valid };
      const sent = `${parameter}=${encodeURIComponent(value)}`;
      assert.deepEqual(parseStreamParams(sent), { ok: false, problem });
    }
    assert.deepEqual(parseStreamParams(`${parameter}=5&${parameter}=5`), {
      ok: false,
      problem: { type: 'parameter-repeated', parameter },
    });
    assert.equal(parseStreamParams(`${parameter}=%zz`).ok, false);
  }
});
