import assert from 'node:assert/strict';
import { test } from 'node:test';

import { at, update } from '../../../test/support/market/drive-engine.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { Board } from '../../board/board.ts';
import { toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { Engine } from '../../engine/engine.ts';
import { watchJumps } from './watch-jumps.ts';

/** A market whose instruments closed at 100 on Thursday, and the jumps that are reported. */
function market() {
  const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'YPFD' }]);
  const engine = new Engine(universe, { settleDelayMs: 0, nextVersion: 1 });
  const board = new Board(universe);
  const jumps: (readonly [string, number])[] = [];
  const watch = watchJumps(board, ({ instrument, last }) => {
    jumps.push([instrument.ticker, last]);
  });
  const send = (date: string, time: string, ticker: string, last: number): void => {
    const instant = at(date, time);
    board.adopt(engine.apply([update(ticker, instant, { last })], instant).quotes);
  };
  for (const ticker of ['GGAL', 'YPFD']) send('2026-11-19', '12:00', ticker, 100);
  return { engine, board, jumps, watch, send };
}

test('a quote that a feed has moved further than usual is reported once a session, for each instrument', () => {
  const { jumps, send } = market();
  send('2026-11-20', '12:00', 'GGAL', 101);
  assert.deepEqual(jumps, []);
  send('2026-11-20', '12:01', 'GGAL', 400);
  send('2026-11-20', '12:02', 'GGAL', 401);
  send('2026-11-20', '12:03', 'YPFD', 400);
  send('2026-11-24', '12:00', 'GGAL', 1_600);
  assert.deepEqual(jumps, [
    ['GGAL', 400],
    ['YPFD', 400],
    ['GGAL', 1_600],
  ]);
});

test('a jump between closes of history is not reported, and none after the watch is disposed', () => {
  const { engine, board, jumps, watch, send } = market();
  const sessionDate = '2026-11-20' as PlainDate;
  const ticker = 'GGAL' as Ticker;
  const { quotes } = engine.adoptHistory([
    {
      ticker,
      closesReturned: engine.closesReturned(ticker),
      latest: { day: toEpochDay(sessionDate), close: 400, volume: null },
      sessionDate,
      references: { previous: { day: toEpochDay('2026-11-19' as PlainDate), close: 100 } },
    },
  ]);
  assert.equal(quotes[0]?.change?.value, 300);
  board.adopt(quotes);
  watch[Symbol.dispose]();
  send('2026-11-24', '12:00', 'YPFD', 400);
  assert.deepEqual(jumps, []);
});
