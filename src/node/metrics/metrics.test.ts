import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { Board } from '../../board/board.ts';
import { Metrics } from './metrics.ts';
import { countOpenFiles } from './open-files.ts';

test('the feeds are read once for each request of the metrics, because that counts all instruments', async () => {
  const metrics = new Metrics({ version: '0' });
  let readings = 0;
  metrics.measure(() => ({
    isSimulated: false,
    board: new Board(makeUniverse([{ ticker: 'A' }])),
    persist: { backlog: 0 },
    acceptsUpdates: true,
    feeds: () => {
      readings += 1;
      return [];
    },
  }));
  for (const requests of [1, 2, 3]) {
    await metrics.registry.metrics();
    assert.equal(readings, requests);
  }
});

test('the open files of the process are a metric', async () => {
  const text = await new Metrics({ version: '0' }).registry.metrics();
  const [, value] = /^process_open_fds (\d+)$/m.exec(text) ?? [];
  assert.equal(Number(value), countOpenFiles());
});
