import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';

import axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

import { places } from './places.ts';
import { options, setStage } from './stage.ts';
import { enterKey, visit } from './visitor.ts';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const stage = setStage();

/** The faults that axe finds on the current page, one line for each rule. */
async function faultsOf(page: Page, excluded: readonly string[] = []): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const found = await page.evaluate(
    ([tags, without]) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(
        { include: ['html'], exclude: [...without] },
        { runOnly: [...tags], resultTypes: ['violations'] },
      ),
    [rules, excluded] as const,
  );
  return describe(found);
}

/** Checks the current page in both colour schemes. */
async function checkBothSchemes(
  t: TestContext,
  page: Page,
  what: string,
  excluded: readonly string[] = [],
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await t.test(`${what}, ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await faultsOf(page, excluded), []);
    });
  }
}

function describe({ violations }: AxeResults): readonly string[] {
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, any }) => `${target.join(' ')} ${any[0]?.message}`).join('; ')}`,
  );
}

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`axe finds no violation of WCAG AA, ${viewport.width} px wide`, options, async (t) => {
    // Reduced motion disables the flash of changed prices, whose colours are not permanent.
    await using visitor = await visit(stage.browser, { viewport, reducedMotion: 'reduce' });
    const { page } = visitor;
    await page.goto(stage.demo.url);
    await page.getByRole('button', { name: 'Ingresar la clave' }).waitFor();
    await checkBothSchemes(t, page, 'without a key');
    await page.getByRole('button', { name: 'Ingresar la clave' }).click();
    await checkBothSchemes(t, page, 'the dialog of the key');
    await page.keyboard.press('Escape');
    await enterKey(page, stage.demo.key);
    for (const { name, address, ready } of places) {
      await page.goto(stage.demo.url + address);
      await page.locator(ready).first().waitFor();
      // Swagger UI renders its own content, so only the page around it is checked.
      await checkBothSchemes(t, page, name, name === 'referencia' ? ['#reference'] : []);
    }
  });
}
