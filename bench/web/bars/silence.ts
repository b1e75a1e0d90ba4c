import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { median } from '../../support/statistics.ts';
import type { Bar, Figure, Ground } from './bar.ts';
import { openSite, rememberVisitor } from './site.ts';

const rounds = 5;
const suspendedMs = 8_000;
const [noticeSecondsMax, recoverySecondsMax] = [5, 2];

/** How soon a board notices that the service is silent, and that it is back. The program is suspended. */
export const silence: Bar = { name: 'silence', measure };

async function measure(ground: Ground): Promise<readonly Figure[]> {
  await using site = await openSite(ground);
  const { page } = site;
  await rememberVisitor(site, ground.demo);
  await page.goto(`${ground.demo.url}#/panel/LID`);
  const live = page.getByText('Conectado', { exact: true });
  const silent = page.getByText(/^Sin datos desde las \d\d:\d\d:\d\d$/).first();
  await live.waitFor();
  const noticed: number[] = [];
  const recovered: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      // At another time between two signs of life in each round.
      await sleep(2_000 + 370 * round);
      ground.demo.suspend();
      const silentAt = performance.now();
      await silent.waitFor();
      noticed.push((performance.now() - silentAt) / 1_000);
      await sleep(suspendedMs);
      ground.demo.resume();
      const backAt = performance.now();
      await live.waitFor();
      recovered.push((performance.now() - backAt) / 1_000);
    }
  } finally {
    ground.demo.resume();
  }
  return [
    figureOf('silence noticed', noticed, noticeSecondsMax),
    figureOf('recovery after it', recovered, recoverySecondsMax),
  ];
}

function figureOf(what: string, seconds: readonly number[], most: number): Figure {
  const longest = Math.max(...seconds);
  return {
    what: `${what} (${rounds} rounds: median, longest)`,
    today: `${median(seconds).toFixed(1)} (${longest.toFixed(1)}) s`,
    aim: `≤ ${most} s`,
    isMet: longest <= most,
  };
}
