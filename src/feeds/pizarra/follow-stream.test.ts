import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { until } from '../../../test/support/wait.ts';
import type { TickerBar } from '../../domain/quotes/minute-bar.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { EventStream, StreamItem } from '../net/event-stream.ts';
import { followStream, missingCount, type StreamParts } from './follow-stream.ts';
import { PendingBatch } from './pending-batch.ts';

test('contract 4.1.5: the names of Missing-Especies are counted, those that it only counts too', () => {
  assert.equal(missingCount(undefined), 0);
  assert.equal(missingCount(''), 0);
  assert.equal(missingCount('DOLAR%20MEP'), 1);
  assert.equal(missingCount('A,B,C'), 3);
  assert.equal(missingCount('A,B,%E2%80%A6+12'), 14);
  assert.equal(missingCount('A,B, %e2%80%a6+12'), 14);
});

test('while many bars wait to be stored, the stream is not read', async () => {
  const pending = new PendingBatch();
  let chunks = 0;
  const items = (async function* endless(): AsyncGenerator<readonly StreamItem[]> {
    for (; ; chunks += 1) {
      yield Array.from({ length: 1_000 }, (_, at) => barEvent(chunks * 1_000 + at));
      await nextTurn();
    }
  })();
  const stream: EventStream = { header: () => undefined, items, observer: undefined };
  const stop = new AbortController();
  const parts = {
    part: 'x',
    origin: { stream: async () => stream },
    deps: {},
    pending,
    bars: { opened: () => undefined, take: (one: TickerBar) => pending.addBars([one]) },
    instanceNow: async () => 'first',
    onComplete: () => undefined,
  } as unknown as StreamParts;
  const following = followStream(['GGAL' as Ticker], parts, stop.signal);
  for (const expected of [50, 101]) {
    await until('a full batch', () => chunks === expected, { everyTurn: true });
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    assert.equal(chunks, expected);
    assert.equal(pending.take().bars?.length, 51_000);
  }
  stop.abort();
  await following;
});

function barEvent(minute: number): StreamItem {
  const instante = new Date(minute * 60_000).toISOString();
  const prices = { apertura: 1, maximo: 1, minimo: 1, ultimo: 1, volumen: null };
  const data = JSON.stringify({
    especie: 'GGAL',
    fecha: instante.slice(0, 10),
    instante,
    ...prices,
  });
  return { event: 'barra', id: undefined, data };
}
