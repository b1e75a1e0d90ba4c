import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';

import axe from 'axe-core';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** The rules of WCAG 2.2 AA. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The faults that axe finds on the current page, one line for each rule. */
export async function faultsOf(
  page: Page,
  runOnly: RunOptions['runOnly'] & object,
  excluded: readonly string[],
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const found = await page.evaluate(
    ([rules, without]) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(
        { include: ['html'], exclude: [...without] },
        { runOnly: rules, resultTypes: ['violations'] },
      ),
    [runOnly, excluded] as const,
  );
  return describe(found);
}

/**
 * Checks with axe that the current page has no violation of WCAG AA, in both colour schemes. Only the
 * contrast depends on the scheme, so the other rules run once.
 */
export async function checkBothSchemes(
  t: TestContext,
  page: Page,
  what: string,
  excluded: readonly string[] = [],
): Promise<void> {
  await t.test(what, async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    assert.deepEqual(await faultsOf(page, { type: 'tag', values: wcag }, excluded), []);
    await page.emulateMedia({ colorScheme: 'dark' });
    const contrast = { type: 'rule', values: ['color-contrast'] } as const;
    assert.deepEqual(
      await faultsOf(page, { ...contrast, values: [...contrast.values] }, excluded),
      [],
    );
  });
}

function describe({ violations }: AxeResults): readonly string[] {
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, any }) => `${target.join(' ')} ${any[0]?.message}`).join('; ')}`,
  );
}
