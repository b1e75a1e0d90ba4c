import assert from 'node:assert/strict';
import { test } from 'node:test';

import { testAnswering } from '../../../test/support/http/answering.ts';
import { barAt } from '../../../test/support/market/bar-samples.ts';
import { sampleUniverse } from '../../../test/support/market/sample-market.ts';
import { Board } from '../../board/board.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { noActions } from '../../domain/history/corporate-actions.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import { makeQuote } from '../../domain/quotes/quote.ts';
import { HistoryRevisions } from '../../store/contract/history-store.ts';
import { charts, type Chart } from './charts.ts';

const instrument = sampleUniverse.get('GGAL' as Ticker);

function at(date: string, time: string, price: number): Bar {
  return barAt(date, time, [price, price, price, price], 1);
}

/** A store that reports the first day of each range that is read. */
class Store {
  readonly bars: Bar[] = [];
  readonly read: string[] = [];
  fault: Error | undefined;

  readBars(
    _: Ticker,
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<Bar[]> {
    if (this.fault !== undefined) return Promise.reject(this.fault);
    this.read.push(fromEpochDay(from as Bar['day']));
    return Promise.resolve(this.bars.filter(({ day }) => day >= from && day <= to));
  }
}

/** The chart of an instrument in 5 minutes, and what changes its quote and notes a change of its history. */
function start(store: Store): {
  readonly chart: Chart;
  readonly show: (bar: Bar) => void;
  readonly change: () => void;
} {
  const board = new Board(sampleUniverse);
  const revisions = new HistoryRevisions();
  let version = 0;
  const chartOf = charts({
    board,
    bars: store,
    history: { readBars: () => Promise.reject(new Error('no closes are read')) },
    actions: () => noActions,
    revisions,
    memory: testAnswering().memory,
  });
  return {
    chart: chartOf(instrument, 5),
    show: (bar) => {
      version += 1;
      const session = { sessionDate: fromEpochDay(bar.day), last: bar.last, volume: 1 };
      board.adopt([makeQuote(instrument, { version, session, references: {}, bar })]);
    },
    change: () => revisions.increase([instrument.ticker]),
  };
}

async function lengthOf(chart: Chart): Promise<number> {
  return (await chart.bars()).length;
}

test('the store is read once for a minute, then from the latest session on, and whole when a session begins', async () => {
  const store = new Store();
  store.bars.push(at('2026-11-18', '12:00', 1), at('2026-11-19', '12:00', 2));
  const { chart, show } = start(store);
  show(at('2026-11-20', '10:30', 3));
  assert.equal(await lengthOf(chart), 3);
  const bar = at('2026-11-20', '10:30', 4);
  show(bar);
  assert.equal(await lengthOf(chart), 3);
  assert.equal(store.read.length, 1);

  store.bars.push(bar);
  const later = at('2026-11-20', '10:36', 5);
  show(later);
  assert.equal(await lengthOf(chart), 4);
  assert.deepEqual(store.read.slice(1), ['2026-11-20']);
  // The store drops the oldest session when one begins.
  store.bars.shift();
  store.bars.push(later);
  show(at('2026-11-24', '10:30', 6));
  assert.equal(await lengthOf(chart), 4);
  assert.equal(store.read[2], store.read[0]);
});

test('the bars are read again after a change of the history of the instrument', async () => {
  const store = new Store();
  const { chart, show, change } = start(store);
  show(at('2026-11-20', '10:30', 3));
  assert.equal(await lengthOf(chart), 1);
  store.bars.push(at('2026-11-18', '12:00', 1));
  assert.equal(await lengthOf(chart), 1);
  change();
  assert.equal(await lengthOf(chart), 2);
});

test('requests of one minute wait for one read; a read that failed is tried again', async () => {
  const store = new Store();
  const { chart, show } = start(store);
  show(at('2026-11-20', '10:30', 3));
  store.fault = new Error('gone');
  await assert.rejects(async () => chart.bars(), /gone/);
  store.fault = undefined;
  assert.deepEqual(await Promise.all([lengthOf(chart), lengthOf(chart)]), [1, 1]);
  assert.equal(store.read.length, 1);
});

test('other work runs between the sessions of a chart that is read', async () => {
  const store = new Store();
  const week = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'];
  store.bars.push(...week.map((date) => at(date, '12:00', 1)));
  const { chart, show } = start(store);
  show(at('2026-11-24', '12:00', 1));
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await chart.bars();
  isOver = true;
  assert.ok(turns >= week.length - 1, `${turns} turns`);
});
