import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import type { Page } from 'playwright-core';

import { until } from '../../support/wait.ts';
import { beyondScreen } from '../browser/beyond-screen.ts';
import { faultsOf, wcag } from '../browser/check-accessibility.ts';
import {
  correctedTicker,
  dollarBondTicker,
  earlierRate,
  importData,
  oldTicker,
} from '../browser/imported-data.ts';
import { options, setStage } from '../browser/stage.ts';
import { open, visit } from '../browser/visitor.ts';

const stage = setStage(importData);

/** The cells of each row of the table. */
function cellsOf(page: Page): Promise<readonly (readonly string[])[]> {
  return page
    .locator('.changes tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map(({ textContent }) => textContent.trim())),
    );
}

suite('the changes of an instrument', () => {
  test(
    'the section asks for the changes when it is opened, and shows each with all its decimals',
    options,
    async () => {
      await using visitor = await visit(stage.browser);
      const { page, asked } = visitor;
      await open(visitor, stage, `#/especie/${correctedTicker}`);
      const summary = page.locator('.changes summary');
      await summary.waitFor();
      assert.deepEqual(
        asked.filter((url) => url.includes('/cambios')),
        [],
      );
      await summary.click();
      await until('the changes are shown', async () => (await cellsOf(page)).length === 2);
      const [close, source] = await cellsOf(page);
      assert.deepEqual(close?.slice(0, 4), ['02/03/2023', 'Cierre', '24,055', '24,5']);
      assert.match(close?.[4] ?? '', /^\d{2}\/\d{2}\/\d{4} \d{2}:\d{2}:\d{2}$/);
      assert.deepEqual(close?.slice(5), ['import:corrected.csv', 'Importación']);
      assert.deepEqual(source?.slice(1, 4), [
        'Fuente',
        'import:closes.csv',
        'import:corrected.csv',
      ]);
      assert.deepEqual(visitor.faults, []);
    },
  );

  test('an instrument without a correction says that it has none', options, async () => {
    await using visitor = await visit(stage.browser);
    const { page } = visitor;
    await open(visitor, stage, `#/especie/${oldTicker}`);
    await page.locator('.changes summary').click();
    await page.getByText('No hay cambios: ningún cierre, evento ni condición de emisión').waitFor();
  });

  test(
    'a bond shows what has changed of its terms, and a phone shows all of it',
    options,
    async () => {
      const { url, key } = stage.demo;
      // The service records the terms a moment after its start.
      await until('the terms are recorded', async () => {
        const headers = { authorization: `Bearer ${key}` };
        const answer = await fetch(`${url}cambios?especie=${dollarBondTicker}`, { headers });
        return ((await answer.json()) as readonly unknown[]).length > 0;
      });
      await using visitor = await visit(stage.browser, { viewport: { width: 360, height: 800 } });
      const { page } = visitor;
      await open(visitor, stage, `#/especie/${dollarBondTicker}`);
      await page.locator('.changes summary').click();
      await until('the change is shown', async () => (await cellsOf(page)).length === 1);
      const [[, field, before, after, , , origin] = []] = await cellsOf(page);
      assert.deepEqual([field, origin], ['Tasa', 'Universo']);
      assert.match(before ?? '', new RegExp(`${RegExp.escape(earlierRate)}$`));
      assert.match(after ?? '', /^2020-09-04=0\.125;.*2027-07-09=1\.75$/);
      assert.deepEqual(await page.evaluate(beyondScreen), []);
      assert.deepEqual(visitor.faults, []);
    },
  );

  test(
    'on a phone, the table is whole within its frame, and axe finds no fault',
    options,
    async () => {
      await using visitor = await visit(stage.browser, { viewport: { width: 360, height: 800 } });
      const { page } = visitor;
      await open(visitor, stage, `#/especie/${correctedTicker}`);
      await page.locator('.changes summary').click();
      await page.locator('.changes tbody tr').first().waitFor();
      assert.deepEqual(await page.evaluate(beyondScreen), []);
      assert.deepEqual(await faultsOf(page, { type: 'tag', values: wcag }, []), []);
    },
  );
});
