import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import { CorporateActions, noActions } from '../../domain/history/corporate-actions.ts';
import type { BarSeries, CloseSeries } from '../../domain/history/daily-close.ts';
import { firstEpochDay, lastEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { plainView } from '../../wire/params/history-view.ts';
import { SeriesCache, type SeriesForm, type SeriesReader } from './series-cache.ts';
import type { RenderedSeries } from './rendered-series.ts';
import { clockAt } from '../../../test/support/market/clock-at.ts';
import { deferred } from '../../../test/support/wait.ts';

const universe = makeUniverse(['A', 'B', 'C'].map((ticker) => ({ ticker })));
const [a, b, c] = ['A', 'B', 'C'].map((ticker) => universe.get(ticker as Ticker)) as [
  ReturnType<typeof universe.get>,
  ReturnType<typeof universe.get>,
  ReturnType<typeof universe.get>,
];
const json: SeriesForm = { ...plainView, format: 'json' };
const csv: SeriesForm = { ...plainView, format: 'csv' };
const everything = { from: firstEpochDay, to: lastEpochDay };

/** A history of so many rows whose close is how often it was read; each read waits to be let go. */
class HeldHistory implements SeriesReader {
  reads = 0;
  readsOfBars = 0;
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

  async readBars(): Promise<BarSeries> {
    this.readsOfBars += 1;
    const series = await this.readSeries();
    const opens = series.closes.map((close) => close + 0.5);
    return { ...series, opens, highs: opens, lows: opens };
  }

  letGo(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

function cacheOf(history: SeriesReader, bytesMax = 2 ** 20): SeriesCache {
  return new SeriesCache({
    history,
    actions: () => noActions,
    sessionDay: () => undefined,
    clock: clockAt(() => 0),
    bytesMax,
  });
}

function splitOn(exDay: number, factor: number): CorporateAction {
  return { type: 'split', ticker: a.ticker, exDay: exDay as EpochDay, factor, source: 'test' };
}

function textOf(series: RenderedSeries | undefined): string {
  return String(series?.range(everything).pick(['identity'])?.parts);
}

test('many who ask first for a series have it read once', async () => {
  const history = new HeldHistory();
  const cache = cacheOf(history);
  const asked = Array.from({ length: 5 }, () => cache.load(a, json));
  history.letGo();
  const given = await Promise.all(asked);
  assert.equal(new Set(given).size, 1);
  assert.equal(history.reads, 1);
  assert.equal(cache.peek(a, json), given[0]);
  assert.equal(cache.peek(a, csv), undefined);
});

test('a change forgets the series of its instruments in every format, and no others', async () => {
  const history = new HeldHistory();
  const cache = cacheOf(history);
  const loads = [cache.load(a, json), cache.load(a, csv), cache.load(b, json)];
  history.letGo();
  await Promise.all(loads);
  cache.invalidate([a.ticker, c.ticker]);
  assert.equal(cache.peek(a, json), undefined);
  assert.equal(cache.peek(a, csv), undefined);
  assert.ok(cache.peek(b, json) !== undefined);
});

test('what changes while it is read is not kept, and is read again for those who ask after', async () => {
  const history = new HeldHistory();
  const cache = cacheOf(history);
  const before = cache.load(a, json);
  cache.invalidate([a.ticker]);
  const after = cache.load(a, json);
  assert.notEqual(before, after);
  history.letGo();
  assert.match(textOf(await before), /"ultimo":1,/);
  assert.match(textOf(await after), /"ultimo":2,/);
  assert.match(textOf(cache.peek(a, json)), /"ultimo":2,/);
});

test('an old reading that ends last does not take the place of a newer one', async () => {
  const { promise: first, resolve: endFirst } = deferred<void>();
  const held = new HeldHistory();
  let reads = 0;
  const cache = cacheOf({
    readBars: () => held.readBars(),
    readSeries: async () => {
      reads += 1;
      const series = held.readSeries();
      held.letGo();
      if (reads === 1) await first;
      return series;
    },
  });
  const before = cache.load(a, json);
  cache.invalidate([a.ticker]);
  await cache.load(a, json);
  endFirst();
  await before;
  assert.match(textOf(cache.peek(a, json)), /"ultimo":2,/);
});

test('a reading that fails is not kept', async () => {
  const held = new HeldHistory();
  let isBroken = true;
  const cache = cacheOf({
    readBars: () => held.readBars(),
    readSeries: async () => {
      if (isBroken) throw new Error('no disk');
      return held.readSeries();
    },
  });
  await assert.rejects(cache.load(a, json), /no disk/);
  isBroken = false;
  const load = cache.load(a, json);
  held.letGo();
  assert.match(textOf(await load), /"ultimo":1,/);
});

test('the limit holds with compressed forms: the series not asked for longest goes', async () => {
  const history = new HeldHistory(1_000);
  const load = async (cache: SeriesCache, instrument: typeof a): Promise<RenderedSeries> => {
    const loading = cache.load(instrument, json);
    history.letGo();
    return loading;
  };
  const one = (await load(cacheOf(history), a)).bytesHeld;
  const cache = cacheOf(history, Math.round(one * 2.5));
  await load(cache, a);
  const kept = await load(cache, b);
  assert.ok(cache.peek(a, json) !== undefined);
  await load(cache, c);
  assert.equal(cache.peek(b, json), undefined);
  assert.ok(cache.peek(a, json) !== undefined && cache.peek(c, json) !== undefined);
  // It still serves whoever holds it, and weighs nothing.
  const weight = cache.bytesHeld;
  await kept.range(everything).make('gzip');
  assert.equal(cache.bytesHeld, weight);
  await cache.peek(a, json)?.range(everything).make('gzip');
  assert.ok(cache.bytesHeld > weight || cache.peek(c, json) === undefined);
  assert.ok(cache.bytesHeld <= Math.round(one * 2.5));
});

/** Starts the load of a form, and completes it. */
async function loadNow(
  cache: SeriesCache,
  history: HeldHistory,
  form: SeriesForm,
): Promise<RenderedSeries> {
  const loading = cache.load(a, form);
  history.letGo();
  return loading;
}

test('each form of a series is cached by itself, and a change drops all of them', async () => {
  const history = new HeldHistory(2);
  const actions = new CorporateActions([splitOn(1, 2)]);
  const cache = new SeriesCache({
    history,
    actions: () => actions,
    sessionDay: () => undefined,
    clock: clockAt(() => 0),
    bytesMax: 2 ** 20,
  });
  const forms: readonly SeriesForm[] = [
    json,
    csv,
    { ...json, adjustment: 'splits' },
    { ...json, adjustment: 'total' },
    { ...csv, adjustment: 'splits' },
    { ...json, fields: ['opens'] },
    { ...json, fields: ['opens', 'lows'] },
    { ...json, adjustment: 'splits', fields: ['opens'] },
  ];
  const loaded = await Promise.all(forms.map((form) => loadNow(cache, history, form)));
  assert.equal(new Set(loaded).size, forms.length);
  assert.deepEqual(
    forms.map((form) => cache.peek(a, form)),
    loaded,
  );
  assert.equal(history.readsOfBars, 3);
  assert.match(
    textOf(loaded[7]),
    /^\[\{"especie":"A","fecha":"1970-01-01","ultimo":4,"apertura":4.25,/,
  );
  cache.invalidate([a.ticker]);
  for (const form of forms) assert.equal(cache.peek(a, form), undefined);
});

test('an adjusted series of an instrument without actions is the unadjusted one', async () => {
  const history = new HeldHistory();
  const cache = cacheOf(history);
  const plain = await loadNow(cache, history, json);
  assert.equal(cache.peek(a, { ...json, adjustment: 'total' }), plain);
  const loading = cache.load(a, { ...csv, adjustment: 'splits' });
  assert.equal(cache.load(a, csv), loading);
  history.letGo();
  const rendered = await loading;
  assert.equal(cache.peek(a, csv), rendered);
});

test('actions that come while a series is read do not adjust it for those who asked for it unadjusted', async () => {
  const history = new HeldHistory(2);
  let actions = noActions;
  const cache = new SeriesCache({
    history,
    actions: () => actions,
    sessionDay: () => undefined,
    clock: clockAt(() => 0),
    bytesMax: 2 ** 20,
  });
  const adjusted = cache.load(a, { ...json, adjustment: 'splits' });
  const plain = cache.load(a, json);
  actions = new CorporateActions([splitOn(1, 2)]);
  cache.invalidate([a.ticker]);
  history.letGo();
  assert.match(textOf(await plain), /"ultimo":1,.*"ultimo":1,/);
  assert.match(textOf(await adjusted), /"ultimo":1,/);
  const after = await loadNow(cache, history, { ...json, adjustment: 'splits' });
  assert.match(textOf(after), /"ultimo":1,.*"ultimo":2,/);
});

test('contract 4.2.6: an adjusted series is on the basis of the session of the quote, from its first quote on', async () => {
  const history = new HeldHistory(3);
  const actions = new CorporateActions([splitOn(5, 2), splitOn(7, 10)]);
  let day: number | undefined;
  const cache = new SeriesCache({
    history,
    actions: () => actions,
    sessionDay: () => day as EpochDay | undefined,
    clock: clockAt(() => 0),
    bytesMax: 2 ** 20,
  });
  const form: SeriesForm = { ...json, adjustment: 'splits' };
  const first = await loadNow(cache, history, form);
  assert.match(textOf(first), /"ultimo":1,/);
  for (const before of [undefined, 1, 4]) {
    day = before;
    assert.equal(cache.peek(a, form), first, `${before}`);
  }
  day = 5;
  assert.equal(cache.peek(a, form), undefined);
  const second = await loadNow(cache, history, form);
  assert.match(textOf(second), /"ultimo":1,/);
  assert.equal(history.reads, 2);
  assert.deepEqual(closesOf(second), [1, 1, 1]);
  day = 6;
  assert.equal(cache.peek(a, form), second);
  day = 7;
  assert.equal(cache.peek(a, form), undefined);
  assert.deepEqual(closesOf(await loadNow(cache, history, form)), [0.15, 0.15, 0.15]);
  day = 99;
  assert.ok(cache.peek(a, form) !== undefined);
  assert.equal(cache.peek(a, json), undefined);
});

test('the basis is the last close where the quote is of an earlier session', async () => {
  const history = new HeldHistory(3);
  const actions = new CorporateActions([splitOn(2, 4)]);
  const cache = new SeriesCache({
    history,
    actions: () => actions,
    sessionDay: () => 1 as EpochDay,
    clock: clockAt(() => 0),
    bytesMax: 2 ** 20,
  });
  const rendered = await loadNow(cache, history, { ...json, adjustment: 'splits' });
  assert.deepEqual(closesOf(rendered), [0.25, 0.25, 1]);
});

test('the body for an unknown instrument has the header of its fields', () => {
  const cache = cacheOf(new HeldHistory());
  const of = (form: SeriesForm) => cache.empty(form).pick(['identity'])?.parts.join('');
  assert.equal(of(json), '[]');
  assert.equal(of({ ...json, fields: ['highs'] }), '[]');
  assert.equal(of(csv), 'especie,fecha,ultimo,volumen\r\n');
  const fields = ['opens', 'lows'] as const;
  assert.equal(of({ ...csv, fields }), 'especie,fecha,ultimo,apertura,minimo,volumen\r\n');
  assert.equal(cache.empty({ ...csv, fields }), cache.empty({ ...csv, fields }));
});

function closesOf(series: RenderedSeries): readonly number[] {
  return (JSON.parse(textOf(series)) as { readonly ultimo: number }[]).map(({ ultimo }) => ultimo);
}
