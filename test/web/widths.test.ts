import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test as nodeTest } from 'node:test';

import { agrees } from './browser/agrees.ts';
import { beyondScreen, furtherViews } from './browser/beyond-screen.ts';
import { places, storedLists } from './browser/places.ts';
import { setStage } from './browser/stage.ts';
import { test } from './browser/visitor.ts';

const stage = setStage();
const styles = join(import.meta.dirname, '../../web/src');
const lists = { 'pizarra.lists': storedLists };

for (const { address, ready } of [...places, ...furtherViews]) {
  test(`${address} fits the screen at every width from 300 to 1,920 pixels, and no control is outside of it`, async (visit) => {
    const { page } = await visit(stage, address, { stored: lists });
    await page.locator(ready).first().waitFor();
    for (let width = 300; width <= 1920; width += 10) {
      await page.setViewportSize({ width, height: 768 });
      // A change of the layout that is not of the styles is drawn a moment later.
      await agrees(`${width} pixels`, () => page.evaluate(beyondScreen));
    }
  });
}

test('at four times the size, nothing covers the prices of a board', async (visit) => {
  const { page } = await visit(stage, '#/panel/LID', { viewport: { width: 320, height: 192 } });
  const price = page.locator('.board .col-ultimo').nth(2);
  await price.waitFor();
  const isSeen = await price.evaluate((element) => {
    element.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
  assert.ok(isSeen);
});

void nodeTest('the sizes at which the layout changes have names, in one file', () => {
  const files = readdirSync(styles, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css') && !name.endsWith('breakpoints.css'))
    .map((name) => [name, readFileSync(join(styles, name), 'utf8')] as const);
  assert.ok(files.length > 8);
  const widths = files
    .filter(([, text]) => /@media[^{]*(?:width|height)/.test(text))
    .map(([name]) => name);
  assert.deepEqual(widths, []);
});
