import assert from 'node:assert/strict';
import { test } from 'node:test';

import { barAt } from '../../../test/support/market/bar-samples.ts';
import { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import { toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { BarReader } from '../contract/bar-store.ts';
import { ContinuedBars } from './continued-history.ts';

const day = (date: string) => toEpochDay(date as PlainDate);
const flat = (date: string, time: string, price: number): Bar =>
  barAt(date, time, [price, price, price, price], 1);
const actions = new CorporateActions([
  {
    ticker: 'FB' as Ticker,
    exDay: day('2026-11-18'),
    type: 'ticker-change',
    newTicker: 'META' as Ticker,
    source: 'x',
  },
]);
const always = { from: day('2026-01-01'), to: day('2026-12-31') };

function reader(bars: Readonly<Record<string, readonly Bar[]>>): ContinuedBars {
  const stored: BarReader = {
    readBars: async (ticker, { from, to, sinceMinute = 0 }) =>
      (bars[ticker] ?? []).filter(
        (bar) => bar.day >= from && bar.day <= to && bar.minute >= sinceMinute,
      ),
    latestBarDay: async (ticker) => bars[ticker]?.at(-1)?.day,
  };
  return new ContinuedBars(stored, () => actions);
}

const fb = [flat('2026-11-16', '11:00', 1), flat('2026-11-17', '11:00', 2)];
const reused = flat('2026-11-19', '11:00', 9);
const meta = flat('2026-11-18', '11:00', 3);

test('the bars of an instrument continue those of its earlier ticker, up to the change', async () => {
  const bars = reader({ FB: [...fb, reused], META: [meta] });
  assert.deepEqual(await bars.readBars('META' as Ticker, always), [...fb, meta]);
  const late = { ...always, sinceMinute: fb[1]?.minute ?? 0 };
  assert.deepEqual(await bars.readBars('META' as Ticker, late), [fb[1], meta]);
  const after = { from: day('2026-11-18'), to: day('2026-11-19') };
  assert.deepEqual(await bars.readBars('META' as Ticker, after), [meta]);
  const before = { from: day('2026-11-17'), to: day('2026-11-17') };
  assert.deepEqual(await bars.readBars('META' as Ticker, before), [fb[1]]);
  // The earlier ticker itself is as stored.
  assert.deepEqual(await bars.readBars('FB' as Ticker, always), [...fb, reused]);
});

test('of a day before the change, the bars of the new ticker are used', async () => {
  const own = flat('2026-11-17', '12:00', 20);
  const bars = reader({ FB: fb, META: [own, meta] });
  assert.deepEqual(await bars.readBars('META' as Ticker, always), [fb[0], own, meta]);
});

test('the latest day is that of the earlier ticker as long as the new one has no bar', async () => {
  const none = reader({ FB: [...fb, reused] });
  assert.equal(await none.latestBarDay('META' as Ticker), day('2026-11-17'));
  assert.equal(await reader({ FB: fb }).latestBarDay('META' as Ticker), day('2026-11-17'));
  assert.equal(await reader({ FB: fb, META: [meta] }).latestBarDay('META' as Ticker), meta.day);
  assert.equal(await reader({ FB: [reused] }).latestBarDay('META' as Ticker), undefined);
  assert.equal(await reader({}).latestBarDay('AL30' as Ticker), undefined);
});
