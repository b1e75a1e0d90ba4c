/**
 * The smoothness of the board: panel CED with 186 or 900 rows and 50 changes per second, in a real Chromium.
 * Some runs slow its processor down four times. The browser measures the intervals between frames, long tasks, the time
 * to the last row, and the processor time of the main thread. Only the last figure is independent of other
 * load on the machine.
 *
 * Usage: node bench/web/playground.ts [--rows ROWS]
 * With `--rows`, only the cases of this number of rows run: 186 or 900.
 */
import { parseArgs } from 'node:util';

import { startBrowser } from '../../test/web/browser/browser.ts';
import { startTestServer } from '../../test/support/http/start-test-server.ts';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import { Board } from '../../src/board/board.ts';
import { makeQuote } from '../../src/domain/quotes/quote.ts';
import type { PlainDate } from '../../src/domain/calendar/plain-date.ts';
import { readPlayground } from '../../src/http/content/playground-file.ts';
import { helpIfRequested } from '../support/arguments.ts';

helpIfRequested(import.meta.filename);

const seconds = 10;
const web = new URL('../../web/dist', import.meta.url).pathname;

let version = 0;

/** A universe whose panel CED has this number of members. */
function universeOf(rows: number) {
  return makeUniverse(
    Array.from({ length: rows }, (_, at) => ({
      ticker: `CED${at}`,
      kind: 'cedear' as const,
      panels: ['CED' as const],
    })),
  );
}

/** Publishes a new quote of the instruments at these positions. */
function move(board: Board, places: readonly number[]): void {
  const quotes = places.flatMap((place) => {
    const instrument = board.universe.instruments[place];
    if (instrument === undefined) return [];
    version += 1;
    const last = 10_000 + ((version * 37) % 999) / 2;
    const session = {
      sessionDate: '2026-11-20' as PlainDate,
      asOf: Date.parse('2026-11-20T14:00:00-03:00') + version * 20,
      last,
      open: 10_000,
      low: 9_900,
      high: 10_600,
      volume: version,
    };
    const references = { previous: 10_100, monthBase: 9_000, yearBase: 8_000 };
    return makeQuote(instrument, { version, session, references });
  });
  board.adopt(quotes);
}

interface Run {
  readonly rows: number;
  readonly changesPerSecond: number;
  readonly slowdown: number;
  /** The column to sort by. Sorting reorders rows when they change. */
  readonly sortBy?: string;
}

async function measure({ rows, changesPerSecond, slowdown, sortBy }: Run): Promise<object> {
  const board = new Board(universeOf(rows));
  move(
    board,
    Array.from({ length: rows }, (_, at) => at),
  );
  await using server = await startTestServer({ board, playground: await readPlayground(web) });
  const browser = await startBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const busySeconds = async (): Promise<number> => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
    };
    await page.addInitScript((key) => sessionStorage.setItem('pizarra.key', key), server.key);
    await page.goto(`http://127.0.0.1:${server.port}/#/panel/CED`);
    await page
      .locator('table.board tbody tr')
      .nth(rows - 1)
      .waitFor();
    const allRowsMs = Math.round(await page.evaluate(() => performance.now()));
    if (sortBy !== undefined) await page.getByRole('button', { name: sortBy }).click();

    let place = 0;
    const timer = setInterval(() => {
      place = (place + 7) % rows;
      move(board, [place]);
    }, 1_000 / changesPerSecond);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const before = await busySeconds();
    const figures = await page.evaluate(watchFrames, seconds * 1_000);
    const busyMsPerSecond = Math.round((((await busySeconds()) - before) / seconds) * 1_000);
    clearInterval(timer);
    return { rows, changesPerSecond, slowdown, sortBy, allRowsMs, busyMsPerSecond, ...figures };
  } finally {
    await browser.close();
  }
}

/** Records the frames. It runs in the page. */
async function watchFrames(durationMs: number) {
  const intervals: number[] = [];
  const longTasks: number[] = [];
  const tasks = new PerformanceObserver((list) =>
    longTasks.push(...list.getEntries().map(({ duration }) => duration)),
  );
  tasks.observe({ type: 'longtask' });
  await new Promise<void>((done) => {
    const started = performance.now();
    let last = started;
    const frame = (now: number) => {
      intervals.push(now - last);
      last = now;
      if (now - started < durationMs) requestAnimationFrame(frame);
      else done();
    };
    requestAnimationFrame(frame);
  });
  intervals.sort((a, b) => a - b);
  const at = (part: number) =>
    Math.round((intervals[Math.floor(intervals.length * part)] ?? 0) * 10) / 10;
  return {
    framesPerSecond: Math.round((intervals.length / durationMs) * 1_000),
    frameP50Ms: at(0.5),
    frameP99Ms: at(0.99),
    frameMaxMs: Math.round(intervals.at(-1) ?? 0),
    longTasks: longTasks.length,
    longestTaskMs: Math.round(Math.max(0, ...longTasks)),
  };
}

const runs: readonly Run[] = [
  { rows: 186, changesPerSecond: 50, slowdown: 1 },
  { rows: 186, changesPerSecond: 50, slowdown: 4 },
  { rows: 186, changesPerSecond: 50, slowdown: 4, sortBy: 'Último' },
  { rows: 186, changesPerSecond: 500, slowdown: 1 },
  { rows: 900, changesPerSecond: 50, slowdown: 1 },
  { rows: 900, changesPerSecond: 50, slowdown: 1, sortBy: 'Último' },
];
const { values } = parseArgs({ options: { rows: { type: 'string' } } });
const results: object[] = [];
for (const run of runs) {
  if (values.rows === undefined || run.rows === Number(values.rows)) {
    results.push(await measure(run));
  }
}
// oxlint-disable-next-line no-console -- The result of the bench.
console.table(results);
