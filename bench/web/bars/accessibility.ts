import { faultsOf, wcag } from '../../../test/web/browser/check-accessibility.ts';
import { places } from '../../../test/web/browser/places.ts';
import type { Bar, Figure, Ground } from './bar.ts';
import { openSite, rememberVisitor } from './site.ts';

const widths = [390, 1_440];
const dresses = [
  { name: 'light', media: { colorScheme: 'light', forcedColors: 'none' } },
  { name: 'dark', media: { colorScheme: 'dark', forcedColors: 'none' } },
  { name: 'forced colours', media: { colorScheme: 'light', forcedColors: 'active' } },
] as const;

/** What axe finds on every page, in every dress. `test/web/accessibility.test.ts` has the dialogs too. */
export const accessibility: Bar = { name: 'axe', measure };

async function measure(ground: Ground): Promise<readonly Figure[]> {
  const faults: string[] = [];
  let states = 0;
  for (const width of widths) {
    await using site = await openSite(ground, {
      viewport: { width, height: 844 },
      // Without it, the colours of a price that has just changed are those of a moment.
      reducedMotion: 'reduce',
    });
    const { page } = site;
    await rememberVisitor(site, ground.demo);
    for (const { name, address, ready } of places) {
      await page.goto(ground.demo.url + address);
      await page.locator(ready).first().waitFor();
      for (const { name: dress, media } of dresses) {
        await page.emulateMedia(media);
        const found = await faultsOf(page, { type: 'tag', values: wcag }, []);
        states += 1;
        faults.push(...found.map((text) => `${name}, ${width} px, ${dress}: ${text}`));
      }
    }
  }
  return [
    {
      what: `axe: WCAG 2.2 AA, ${states} states (light, dark, forced colours)`,
      today: faults.length === 0 ? 'none' : `${faults.length} faults: ${faults.join('; ')}`,
      aim: 'none',
      isMet: faults.length === 0,
    },
  ];
}
