import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import { setStage } from './browser/stage.ts';
import { boardRows, test } from './browser/visitor.ts';

const stage = setStage();

/** Opens the search with the keyboard. */
async function openSearch(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('.search-dialog [role="combobox"]:focus').waitFor();
}

/** The tickers of the options, in order. */
function offered(page: Page): Promise<readonly string[]> {
  return page.getByRole('listbox').getByRole('option').locator('strong').allInnerTexts();
}

test('a slip is forgiven, options have prices, and what was visited last is offered before typing', async (visit) => {
  const { page, asked, open } = await visit(stage);
  const asksPrices = () => asked.filter((url) => url.includes('/cotizaciones?especie=')).length;
  await open('#/panel/LID', { 'pizarra.visited': ['AL30', 'NOEXISTE'] });
  await boardRows(page).first().waitFor();
  await openSearch(page);
  await page.getByRole('listbox', { name: 'Últimas especies visitadas' }).waitFor();
  assert.deepEqual(await offered(page), ['AL30'], 'no instrument that the service does not have');
  await page.locator('.search-quote').waitFor();

  await page.keyboard.type('galisia');
  await page.getByText(/^\d+ especies parecidas$/).waitFor();
  const middles = await page.locator('.search-dialog .search-field > *').evaluateAll((parts) =>
    parts.map((part) => {
      const { top, bottom } = part.getBoundingClientRect();
      return (top + bottom) / 2;
    }),
  );
  assert.equal(middles.length, 3);
  assert.ok(Math.max(...middles) - Math.min(...middles) <= 1, 'the field is one line');
  assert.equal((await offered(page))[0], 'GGAL');
  const price = page.getByRole('listbox').getByRole('option').first().locator('.search-quote');
  await price.waitFor();
  assert.match(await price.innerText(), /^[\d.]+,\d+\s+([+−]\d+|0),\d\d\s%$/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'GGAL', level: 1, exact: true }).waitFor();

  await page.goto(`${stage.demo.url}#/especie/YPFD`);
  await page.getByRole('heading', { name: 'YPFD', level: 1, exact: true }).waitFor();
  await page.reload();
  await page.locator('.quote-price').waitFor();
  await openSearch(page);
  await page
    .getByRole('listbox', { name: 'Últimas especies visitadas' })
    .getByRole('option')
    .nth(1)
    .waitFor();
  assert.deepEqual(await offered(page), ['GGAL', 'AL30'], 'all but the page that is open');
  await page.locator('.search-quote').nth(1).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  const closed = asksPrices();

  await page.goto(`${stage.demo.url}#/especie/galisia`);
  await page.getByRole('heading', { name: 'Especies parecidas' }).waitFor();
  assert.equal(await page.locator('.near li a').first().innerText(), 'GGAL');
  assert.equal(asksPrices(), closed, 'a closed search requests no prices');
});
