import type { Bar, Figure, Ground } from './bar.ts';
import { openSite, rememberVisitor } from './site.ts';

const rowsMin = 24;
/** More members than any screen has room for. */
const panel = '#/panel/CED';

/** What is seen without scrolling: the price and the chart on a phone, the rows on a laptop. */
export const firstScreen: Bar = { name: 'first-screen', measure };

async function measure(ground: Ground): Promise<readonly Figure[]> {
  const isSeen = await isChartSeen(ground);
  const rows = await rowsSeen(ground);
  return [
    {
      what: 'price and whole chart in view on 360×780 without scrolling',
      today: isSeen ? 'yes' : 'no',
      aim: 'yes',
      isMet: isSeen,
    },
    {
      what: 'rows at 1366×768, as a new visitor sees them (compact)',
      today: `${rows.initial} (${rows.compact})`,
      aim: `≥ ${rowsMin}`,
      isMet: rows.initial >= rowsMin,
    },
  ];
}

async function isChartSeen(ground: Ground): Promise<boolean> {
  await using site = await openSite(ground, { viewport: { width: 360, height: 780 } });
  const { page } = site;
  await rememberVisitor(site, ground.demo);
  await page.goto(`${ground.demo.url}#/especie/GGAL`);
  await page.locator('.chart canvas').first().waitFor();
  await page.locator('.quote-price').waitFor();
  const seen = await Promise.all(
    ['.quote-price', '.chart-canvas'].map((selector) =>
      page.locator(selector).first().evaluate(isWhollySeen),
    ),
  );
  return seen.every(Boolean);
}

async function rowsSeen(ground: Ground) {
  await using site = await openSite(ground, { viewport: { width: 1_366, height: 768 } });
  const { page } = site;
  await rememberVisitor(site, ground.demo);
  const count = async () => {
    await page.goto('about:blank');
    await page.goto(ground.demo.url + panel);
    const rows = page.locator('table.board tbody tr');
    await rows.nth(rowsMin).waitFor({ state: 'attached' });
    await page.locator('.spark-line').first().waitFor();
    const seen = await Promise.all(
      (await rows.all()).slice(0, 2 * rowsMin).map((row) => row.evaluate(isWhollySeen)),
    );
    return seen.filter(Boolean).length;
  };
  const initial = await count();
  await page.evaluate(() => localStorage.setItem('pizarra.density', 'compact'));
  return { initial, compact: await count() };
}

/** Whether an element is within the screen, and nothing covers its first and its last line. Runs in the page. */
function isWhollySeen(element: Element): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  if (left < -1 || top < 0 || right > innerWidth + 1 || bottom > innerHeight) return false;
  const x = Math.min((left + right) / 2, innerWidth - 2);
  return [top + 2, bottom - 2].every((y) => element.contains(document.elementFromPoint(x, y)));
}
