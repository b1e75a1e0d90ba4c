import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';

import axe from 'axe-core';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** The rules of WCAG 2.2 AA. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * The faults that axe finds on a page and finds there again. It reads a name and a text at different moments,
 * so that a price that changes between them looks like a wrong name, and is none the next time.
 */
export async function lastingFaults(
  find: () => Promise<Pick<AxeResults, 'violations'>>,
): Promise<readonly string[]> {
  let lasting = describe(await find());
  for (let again = 0; again < 3 && lasting.size > 0; again += 1) {
    const found = describe(await find());
    lasting = new Map([...found].filter(([place]) => lasting.has(place)));
  }
  return [...lasting].map(([place, message]) => `${place} ${message}`);
}

/** The faults that axe finds on the current page, one line for each element. */
export async function faultsOf(
  page: Page,
  runOnly: RunOptions['runOnly'] & object,
  excluded: readonly string[],
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    await page.evaluate(axe.source);
    await page.evaluate(readTextColour);
  }
  await page.evaluate(putBarAtEnd);
  return await lastingFaults(() =>
    page.evaluate(
      ([rules, without]) =>
        (globalThis as unknown as { axe: typeof axe }).axe.run(
          { include: ['html'], exclude: [...without] },
          { runOnly: rules, resultTypes: ['violations'] },
        ),
      [runOnly, excluded] as const,
    ),
  );
}

/** The colours in which a page is shown besides the light ones. */
export const otherColours = [{ colorScheme: 'dark' }, { forcedColors: 'active' }] as const;

/**
 * Checks with axe that the current page has no violation of WCAG AA: with light colours, and in the other
 * colours. Only the contrast depends on the colours, so the other rules run once.
 */
export async function checkAllColours(
  t: TestContext,
  page: Page,
  what: string,
  {
    excluded = [],
    others = otherColours,
  }: {
    readonly excluded?: readonly string[];
    readonly others?: readonly (typeof otherColours)[number][];
  } = {},
): Promise<void> {
  await t.test(what, async () => {
    // Motion changes colours for a moment: the flash of changed prices, and transitions.
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    assert.deepEqual(await faultsOf(page, { type: 'tag', values: wcag }, excluded), []);
    for (const colours of others) {
      await page.emulateMedia(colours);
      const contrast = { type: 'rule' as const, values: ['color-contrast'] };
      assert.deepEqual(await faultsOf(page, contrast, excluded), [], JSON.stringify(colours));
    }
    await page.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: null });
  });
}

/**
 * Lets the bar at the bottom of a phone scroll with the page. While it stays in view it covers a part of what
 * is under it, which axe takes for a target that is too small.
 */
function putBarAtEnd(): void {
  document.querySelector<HTMLElement>('.bottom-bar')?.style.setProperty('position', 'static');
}

/**
 * Lets axe read the colour of a text from `color`. It reads `-webkit-text-fill-color`, which no style of the
 * playground sets, and which Chromium reports as if colours were not forced.
 */
function readTextColour(): void {
  const original = globalThis.getComputedStyle.bind(globalThis);
  globalThis.getComputedStyle = (...args) => {
    const style = original(...args);
    const read = style.getPropertyValue.bind(style);
    style.getPropertyValue = (name) => read(name === '-webkit-text-fill-color' ? 'color' : name);
    return style;
  };
}

/** What axe reports of each element, by its rule and place. */
function describe({ violations }: Pick<AxeResults, 'violations'>): ReadonlyMap<string, string> {
  return new Map(
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, any }) => [`${id}: ${target.join(' ')}`, any[0]?.message ?? '']),
    ),
  );
}
