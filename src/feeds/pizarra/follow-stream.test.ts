import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Barra, StreamEvent } from '../../../clients/typescript/src/index.ts';
import { until } from '../../../test/support/wait.ts';
import type { TickerBar } from '../../domain/quotes/minute-bar.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { followStream, type StreamParts } from './follow-stream.ts';
import { PendingBatch } from './pending-batch.ts';

test('while many bars wait to be stored, the stream is not read', async () => {
  const pending = new PendingBatch();
  let sent = 0;
  const events = (async function* endless(): AsyncGenerator<StreamEvent> {
    for (; ; sent += 1) yield { type: 'barra', data: barAt(sent) };
  })();
  const stop = new AbortController();
  const parts = {
    part: 'x',
    origin: { stream: () => ({ events, observer: () => undefined }) },
    pending,
    bars: { opened: () => undefined, take: (one: TickerBar) => pending.addBars([one]) },
    instanceNow: async () => 'first',
    onComplete: () => undefined,
  } as unknown as StreamParts;
  const following = followStream(['GGAL' as Ticker], parts, stop.signal);
  for (const expected of [50_000, 100_001]) {
    await until('a full batch', () => sent === expected, { everyTurn: true });
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    assert.equal(sent, expected);
    assert.equal(pending.take().bars?.length, 50_001);
  }
  stop.abort();
  await following;
});

function barAt(minute: number): Barra {
  const instante = new Date(minute * 60_000).toISOString();
  const prices = { apertura: 1, maximo: 1, minimo: 1, ultimo: 1, volumen: null };
  return { especie: 'GGAL', fecha: instante.slice(0, 10), hora: '', instante, ...prices };
}
