import { setTimeout as sleep } from 'node:timers/promises';

import { startChangingPanel } from '../changes/changing-panel.ts';
import type { Bar, Figure, Ground } from './bar.ts';
import { openSite, rememberVisitor } from './site.ts';

const rows = 186;
const changesPerSecond = 1_000;
const warmUpMs = 10_000;
const samplesPerRun = 30;
/** A heap that grows by more than this in an hour is not flat, in MiB. */
const growthMax = 5;

/** Whether the memory of a board grows with the updates. */
export const heap: Bar = { name: 'heap', measure };

async function measure(ground: Ground): Promise<readonly Figure[]> {
  await using panel = await startChangingPanel(rows);
  await using site = await openSite(ground);
  const { page, devtools } = site;
  await rememberVisitor(site, panel);
  await page.goto(`${panel.url}?orden=-variacion`);
  await page.locator('table.board tbody tr').first().waitFor();
  panel.start(changesPerSecond);
  await sleep(warmUpMs);
  const samples: Sample[] = [];
  const { heapMinutes } = ground;
  for (let at = 0; at < samplesPerRun; at += 1) {
    await sleep((heapMinutes * 60_000) / samplesPerRun);
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    samples.push({ minute: ((at + 1) * heapMinutes) / samplesPerRun, mib: usedSize / 2 ** 20 });
  }
  const perHour = 60 * slopeOf(samples);
  const sizes = samples.map(({ mib }) => mib);
  return [
    {
      what: `heap, ${rows} rows, ${changesPerSecond.toLocaleString('en')} updates/s, ${heapMinutes} min`,
      today: `${Math.min(...sizes).toFixed(1)}–${Math.max(...sizes).toFixed(1)} MiB, slope ${perHour.toFixed(1)} MiB/h`,
      aim: 'flat',
      isMet: perHour <= growthMax,
    },
  ];
}

interface Sample {
  readonly minute: number;
  readonly mib: number;
}

/** The slope of the line that is nearest to the samples (least squares), in MiB per minute. */
function slopeOf(samples: readonly Sample[]): number {
  const minute = mean(samples.map((one) => one.minute));
  const mib = mean(samples.map((one) => one.mib));
  const top = samples.reduce((sum, one) => sum + (one.minute - minute) * (one.mib - mib), 0);
  const bottom = samples.reduce((sum, one) => sum + (one.minute - minute) ** 2, 0);
  return top / bottom;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
