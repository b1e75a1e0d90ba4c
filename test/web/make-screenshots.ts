/**
 * Takes the screenshots of the playground for README and docs: each page, light and dark, on a phone and
 * on a desktop. Their format is WebP, which the browser writes, and which has a quarter of the size of PNG.
 *
 *     npm run screenshots
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import type { BrowserContextOptions, Page } from 'playwright-core';

import { startBrowser } from './browser/browser.ts';
import { startDemonstration } from './browser/demonstration.ts';
import { places, storedLists } from './browser/places.ts';
import { openPage } from './browser/visitor.ts';

const directory = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const phoneWidth = 390;
const sizes: Readonly<Record<string, BrowserContextOptions>> = {
  escritorio: { viewport: { width: 1280, height: 800 } },
  telefono: {
    viewport: { width: phoneWidth, height: 780 },
    deviceScaleFactor: 1.5,
    isMobile: true,
    hasTouch: true,
  },
};
/** The reference is a long text, an unknown address shows little, and a phone has no chart beside the board. */
const omitted = new Set(['api', 'desconocida', 'ficha']);
const pictured = places.filter(({ name }) => !omitted.has(name));
/** Time for which the simulated market runs first, in milliseconds, so that sessions have lows and highs. */
const warmUpMs = 20_000;

async function makePicture(page: Page, place: (typeof places)[number], path: string) {
  await page.locator(place.ready).first().waitFor();
  if (place.name === 'probar') {
    await page.getByRole('button', { name: 'Enviar', exact: true }).click();
    await page.getByText('200 OK').waitFor();
    await page.evaluate(() => scrollTo(0, 0));
  }
  // The paths of the sessions come after the rows.
  if (place.ready.startsWith('table.board')) {
    await page.waitForFunction(() =>
      [...document.querySelectorAll('table.board tbody tr')].every(
        (row) =>
          row.getBoundingClientRect().top > innerHeight || row.querySelector('.spark') !== null,
      ),
    );
  }
  await page.evaluate(() => document.fonts.ready);
  // On a phone, scroll to the chart.
  if (place.name === 'comparar' && page.viewportSize()?.width === phoneWidth) {
    await page.locator('.history').evaluate((history) => {
      const top = document.querySelector('.top')?.getBoundingClientRect().height ?? 0;
      scrollBy(0, history.getBoundingClientRect().top - top - 12);
    });
  }
  await writeFile(path, await asWebp(page, await page.screenshot()));
}

async function asWebp(page: Page, png: Buffer): Promise<Buffer> {
  const coded = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.fromBase64(base64);
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 });
    return new Uint8Array(await blob.arrayBuffer()).toBase64();
  }, png.toString('base64'));
  return Buffer.from(coded, 'base64');
}

await mkdir(directory, { recursive: true });
await using demonstration = await startDemonstration();
const browser = await startBrowser();
const stage = { browser, demo: demonstration };
try {
  await new Promise((done) => {
    setTimeout(done, warmUpMs);
  });
  for (const [size, options] of Object.entries(sizes)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await using visitor = await openPage(stage, { ...options, colorScheme });
      const { page } = visitor;
      await page.addInitScript(
        ([key, lists]) => {
          sessionStorage.setItem('pizarra.key /', key);
          localStorage.setItem('pizarra.lists', lists);
        },
        [demonstration.key, JSON.stringify(storedLists)] as const,
      );
      for (const place of pictured) {
        // The wall is dark in both schemes.
        if (place.name === 'mural' && colorScheme === 'light') continue;
        await page.goto(demonstration.url + place.address);
        const scheme = colorScheme === 'light' ? 'claro' : 'oscuro';
        await makePicture(page, place, `${directory}${place.name}-${scheme}-${size}.webp`);
      }
    }
  }
} finally {
  await browser.close();
}
