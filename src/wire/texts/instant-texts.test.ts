import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sampleUniverse } from '../../../test/support/market/sample-market.ts';
import { addDays, toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { InstantTexts } from './instant-texts.ts';

const instants = new InstantTexts(sampleUniverse);
const instrumentOf = (ticker: string) => sampleUniverse.get(ticker as Ticker);

function closeOf(ticker: string, date: string): string {
  return instants.ofClose(instrumentOf(ticker), toEpochDay(date as PlainDate));
}

test('contract 4.2.15: the instant of a close is the closing time of its session with the offset of the market', () => {
  assert.equal(closeOf('GGAL', '2026-11-20'), '2026-11-20T17:00:00-03:00');
  assert.equal(closeOf('SPY_US', '2026-11-20'), '2026-11-20T16:00:00-05:00');
  // The last close before the end of summer time in New York, and the first one after it.
  assert.equal(closeOf('SPY_US', '2026-10-30'), '2026-10-30T16:00:00-04:00');
  assert.equal(closeOf('SPY_US', '2026-11-02'), '2026-11-02T16:00:00-05:00');
});

test('contract 4.2.15: early closes are included, and a close at 24:00 is a second earlier', () => {
  assert.equal(closeOf('GGAL', '2026-12-24'), '2026-12-24T15:00:00-03:00');
  assert.equal(closeOf('SPY_US', '2026-11-27'), '2026-11-27T13:00:00-05:00');
  assert.equal(closeOf('BTC', '2026-11-20'), '2026-11-20T23:59:59-03:00');
});

test('contract 4.2.15: the instant is that of the calendar, on every day of four years', () => {
  const calendars = new MarketCalendars(sampleUniverse);
  for (const ticker of ['GGAL', 'SPY_US', 'BTC']) {
    const instrument = instrumentOf(ticker);
    const calendar = calendars.of(instrument);
    let date = '2024-01-01' as PlainDate;
    for (let days = 0; days < 4 * 366; days += 1) {
      const text = instants.ofClose(instrument, toEpochDay(date));
      assert.equal(text.slice(0, 10), date);
      const second = Math.floor(calendar.lastInstantOf(date) / 1_000) * 1_000;
      assert.equal(Date.parse(text), second, text);
      date = addDays(date, 1);
    }
  }
});

test('contract 2.7.7: an instant has whole seconds and the offset of the market', () => {
  const at = Date.parse('2026-11-20T19:59:58.750Z');
  assert.equal(instants.at(instrumentOf('GGAL'), at), '2026-11-20T16:59:58-03:00');
  assert.equal(instants.at(instrumentOf('SPY_US'), at), '2026-11-20T14:59:58-05:00');
});
