import { shiftsOf, watchShifts } from '../../../test/web/browser/layout-shift.ts';
import { places } from '../../../test/web/browser/places.ts';
import type { Bar, Figure, Ground } from './bar.ts';
import { openSite, rememberVisitor } from './site.ts';

const viewports = [
  { width: 390, height: 844 },
  { width: 1_366, height: 768 },
];
const settleMs = 3_000;
const shiftMax = 0.02;

/** How far each page moves while it is loaded. */
export const layoutShift: Bar = { name: 'layout-shift', measure };

async function measure(ground: Ground): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const viewport of viewports) {
    const sums: { readonly name: string; readonly sum: number }[] = [];
    for (const { name, address, ready } of places) {
      await using site = await openSite(ground, { viewport });
      const { page } = site;
      await watchShifts(page);
      await rememberVisitor(site, ground.demo);
      await page.goto(ground.demo.url + address);
      await page.locator(ready).first().waitFor();
      await page.waitForTimeout(settleMs);
      const shifts = await shiftsOf(page);
      sums.push({ name, sum: shifts.reduce((total, { value }) => total + value, 0) });
    }
    const most = Math.max(...sums.map(({ sum }) => sum));
    figures.push({
      what: `layout shift of each page, ${viewport.width}×${viewport.height}`,
      today: sums.map(({ name, sum }) => `${name} ${sum.toFixed(3)}`).join(', '),
      aim: `≤ ${shiftMax} each`,
      isMet: most <= shiftMax,
    });
  }
  return figures;
}
