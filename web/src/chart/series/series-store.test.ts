import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import type { Quote } from '../../market/api/quote.ts';
import type { Outcome } from '../../market/api/service.ts';
import { dailySeries, type LiveSeries } from './live-series.ts';
import { SeriesStore } from './series-store.ts';

/** A store whose requests the test answers, with a clock that the test moves. */
function setUp() {
  const asked: string[] = [];
  const ended: string[] = [];
  const answers = new Map<string, (outcome: Outcome<LiveSeries>) => void>();
  let time = 0;
  let isHidden = false;
  let hasEnded = false;
  const store = new SeriesStore({
    read: async ({ ticker, range }, signal) => {
      const name = `${ticker} ${range}`;
      asked.push(name);
      const { promise, resolve } = Promise.withResolvers<Outcome<LiveSeries>>();
      answers.set(name, resolve);
      signal.addEventListener('abort', () => {
        ended.push(name);
        resolve({ ok: false, failure: { kind: 'unreachable' } });
      });
      return promise;
    },
    textOf: ({ kind }) => kind,
    hasEnded: () => hasEnded,
    now: () => time,
    isHidden: () => isHidden,
  });
  const answer = async (name: string, outcome: Outcome<LiveSeries> = received(name)) => {
    answers.get(name)?.(outcome);
    await settled();
  };
  return {
    store,
    asked,
    ended,
    answer,
    hide: () => {
      isHidden = true;
    },
    endSession: () => {
      hasEnded = true;
    },
    pass: (ms: number) => {
      time += ms;
      mock.timers.tick(ms);
    },
  };
}

function received(name: string): Outcome<LiveSeries> {
  const [especie = ''] = name.split(' ');
  return { ok: true, value: seriesOf(especie, '2026-11-19') };
}

function seriesOf(especie: string, fecha: string): LiveSeries {
  const rows = [{ especie, fecha, ultimo: 8, volumen: 1 }];
  return dailySeries({ rows, omittedDividends: [] });
}

/** Waits until all promises that are settled have been handled. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

function quoteOf(especie: string, fecha: string, ultimo: number): Quote {
  return { especie, fecha, ultimo, variacion: 1, varMTD: 1, varYTD: 1, volumen: 1 };
}

function scenario(name: string, run: () => Promise<void>): void {
  test(name, async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    try {
      await run();
    } finally {
      mock.timers.reset();
    }
  });
}

scenario('at most three series are requested at once, and the others follow', async () => {
  const { store, asked, answer } = setUp();
  for (const ticker of ['A', 'B', 'C', 'D', 'E']) store.watch(ticker, '1a');
  assert.deepEqual(asked, ['A 1a', 'B 1a', 'C 1a']);
  await answer('B 1a');
  assert.deepEqual(asked, ['A 1a', 'B 1a', 'C 1a', 'D 1a']);
  assert.equal(store.series('B', '1a').value.series?.bars.length, 1);
});

scenario(
  'a series that nobody watches any more is requested no longer, and is requested again when it is watched',
  async () => {
    const { store, asked, ended, answer } = setUp();
    const leave = ['A', 'B', 'C', 'D'].map((ticker) => store.watch(ticker, '1d'));
    for (const one of leave) one();
    await settled();
    assert.deepEqual(ended, ['A 1d', 'B 1d', 'C 1d']);
    assert.equal(asked.includes('D 1d'), false);
    store.watch('A', '1d');
    await answer('A 1d');
    assert.equal(store.series('A', '1d').value.series?.bars.length, 1);
    assert.equal(store.series('A', '1d').value.message, undefined);
  },
);

scenario('a series that was seen is shown again without a request', async () => {
  const { store, asked, answer, pass } = setUp();
  store.watch('A', '1d')();
  await settled();
  const leave = store.watch('A', '1d');
  await answer('A 1d');
  leave();
  pass(30_000);
  const { length } = asked;
  store.watch('A', '1d');
  assert.equal(store.series('A', '1d').value.series?.bars.length, 1);
  assert.equal(asked.length, length);
});

scenario('of the series that nobody watches, forty are kept', async () => {
  const { store, answer } = setUp();
  for (let at = 0; at < 60; at += 1) {
    const leave = store.watch(`T${at}`, '1a');
    await answer(`T${at} 1a`);
    leave();
  }
  const isKept = (at: number) => store.series(`T${at}`, '1a').value.series !== undefined;
  assert.equal(isKept(59), true);
  assert.equal(isKept(20), true);
  assert.equal(isKept(19), false);
});

scenario('a watched series is renewed also when more others were left than are kept', async () => {
  const { store, asked, answer, pass } = setUp();
  store.watch('A', '1d');
  await answer('A 1d');
  for (let at = 0; at <= 40; at += 1) {
    const leave = store.watch(`T${at}`, '1a');
    await answer(`T${at} 1a`);
    leave();
  }
  const { length } = asked;
  pass(60_000);
  assert.deepEqual(asked.slice(length), ['A 1d']);
});

scenario('a watched series is renewed with its age, unless the page is hidden', async () => {
  const { store, asked, answer, hide, pass } = setUp();
  store.watch('A', '1d');
  store.watch('B', '1a');
  await answer('A 1d');
  await answer('B 1a');
  pass(60_000);
  assert.deepEqual(asked.slice(2), ['A 1d']);
  await answer('A 1d');
  hide();
  pass(600_000);
  assert.equal(asked.length, 3);
});

scenario('a quote extends a series', async () => {
  const { store, asked, answer, pass } = setUp();
  store.extend(quoteOf('A', '2026-11-20', 9), '1a');
  store.watch('A', '1a');
  await answer('A 1a');
  const lastClose = () => store.series('A', '1a').value.series?.bars.at(-1)?.close;
  assert.equal(lastClose(), 9);
  store.extend(quoteOf('A', '2026-11-20', 10), '1a');
  assert.equal(lastClose(), 10);
  pass(600_000);
  assert.equal(asked.length, 1);
});

scenario('a quote of a later session waits for the closes on its basis', async () => {
  const { store, asked, answer } = setUp();
  store.watch('A', '1a');
  await answer('A 1a');
  store.extend(quoteOf('A', '2026-11-20', 9), '1a');
  store.extend(quoteOf('A', '2026-11-21', 11), '1a');
  const closes = () => store.series('A', '1a').value.series?.bars.map(({ close }) => close);
  assert.deepEqual([asked.length, closes()], [2, [8, 9]]);
  await answer('A 1a');
  assert.deepEqual(closes(), [8, 11]);
});

scenario('after the end of its session, closes are requested until they have it', async () => {
  const { store, asked, answer, endSession, pass } = setUp();
  store.watch('A', '1a');
  await answer('A 1a');
  store.extend(quoteOf('A', '2026-11-20', 9), '1a');
  endSession();
  pass(60_000);
  await answer('A 1a');
  pass(60_000);
  assert.equal(asked.length, 3);
  await answer('A 1a', { ok: true, value: seriesOf('A', '2026-11-20') });
  pass(600_000);
  assert.equal(asked.length, 3);
});

scenario('a failed request is sent again after a pause, and a refused one is not', async () => {
  const { store, asked, answer, pass } = setUp();
  store.watch('A', '1a');
  store.watch('B', '1a');
  await answer('A 1a', { ok: false, failure: { kind: 'unreachable' } });
  await answer('B 1a', { ok: false, failure: { kind: 'refused', status: 400, message: '' } });
  assert.equal(store.series('A', '1a').value.message, 'unreachable');
  assert.equal(asked.length, 2);
  pass(10_000);
  await settled();
  assert.deepEqual(asked.slice(2), ['A 1a']);
  await answer('A 1a');
  assert.equal(store.series('A', '1a').value.message, undefined);
});

scenario('after a break of the stream, the watched series are requested again', async () => {
  const { store, asked, answer } = setUp();
  store.watch('A', '1a');
  await answer('A 1a');
  store.reload();
  assert.deepEqual(asked, ['A 1a', 'A 1a']);
  assert.equal(store.series('A', '1a').value.series?.bars.length, 1);
});
