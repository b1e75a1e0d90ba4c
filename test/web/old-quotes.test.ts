import assert from 'node:assert/strict';

import { leaders } from '../support/market/default-panels.ts';
import { importData } from './browser/imported-data.ts';
import { setStage } from './browser/stage.ts';
import { boardRows, test } from './browser/visitor.ts';

const stage = setStage(importData);

test('a quote of an earlier session shows its date and counts as neither rising nor falling', async (visit) => {
  const { page } = await visit(stage, '#/panel/LID');
  await page.getByText('1 de una rueda anterior', { exact: true }).waitFor();
  await page.getByText('0 suben', { exact: true }).waitFor();
  await page.getByText('0 bajan', { exact: true }).waitFor();
  const row = page.locator('tr', { has: page.locator('[data-ticker="GGAL"]') });
  await row.locator('.col-hora', { hasText: /^04\/03\/2022$/ }).waitFor();
  await row.getByTitle('De una rueda anterior').waitFor();
});

test('a member of the panel without a quote has its row in the order of the panel', async (visit) => {
  const { page } = await visit(stage, '#/panel/LID');
  await page.getByText(`${leaders - 1} sin cotización`, { exact: true }).waitFor();
  assert.equal(await boardRows(page).count(), leaders);
  const first = boardRows(page).first();
  assert.equal(await first.locator('[data-ticker]').textContent(), 'ALUA');
  assert.equal(await first.locator('.col-ultimo').textContent(), '–');
  // Beside all counts, the state of the market shows when it changes, and its dot says whether it is open.
  const cut = await page.locator('.markets .last-line').evaluate((line) => {
    const [shown, text] = [line, line.lastElementChild ?? line].map((one) =>
      one.getBoundingClientRect(),
    );
    return (
      shown === undefined ||
      text === undefined ||
      text.right > shown.right + 1 ||
      text.top < shown.top - 1 ||
      text.bottom > shown.bottom + 1
    );
  });
  assert.equal(cut, false);
  await page.getByRole('button', { name: 'Último', exact: true }).click();
  await page.locator('tbody tr:first-child [data-ticker="GGAL"]').waitFor();
});

test('a map of instruments without quotes draws nothing and says so', async (visit) => {
  const { page } = await visit(stage, '#/panel/ETF?vista=mapa');
  await page.getByText('Ninguna de estas especies tiene cotización').waitFor();
  assert.equal(await page.locator('.heat-map').count(), 0);
  await page.goto(`${stage.demo.url}#/panel/LID?vista=mapa`);
  await page.getByText('sus cotizaciones son de ruedas anteriores').waitFor();
  await page.locator('.tile', { hasText: /^GGAL\s*04\/03\/2022$/ }).waitFor();
  assert.equal(await page.locator('.tile').count(), 1);
});

test('the pane of a quote of an earlier session is grey and dated', async (visit) => {
  const { page } = await visit(stage, '#/panel/LID?ficha=GGAL');
  const pane = page.getByRole('region', { name: 'Ficha de GGAL' });
  await pane.getByText('04/03/2022 · de una rueda anterior').waitFor();
  assert.match((await pane.getAttribute('class')) ?? '', /is-earlier/);
  await pane.getByText('No hay precios intradiarios de esta especie.').waitFor();
});

test('prices and percentages of any size fit into their columns', async (visit) => {
  for (const width of [390, 1280]) {
    const { page } = await visit(stage, '#/panel/LID', { viewport: { width, height: 800 } });
    await boardRows(page).filter({ hasText: '371,26' }).waitFor();
    const overflowing = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.board td, .board th')]
        .filter((cell) => cell.scrollWidth > cell.clientWidth + 1)
        .map((cell) => `${cell.className} ${cell.innerText}`),
    );
    assert.deepEqual(overflowing, [], `${width} px wide`);
  }
});
