/**
 * Draws the icons of the installed playground from the icon in `web/index.html`, as PNG, because systems do
 * not take SVG for them.
 *
 *     npm run icons
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startBrowser } from '../browser/browser.ts';

const web = join(import.meta.dirname, '../../../web');

/** The icons. A system cuts a maskable one to its own shape, so the drawing is within the middle 80 %. */
const icons = [
  { name: 'icon-192.png', size: 192, scale: 1, isFull: false },
  { name: 'icon-512.png', size: 512, scale: 1, isFull: false },
  { name: 'maskable-512.png', size: 512, scale: 0.72, isFull: true },
  { name: 'apple-touch-icon.png', size: 180, scale: 0.86, isFull: true },
];

const page = await readFile(join(web, 'index.html'), 'utf8');
const svg = decodeURIComponent(/href="data:image\/svg\+xml,([^"]+)"/.exec(page)?.[1] ?? '');
const background = /fill='(#[0-9a-f]{6})'/.exec(svg)?.[1] ?? '';
const browser = await startBrowser();
try {
  for (const { name, size, scale, isFull } of icons) {
    const tab = await browser.newPage({ viewport: { width: size, height: size } });
    const side = Math.round(size * scale);
    await tab.setContent(
      `<style>
        body { margin: 0; height: 100vh; display: grid; place-items: center; ${isFull ? `background: ${background}` : ''} }
        svg { width: ${side}px; height: ${side}px }
      </style>${svg}`,
    );
    const png = await tab.screenshot({ omitBackground: true });
    await writeFile(join(web, 'public/icons', name), png);
    await tab.close();
  }
} finally {
  await browser.close();
}
