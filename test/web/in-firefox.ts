import assert from 'node:assert/strict';
import { test } from 'node:test';

import axe from 'axe-core';
import type { AxeResults } from 'axe-core';

import { leaders } from '../support/market/default-panels.ts';
import { noFirefox, startFirefox } from './browser/firefox.ts';
import type { FirefoxTab } from './browser/firefox.ts';
import { places, storedLists } from './browser/places.ts';
import { setStage } from './browser/stage.ts';

const stage = setStage();

test(
  'every page works in Firefox too: on a desktop and a phone, with the keyboard, without a finding of axe',
  noFirefox === undefined ? {} : { skip: noFirefox },
  async () => {
    await using tab = await startFirefox();
    const { url, key } = stage.demo;
    await tab.goto(`${url}#key=${key}`);
    await tab.waitFor(`document.querySelectorAll('table.board tbody tr').length === ${leaders}`);
    assert.equal(await tab.evaluate('location.href'), `${url}#/`);
    await tab.evaluate(`sessionStorage.setItem('pizarra.key', ${JSON.stringify(key)})`);
    await tab.evaluate(
      `localStorage.setItem('pizarra.lists', ${JSON.stringify(JSON.stringify(storedLists))})`,
    );
    for (const [width, height, theme] of [
      [1280, 800, 'dark'],
      [390, 844, 'light'],
    ] as const) {
      await tab.resize(width, height);
      await tab.evaluate(`localStorage.setItem('pizarra.theme', '${theme}')`);
      await tab.goto(`${url}healthz`);
      await tab.goto(`${url}#/panel/LID`);
      for (const { name, address, ready } of places) {
        await tab.evaluate(`void (location.hash = ${JSON.stringify(address.slice(1))})`);
        await tab.waitFor(`document.querySelector(${JSON.stringify(ready)}) !== null`);
        const beyond = await tab.evaluate<number>(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        // Rounding of a zoomed length may add one pixel.
        assert.ok(beyond <= 1, `${name}, ${width} px wide: ${beyond} px too wide`);
        // In Chromium, axe checks each width and theme.
        if (theme === 'dark') assert.deepEqual(await faultsOf(tab), [], name);
      }
    }
    await tab.resize(1280, 800);
    await tab.evaluate(`void (location.hash = '#/panel/LID')`);
    await tab.waitFor(`document.querySelector('.spark') !== null`);
    await tab.press('/', 'g', 'a', 'l', 'i', 'c', 'i', 'a');
    await tab.waitFor(`document.querySelectorAll('table.board tbody tr').length === 1`);
    await tab.press('\uE015', '\uE007');
    await tab.waitFor(`document.querySelector('h1')?.textContent === 'GGAL'`);
  },
);

/** The findings of axe that do not depend on a change of price: the flash is no permanent colour. */
async function faultsOf(tab: FirefoxTab): Promise<readonly string[]> {
  await tab.evaluate(`(globalThis.axe ?? (() => { ${axe.source} })(), 1)`);
  const { violations } = await tab.evaluate<Pick<AxeResults, 'violations'>>(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] })
      .then(({ violations }) => ({ violations }))`,
  );
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join('; ')}`,
  );
}
