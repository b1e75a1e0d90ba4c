import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';

import axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

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

/** Checks with axe that the current page has no violation of WCAG AA, in both colour schemes. */
export async function checkBothSchemes(
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
