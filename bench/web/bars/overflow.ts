import { lastingDifferences } from '../../../test/web/browser/agrees.ts';
import { beyondScreen, furtherViews } from '../../../test/web/browser/beyond-screen.ts';
import { places } from '../../../test/web/browser/places.ts';
import type { Bar, Figure, Ground } from './bar.ts';
import { openSite, rememberVisitor } from './site.ts';

const [from, to, step] = [300, 1_920, 10];
/** Time in which a page draws another size, in milliseconds. */
const drawnMsMax = 2_000;

/** At which widths a page is wider than the screen, or has a control outside of it. */
export const overflow: Bar = { name: 'overflow', measure };

async function measure(ground: Ground): Promise<readonly Figure[]> {
  const wide: string[] = [];
  const all = [...places, ...furtherViews];
  for (const { address, ready } of all) {
    await using site = await openSite(ground);
    const { page } = site;
    await rememberVisitor(site, ground.demo);
    await page.goto(ground.demo.url + address);
    await page.locator(ready).first().waitFor();
    for (let width = from; width <= to; width += step) {
      await page.setViewportSize({ width, height: 768 });
      const read = () => page.evaluate(beyondScreen);
      const found = await lastingDifferences(`${width} px`, read, { withinMs: drawnMsMax });
      if (found.length > 0) wide.push(`${address} at ${width}: ${found[0]}`);
    }
  }
  return [
    {
      what: `overflow at ${from} to ${to} px in steps of ${step}, ${all.length} pages and views`,
      today: wide.length === 0 ? 'none' : `${wide.length}, such as ${wide[0]}`,
      aim: 'none',
      isMet: wide.length === 0,
    },
  ];
}
