import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

import type { DailyClose } from '../../../src/domain/history/daily-close.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { Bar as MinuteBar } from '../../../src/domain/quotes/minute-bar.ts';
import { day, dayTime, startUdfServer, type UdfServer } from '../../contract/udf/udf-market.ts';
import { barAt } from '../../support/market/bar-samples.ts';
import { clockAt } from '../../support/market/clock-at.ts';
import { setStage } from '../browser/stage.ts';
import { test, type VisitStage } from '../browser/visitor.ts';
import type { Bar } from './datafeed.ts';
import { servePage } from './serve-page.ts';

/**
 * Contract 4.15 in Chromium: a page of another origin draws GGAL through `/udf`, with a chart library that anybody
 * may use, in place of TradingView's. The market closes at 15:00 on this day, and GGAL had a split.
 */
const stage = setStage();

const today = '2026-12-24';
const now = Date.parse(`${today}T14:00:00-03:00`);
const splitDate = '2026-12-15';
const sessions = ['09', '10', '11', '14', '15', '16', '17', '18', '21', '22', '23'].map(
  (one) => `2026-12-${one}`,
);

/** A session that opens at a price and closes 2 % above it, or below it on every third day. */
function closeOf(date: string, index: number): DailyClose {
  const factor = date < splitDate ? 10 : 1;
  const open = (8_000 + index * 40) * factor;
  const close = open * (index % 3 === 2 ? 0.98 : 1.02);
  const [high, low] = [Math.max(open, close) * 1.005, Math.min(open, close) * 0.995];
  return { day: day(date), open, high, low, close, volume: 1_000_000 / factor };
}

/** A minute of the session under way. */
function minuteOf(index: number): MinuteBar {
  const time = `${String(10 + Math.floor((30 + index) / 60)).padStart(2, '0')}:${String((30 + index) % 60).padStart(2, '0')}`;
  const open = 8_500 + (index % 20) * 5;
  const last = open + (index % 2 === 0 ? 30 : -30);
  return barAt(today, time, [open, Math.max(open, last) + 5, Math.min(open, last) - 5, last], 100);
}

async function fill(udf: UdfServer): Promise<void> {
  await udf.put('GGAL', sessions.map(closeOf));
  const split = { type: 'split', ticker: 'GGAL' as Ticker, factor: 10, source: 'test' } as const;
  udf.adopt([{ ...split, exDay: day(splitDate) }]);
  await udf.record(
    'GGAL',
    Array.from({ length: 200 }, (_, index) => minuteOf(index)),
  );
  showLast(udf, 8_600, minuteOf(200));
}

function showLast(udf: UdfServer, last: number, bar: MinuteBar): void {
  const session = { date: today, last, open: 8_500, high: 8_700, low: 8_450, volume: 20_000 };
  udf.show('GGAL', session, { bar });
}

/** A visitor of the page of a firm, and the service from which it draws GGAL. */
interface OpenChart extends AsyncDisposable {
  readonly page: Page;
  readonly udf: UdfServer;
}

/** Opens the page of a firm with these settings in its fragment. The service has the sessions and the day so far. */
async function openChart(
  visit: VisitStage,
  settings: Readonly<Record<string, string>>,
): Promise<OpenChart> {
  await using opening = new AsyncDisposableStack();
  const { origin } = opening.use(await servePage());
  const clock = clockAt(() => now);
  const udf = opening.use(await startUdfServer({ clock, corsOrigins: [origin] }));
  await fill(udf);
  const { page } = await visit(stage);
  const { port, key } = udf.server;
  const url = `http://127.0.0.1:${port}/udf`;
  const fragment = new URLSearchParams({ url, key, symbol: 'BYMA:GGAL', ...settings });
  await page.goto(`${origin}/#${fragment.toString()}`);
  await page.waitForFunction(() => globalThis.chartPage !== undefined);
  const opened = opening.move();
  return { page, udf, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

const bars = (page: Page): Promise<readonly Bar[]> =>
  page.evaluate(async () => (await globalThis.chartPage).bars());
const colors = (page: Page) =>
  page.evaluate(async () => (await globalThis.chartPage).drawnColors());

/** Fails unless every bar whose body can be seen is drawn in the color of its direction. */
async function assertDrawn(page: Page, readable: number): Promise<void> {
  const directions = new Map(
    (await bars(page)).map(({ time, open, close }) => [
      time / 1000,
      close >= open ? '#089981' : '#f23645',
    ]),
  );
  const drawn = await colors(page);
  assert.ok(drawn.length >= readable, `${drawn.length} bodies`);
  for (const [time, color] of drawn) assert.equal(color, directions.get(time), String(time));
}

test('contract 4.15: a page of another origin draws daily bars across a split, its mark, and the session under way', async (visit) => {
  await using chart = await openChart(visit, { resolution: '1D' });
  const { page, udf } = chart;

  const shown = await bars(page);
  assert.deepEqual(
    shown.map(({ time }) => time / 1000),
    [...sessions, today].map(dayTime),
  );
  for (const [index, { close }] of shown.entries()) {
    const before = shown[index - 1]?.close ?? close;
    assert.ok(Math.abs(close / before - 1) < 0.1, `a jump at bar ${index}`);
  }
  const { time: _, ...session } = shown.at(-1) ?? assert.fail();
  assert.deepEqual(session, {
    open: 8_500,
    high: 8_700,
    low: 8_450,
    close: 8_600,
    volume: 20_000,
  });
  await assertDrawn(page, 10);
  const marks = await page.evaluate(async () => (await globalThis.chartPage).marks);
  const split = { color: 'blue', label: 'S', tooltip: ['Split: 10 por 1'] };
  assert.deepEqual(marks, [{ id: `GGAL-${splitDate}-split`, time: dayTime(splitDate), ...split }]);

  showLast(udf, 8_650.5, minuteOf(201));
  const price = await page.evaluate(async () => (await globalThis.chartPage).poll());
  assert.equal(price, 8_650.5);
  const later = await bars(page);
  assert.deepEqual(later.slice(0, -1), shown.slice(0, -1));
  assert.equal(later.at(-1)?.close, 8_650.5);
  await assertDrawn(page, 10);
});

test('contract 4.15: on a day of an early close, the time scale of bars of 15 minutes ends with the session', async (visit) => {
  await using chart = await openChart(visit, { resolution: '15', day: '20261224' });
  const { page, udf } = chart;

  // From 10:30 to 15:00.
  const slots = () => page.evaluate(async () => (await globalThis.chartPage).slots());
  assert.equal(await slots(), 18);
  const shown = await bars(page);
  assert.equal(shown.length, 14);
  await assertDrawn(page, 10);
  showLast(udf, 8_640, { ...minuteOf(202), last: 8_640, high: 8_700 });
  await page.evaluate(async () => (await globalThis.chartPage).poll());
  assert.equal((await bars(page)).at(-1)?.close, 8_640);
  assert.equal((await bars(page)).length, 14);
  assert.equal(await slots(), 18);
});
