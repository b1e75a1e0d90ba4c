import assert from 'node:assert/strict';

import { shiftsOf, watchShifts } from '../browser/layout-shift.ts';
import { places, storedLists } from '../browser/places.ts';
import { setStage } from '../browser/stage.ts';
import { test } from '../browser/visitor.ts';

const stage = setStage();
const shiftMax = 0.02;

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1366, height: 768 },
]) {
  test(`nothing moves while a page is loaded, ${viewport.width} pixels wide (layout shift at most ${shiftMax})`, async (visit, t) => {
    const { page, open } = await visit(stage, undefined, { viewport, isNew: true });
    await watchShifts(page);
    for (const { name, address, ready } of places) {
      await t.test(name, async (one) => {
        await open(address, { 'pizarra.lists': storedLists });
        await page.locator(ready).first().waitFor();
        await page.waitForLoadState('load');
        await page.evaluate(() => document.fonts.ready);
        // The prices of the strip come last.
        await page.waitForFunction(hasStripQuotes);
        const shifts = await shiftsOf(page);
        const sum = shifts.reduce((total, { value }) => total + value, 0);
        one.diagnostic(`layout shift ${sum.toFixed(4)}`);
        assert.ok(sum <= shiftMax, JSON.stringify(shifts, undefined, 1));
      });
    }
  });
}

/** Whether the strip of quotes, which the wall lacks, has its first quote. Runs in the page. */
function hasStripQuotes(): boolean {
  const strip = document.querySelector('.strip');
  return strip === null || strip.querySelector('.change, time') !== null;
}
