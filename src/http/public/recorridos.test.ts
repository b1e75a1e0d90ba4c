import assert from 'node:assert/strict';
import { test } from 'node:test';

import { barAt } from '../../../test/support/market/bar-samples.ts';
import { sampleUniverse } from '../../../test/support/market/sample-market.ts';
import { deferred } from '../../../test/support/wait.ts';
import { Board } from '../../board/board.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import { makeQuote } from '../../domain/quotes/quote.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import { nobody, testAnswering } from '../../../test/support/http/answering.ts';
import { HistoryRevisions } from '../../store/contract/history-store.ts';
import { recorridos } from './recorridos.ts';

const date = '2026-11-20';

/** A store in memory. It counts reads, and can hold them back. */
class Bars implements BarReader {
  stored: readonly Bar[] = [];
  reads = 0;
  /** Resolved at the first reading. */
  readonly asked = deferred<void>();
  gate: Promise<void> | undefined;

  async readBars(_: Ticker, range: Parameters<BarReader['readBars']>[1]): Promise<readonly Bar[]> {
    this.reads += 1;
    this.asked.resolve();
    const { stored } = this;
    await this.gate;
    const { from, to, sinceMinute = -Infinity } = range;
    return stored.filter(({ day, minute }) => day >= from && day <= to && minute >= sinceMinute);
  }

  latestBarDay(): never {
    return assert.fail('a path is that of the session of a quote');
  }
}

function setUp() {
  const board = new Board(sampleUniverse);
  const bars = new Bars();
  const revisions = new HistoryRevisions();
  const source = recorridos({ board, bars, revisions }, testAnswering());
  const find = (query: string) => source.find(query, 'json', nobody);
  let version = 0;
  const text = async (query: string): Promise<string> => {
    const found = await find(query);
    assert.ok(found.ok);
    const parts = found.value.body.pick(['identity'])?.parts ?? [];
    return parts.map((part) => part.toString()).join('');
  };
  return {
    bars,
    find,
    revisions,
    /** Publishes a quote, with a minute under way or without. */
    show: (bar?: Bar, { ticker = 'AL30', session = date } = {}): void => {
      version += 1;
      const state = { sessionDate: session as PlainDate, last: version, volume: null };
      const instrument = sampleUniverse.get(ticker as Ticker);
      board.adopt([makeQuote(instrument, { version, session: state, references: {}, bar })]);
    },
    text,
    /** The prices of each path of a response. */
    values: async (query: string): Promise<readonly (readonly (number | null)[])[]> => {
      const rows = JSON.parse(await text(query)) as readonly { valores: (number | null)[] }[];
      return rows.map(({ valores }) => valores);
    },
  };
}

function at(time: string, price: number, day = date): Bar {
  return barAt(day, time, [price, price, price, price], 1);
}

const query = 'especie=AL30';

test('a path has the finished steps of the store, and the step under way of the quote', async () => {
  const { bars, show, values } = setUp();
  bars.stored = [at('10:30', 1), at('10:34', 2), at('10:46', 3)];
  show(at('10:48', 4));
  assert.deepEqual(await values(query), [[2, null, null, 4]]);
  show(at('11:01', 5));
  assert.deepEqual(await values(query), [[2, null, null, 3, null, null, 5]]);
});

test('within a step, a new price shows without reading the store', async () => {
  const { bars, show, values } = setUp();
  bars.stored = [at('10:30', 1)];
  for (const [time, price] of [
    ['10:35', 3],
    ['10:35', 4],
    ['10:39', 5],
  ] as const) {
    show(at(time, price));
    assert.deepEqual(await values(query), [[1, price]]);
  }
  assert.equal(bars.reads, 1);
});

test('when a later step begins, only the bars since the one before are read', async () => {
  const { bars, show, values } = setUp();
  bars.stored = [at('10:31', 1), at('10:38', 2)];
  show(at('10:39', 3));
  assert.deepEqual(await values(query), [[1, 3]]);
  bars.stored = [at('10:31', 99), at('10:39', 4), at('10:46', 5)];
  show(at('10:51', 6));
  assert.deepEqual(await values(query), [[1, 4, null, 5, 6]]);
  assert.equal(bars.reads, 2);
});

test('responses with the same instrument share its reading', async () => {
  const { bars, show, values } = setUp();
  show(at('10:30', 1));
  const { promise, resolve } = deferred<void>();
  bars.gate = promise;
  const waiting = [values(query), values(query), values('especie=GGAL,AL30')];
  resolve();
  assert.deepEqual(await Promise.all(waiting), [[[1]], [[1]], [[1]]]);
  assert.equal(bars.reads, 1);
});

test('minutes of the store that are ahead of the quote are left out, and so are other days', async () => {
  const { bars, show, values } = setUp();
  bars.stored = [at('16:00', 7, '2026-11-19'), at('10:30', 1), at('10:36', 2), at('10:41', 3)];
  show(at('10:37', 9));
  assert.deepEqual(await values(query), [[1, 9]]);
});

test('a price from after the close is in the last step of the session', async () => {
  const { bars, show, values } = setUp();
  bars.stored = [at('16:54', 1), at('16:56', 2)];
  show(at('17:03', 3));
  const [prices = []] = await values(query);
  assert.deepEqual([prices.length, ...prices.slice(-2)], [78, 1, 3]);
});

test('without a minute under way, all prices of the session of the quote are in the store', async () => {
  const { bars, show, values } = setUp();
  bars.stored = [at('10:30', 1), at('16:59', 2)];
  show();
  const [prices = []] = await values(query);
  assert.deepEqual([prices.length, prices[0], prices[77]], [78, 1, 2]);
  // The minute under way is of the session before that of the quote.
  show(at('16:59', 2), { session: '2026-11-24' });
  assert.deepEqual(await values(query), [[]]);
});

test('a later session begins a path of its own', async () => {
  const { bars, show, text } = setUp();
  show(at('10:30', 1));
  await text(query);
  bars.stored = [at('10:30', 1)];
  show(at('10:32', 2, '2026-11-24'), { session: '2026-11-24' });
  assert.equal(
    await text(query),
    '[{"especie":"AL30","fecha":"2026-11-24","desde":"10:30:00","pasoMinutos":5,"valores":[2]}]',
  );
});

test('a reading that fails is tried again at the next request', async () => {
  const { bars, show, values } = setUp();
  bars.stored = [at('10:30', 1)];
  show(at('10:36', 2));
  const { promise, reject } = deferred<void>();
  bars.gate = promise;
  reject(new Error('the disk is gone'));
  await assert.rejects(values(query), /the disk is gone/);
  bars.gate = undefined;
  assert.deepEqual(await values(query), [[1, 2]]);
});

test('paths of an instrument that has changed are read again, also those that are being read', async () => {
  const { bars, revisions, show, values } = setUp();
  show(at('10:37', 2));
  const { promise, resolve } = deferred<void>();
  bars.gate = promise;
  const waiting = values(query);
  await bars.asked.promise;
  revisions.increase(['AL30' as Ticker]);
  bars.stored = [at('10:30', 1)];
  resolve();
  assert.deepEqual(await waiting, [[null, 2]]);
  assert.deepEqual(await values(query), [[1, 2]]);
});
