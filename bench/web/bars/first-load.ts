import { watchTransfer } from '../../../test/web/browser/transfer.ts';
import { median } from '../../support/statistics.ts';
import type { Bar, Figure, Ground } from './bar.ts';
import { openSite, phone } from './site.ts';

const rounds = 5;
/** Slow 4G, as the developer tools define it: 1.6 Mbit/s down, 750 kbit/s up, 150 ms until a response begins. */
const slow4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const slowdown = 4;
const settleMs = 2_000;
const [bytesMax, requestsMax, contentMsMax] = [100_000, 8, 1_000];

/** The first board of a new visitor, who opens the printed link on a phone. Nothing is cached. */
export const firstLoad: Bar = { name: 'first-load', measure };

interface Load {
  readonly bytes: number;
  readonly requests: number;
  /** Time until each visible row of the panel has its price, in milliseconds. */
  readonly contentMs: number;
  /** Processor time of the main thread until then, as if it were not slowed down. */
  readonly busyMs: number;
}

async function measure(ground: Ground): Promise<readonly Figure[]> {
  await load(ground, { isSlow: false });
  const fast: Load[] = [];
  const slow: Load[] = [];
  for (let round = 0; round < rounds; round += 1) {
    fast.push(await load(ground, { isSlow: false }));
    slow.push(await load(ground, { isSlow: true }));
  }
  const bytes = median(slow.map((one) => one.bytes));
  const requests = median(slow.map((one) => one.requests));
  const contentMs = slow.map((one) => one.contentMs);
  const again = await load(ground, { isSlow: false, isSecond: true });
  return [
    {
      what: 'first board, 390 px, cold: transferred',
      today: `${(bytes / 1_000).toFixed(1)} kB`,
      aim: `≤ ${bytesMax / 1_000} kB`,
      isMet: bytes <= bytesMax,
    },
    {
      what: 'first board, 390 px, cold: requests',
      today: String(requests),
      aim: `≤ ${requestsMax}`,
      isMet: requests <= requestsMax,
    },
    {
      what: `content at slow 4G, processor ${slowdown} times slower (${rounds} rounds: median, least–most)`,
      today: `${seconds(median(contentMs))} (${seconds(Math.min(...contentMs))}–${seconds(Math.max(...contentMs))}) s`,
      aim: `≤ ${contentMsMax / 1_000} s`,
      isMet: median(contentMs) <= contentMsMax,
    },
    {
      what: 'content with neither: processor time of the main thread until then',
      today: `${Math.round(median(fast.map((one) => one.contentMs)))} ms, ${Math.round(median(fast.map((one) => one.busyMs)))} ms`,
      aim: '',
    },
    {
      what: 'second visit: transferred, requests',
      today: `${(again.bytes / 1_000).toFixed(1)} kB, ${again.requests}`,
      aim: '',
    },
  ];
}

async function load(
  ground: Ground,
  { isSlow, isSecond = false }: { readonly isSlow: boolean; readonly isSecond?: boolean },
): Promise<Load> {
  await using site = await openSite(ground, phone);
  const { page, devtools } = site;
  const { url, key } = ground.demo;
  const address = `${url}#key=${key}`;
  if (isSecond) {
    await page.goto(address);
    await page.waitForFunction(isWhole);
    await page.waitForTimeout(settleMs);
    await page.goto('about:blank');
  }
  const transfer = await watchTransfer(devtools);
  if (isSlow) {
    await devtools.send('Network.emulateNetworkConditions', slow4G);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  }
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.addInitScript(noteContent);
  await page.goto(address);
  const content = await page.waitForFunction(
    () => (globalThis as { contentAt?: number }).contentAt,
  );
  const { metrics } = await devtools.send('Performance.getMetrics');
  await page.waitForFunction(isWhole);
  // What the page loads after the first content counts too.
  await page.waitForTimeout(settleMs);
  return {
    bytes: transfer.reduce((sum, one) => sum + one.bytes, 0),
    requests: transfer.length,
    contentMs: (await content.jsonValue()) ?? Number.NaN,
    busyMs: 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN),
  };
}

/** Notes the frame in which each visible row has a price. Runs in the page. */
function noteContent(): void {
  const look = () => {
    const rows = [...document.querySelectorAll('table.board tbody tr')];
    const prices = rows
      .filter((row) => row.getBoundingClientRect().top < innerHeight)
      .map((row) => row.querySelector('.col-ultimo')?.textContent ?? '');
    if (prices.length > 0 && prices.every((text) => /\d/.test(text))) {
      (globalThis as { contentAt?: number }).contentAt = performance.now();
    } else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Whether the paths of the sessions are drawn too. Runs in the page. */
function isWhole(): boolean {
  return document.querySelector('.spark-line') !== null;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(2);
}
