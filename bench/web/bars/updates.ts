import { startChangingPanel } from '../changes/changing-panel.ts';
import { watchFrames, type Frames } from '../changes/watch-frames.ts';
import type { Bar, Figure, Ground } from './bar.ts';
import { openSite, rememberVisitor } from './site.ts';

const seconds = 15;
const [framesMin, longTasksMax] = [55, 10];

interface Run {
  readonly rows: number;
  readonly changesPerSecond: number;
  readonly slowdown?: number;
  /** The order of the board, as in its address. Rows that are sorted change their places. */
  readonly order?: string;
  readonly hasAim?: boolean;
}

const runs: readonly Run[] = [
  { rows: 186, changesPerSecond: 1_000, order: '-variacion', hasAim: true },
  { rows: 186, changesPerSecond: 1_000 },
  { rows: 186, changesPerSecond: 50, slowdown: 4, order: '-variacion' },
  { rows: 900, changesPerSecond: 50 },
];

/**
 * How smooth a large panel is that changes all the time. Frames depend on what else the machine does; the
 * processor time of the main thread does not.
 */
export const updates: Bar = { name: 'updates', measure };

async function measure(ground: Ground): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const run of runs) {
    const { framesPerSecond, longTasksPerMinute, p99Ms, busyPart, rowsMs } = await once(
      ground,
      run,
    );
    figures.push({
      what: nameOf(run),
      today: `${framesPerSecond} frames/s (p99 ${p99Ms} ms), ${longTasksPerMinute} long tasks/min, main thread busy ${Math.round(100 * busyPart)} %, all rows after ${rowsMs} ms`,
      ...(run.hasAim === true
        ? {
            aim: `≥ ${framesMin}, ≤ ${longTasksMax}`,
            isMet: framesPerSecond >= framesMin && longTasksPerMinute <= longTasksMax,
          }
        : { aim: '' }),
    });
  }
  return figures;
}

function nameOf({ rows, changesPerSecond, slowdown, order }: Run): string {
  return [
    `${rows} rows, ${changesPerSecond.toLocaleString('en')} updates/s`,
    ...(order === undefined ? [] : ['sorted by change']),
    ...(slowdown === undefined ? [] : [`processor ${slowdown} times slower`]),
  ].join(', ');
}

async function once(
  ground: Ground,
  { rows, changesPerSecond, slowdown = 1, order }: Run,
): Promise<Frames & { readonly busyPart: number; readonly rowsMs: number }> {
  await using panel = await startChangingPanel(rows);
  await using site = await openSite(ground);
  const { page, devtools } = site;
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await rememberVisitor(site, panel);
  await page.goto(`${panel.url}${order === undefined ? '' : `?orden=${order}`}`);
  const last = page.locator('table.board tbody tr').nth(rows - 1);
  await last.waitFor({ state: 'attached' });
  const rowsMs = Math.round(await page.evaluate(() => performance.now()));
  panel.start(changesPerSecond);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busySeconds = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const before = await busySeconds();
  const frames = await page.evaluate(watchFrames, seconds * 1_000);
  return { ...frames, rowsMs, busyPart: ((await busySeconds()) - before) / seconds };
}
