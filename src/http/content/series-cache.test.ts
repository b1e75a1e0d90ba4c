import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeUniverse } from '../../../test/support/make-universe.ts';
import type { CloseSeries } from '../../domain/daily-close.ts';
import { firstEpochDay, lastEpochDay } from '../../domain/plain-date.ts';
import type { Ticker } from '../../domain/ticker.ts';
import { SeriesCache } from './series-cache.ts';
import type { SeriesReader } from './series-cache.ts';
import type { RenderedSeries } from './rendered-series.ts';
import { clockAt } from '../../../test/support/clock-at.ts';
import { deferred } from '../../../test/support/wait.ts';

const universe = makeUniverse(['A', 'B', 'C'].map((ticker) => ({ ticker })));
const [a, b, c] = ['A', 'B', 'C'].map((ticker) => universe.get(ticker as Ticker)) as [
  ReturnType<typeof universe.get>,
  ReturnType<typeof universe.get>,
  ReturnType<typeof universe.get>,
];
const everything = { from: firstEpochDay, to: lastEpochDay };

/** A history of so many rows whose close is how often it was read; each read waits to be let go. */
class HeldHistory implements SeriesReader {
  reads = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #rows: number;

  constructor(rows = 1) {
    this.#rows = rows;
  }

  async readSeries(): Promise<CloseSeries> {
    this.reads += 1;
    const close = this.reads;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return {
      days: Int32Array.from({ length: this.#rows }, (_, row) => row),
      closes: new Float64Array(this.#rows).fill(close),
      volumes: new Float64Array(this.#rows).fill(Number.NaN),
    };
  }

  letGo(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

function cacheOf(history: SeriesReader, bytesMax = 2 ** 20): SeriesCache {
  return new SeriesCache({ history, clock: clockAt(() => 0), bytesMax });
}

function textOf(series: RenderedSeries | undefined): string {
  return String(series?.range(everything).pick(['identity'])?.parts);
}

test('many who ask first for a series have it read once', async () => {
  const history = new HeldHistory();
  const cache = cacheOf(history);
  const asked = Array.from({ length: 5 }, () => cache.load(a, 'json'));
  history.letGo();
  const given = await Promise.all(asked);
  assert.equal(new Set(given).size, 1);
  assert.equal(history.reads, 1);
  assert.equal(cache.peek(a, 'json'), given[0]);
  assert.equal(cache.peek(a, 'csv'), undefined);
});

test('a change forgets the series of its instruments in every format, and no others', async () => {
  const history = new HeldHistory();
  const cache = cacheOf(history);
  const loads = [cache.load(a, 'json'), cache.load(a, 'csv'), cache.load(b, 'json')];
  history.letGo();
  await Promise.all(loads);
  cache.invalidate([a.ticker, c.ticker]);
  assert.equal(cache.peek(a, 'json'), undefined);
  assert.equal(cache.peek(a, 'csv'), undefined);
  assert.ok(cache.peek(b, 'json') !== undefined);
});

test('what changes while it is read is not kept, and is read again for those who ask after', async () => {
  const history = new HeldHistory();
  const cache = cacheOf(history);
  const before = cache.load(a, 'json');
  cache.invalidate([a.ticker]);
  const after = cache.load(a, 'json');
  assert.notEqual(before, after);
  history.letGo();
  assert.match(textOf(await before), /"ultimo":1,/);
  assert.match(textOf(await after), /"ultimo":2,/);
  assert.match(textOf(cache.peek(a, 'json')), /"ultimo":2,/);
});

test('an old reading that ends last does not take the place of a newer one', async () => {
  const { promise: first, resolve: endFirst } = deferred<void>();
  const held = new HeldHistory();
  let reads = 0;
  const cache = cacheOf({
    readSeries: async () => {
      reads += 1;
      const series = held.readSeries();
      held.letGo();
      if (reads === 1) await first;
      return series;
    },
  });
  const before = cache.load(a, 'json');
  cache.invalidate([a.ticker]);
  await cache.load(a, 'json');
  endFirst();
  await before;
  assert.match(textOf(cache.peek(a, 'json')), /"ultimo":2,/);
});

test('a reading that fails is not kept', async () => {
  const held = new HeldHistory();
  let isBroken = true;
  const cache = cacheOf({
    readSeries: async () => {
      if (isBroken) throw new Error('no disk');
      return held.readSeries();
    },
  });
  await assert.rejects(cache.load(a, 'json'), /no disk/);
  isBroken = false;
  const load = cache.load(a, 'json');
  held.letGo();
  assert.match(textOf(await load), /"ultimo":1,/);
});

test('the limit holds with compressed forms: the series not asked for longest goes', async () => {
  const history = new HeldHistory(1_000);
  const load = async (cache: SeriesCache, instrument: typeof a): Promise<RenderedSeries> => {
    const loading = cache.load(instrument, 'json');
    history.letGo();
    return loading;
  };
  const one = (await load(cacheOf(history), a)).bytesHeld;
  const cache = cacheOf(history, Math.round(one * 2.5));
  await load(cache, a);
  const kept = await load(cache, b);
  assert.ok(cache.peek(a, 'json') !== undefined);
  await load(cache, c);
  assert.equal(cache.peek(b, 'json'), undefined);
  assert.ok(cache.peek(a, 'json') !== undefined && cache.peek(c, 'json') !== undefined);
  // It still serves whoever holds it, and weighs nothing.
  const weight = cache.bytesHeld;
  await kept.range(everything).make('gzip');
  assert.equal(cache.bytesHeld, weight);
  await cache.peek(a, 'json')?.range(everything).make('gzip');
  assert.ok(cache.bytesHeld > weight || cache.peek(c, 'json') === undefined);
  assert.ok(cache.bytesHeld <= Math.round(one * 2.5));
});
