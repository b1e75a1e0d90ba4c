import assert from 'node:assert/strict';
import { suite } from 'node:test';

import type { Page } from 'playwright-core';

import { leaders } from '../../support/market/default-panels.ts';
import { until } from '../../support/wait.ts';
import { importData } from '../browser/imported-data.ts';
import { storedLists } from '../browser/places.ts';
import { setStage } from '../browser/stage.ts';
import { test } from '../browser/visitor.ts';

const stage = setStage();
const imported = setStage(importData);

const cards = (page: Page) => page.locator('.chart-card');
const drawn = (page: Page) => page.locator('.card-chart');

/** The lines of the drawn cards, with their names, which have the lowest and the highest price. */
const drawings = (page: Page) => drawn(page).evaluateAll((all) => all.map((one) => one.outerHTML));

function segment(page: Page, group: string, name: string) {
  return page.getByRole('group', { name: group }).getByRole('button', { name, exact: true });
}

/** The view and the range that the page shows. */
async function look(page: Page): Promise<string> {
  const pressed = page.locator('[role="group"] [aria-pressed="true"]');
  const view = page.locator('[aria-label="Vista"] option:checked');
  return [...(await view.allTextContents()), ...(await pressed.allTextContents())].join(' ');
}

suite('the grid of charts', { concurrency: 2 }, () => {
  test('a list remembers its view and its range, and its link has both', async (visit) => {
    const permissions = { permissions: ['clipboard-read', 'clipboard-write'] };
    const { page, faults } = await visit(stage, '#/lista/Mesa', {
      ...permissions,
      stored: { 'pizarra.lists': storedLists },
    });
    await page.getByLabel('Vista').selectOption('Gráficos');
    await drawn(page).nth(4).waitFor();
    assert.equal(await cards(page).count(), 5);
    await segment(page, 'Rango', '1a').click();
    await page.getByRole('img', { name: /^1 año de GGAL: .*, mínimo .*, máximo / }).waitFor();
    await page.waitForURL(/#\/lista\/Mesa$/);
    await page.getByRole('link', { name: 'Líder', exact: true }).click();
    await page.locator('table.board').waitFor();
    await page.getByRole('link', { name: 'Mesa' }).click();
    await page.getByRole('img', { name: /^1 año de GGAL/ }).waitFor();
    await page.reload();
    await page.getByRole('img', { name: /^1 año de GGAL/ }).waitFor();
    await page.getByRole('button', { name: 'Copiar enlace' }).click();
    await page.getByText('Copiado').waitFor();
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
    assert.match(link.hash, /vista=graficos&rango=1a/);
    assert.deepEqual(faults, []);

    const visitor = await visit(stage, link.hash);
    await visitor.page.getByRole('img', { name: /^1 año de GGAL/ }).waitFor();
    await visitor.page.getByRole('button', { name: 'Guardar en este navegador' }).click();
    await visitor.page.getByRole('link', { name: 'Mesa' }).waitFor();
    await visitor.page.goto(`${stage.demo.url}#/panel/LID`);
    await visitor.page.goto(`${stage.demo.url}#/lista/Mesa`);
    await visitor.page.getByRole('img', { name: /^1 año de GGAL/ }).waitFor();
    await until('the view and the range of the list', async () => {
      const shown = await look(visitor.page);
      return /Gráficos.*1a/.test(shown);
    });
  });

  test('one request has the charts of the session, and other ranges are requested in view, at most three at once', async (visit) => {
    const { page, asked, open } = await visit(stage);
    let underWay = 0;
    let most = 0;
    await page.route('**/historicos?*', async (route) => {
      underWay += 1;
      most = Math.max(most, underWay);
      const response = await route.fetch();
      underWay -= 1;
      await route.fulfill({ response });
    });
    await open('#/panel/CED?vista=graficos');
    await drawn(page).first().waitFor();
    const count = await cards(page).count();
    await page.getByText(`${count} gráficos`).waitFor();
    const of = (path: string) => asked.filter((address) => address.includes(path)).length;
    assert.deepEqual([of('/recorridos?panel=CED'), of('/historicos?')], [1, 0]);
    await segment(page, 'Rango', '6m').click();
    await page
      .getByRole('img', { name: /^6 meses de / })
      .first()
      .waitFor();
    await page.waitForFunction(() => document.querySelector('.card-text') === null);
    assert.ok(most <= 3, `${most} requests at once`);
    assert.ok(of('/historicos?') < count / 2, `${of('/historicos?')} of ${count}`);
    const last = cards(page).last();
    await last.scrollIntoViewIfNeeded();
    await last.locator('.card-chart').waitFor();
    // A stream that is opened again has the same address.
    const streams = asked.filter((address) => address.includes('/cotizaciones/stream?'));
    assert.equal(new Set(streams).size, 1);
  });

  test('a price moves its card, and the end of the drawing', async (visit) => {
    const { page } = await visit(stage, '#/panel/LID?vista=graficos');
    await drawn(page).first().waitFor();
    // The first step of a session is a dash, whose lowest and highest price are in its name alone.
    const before = await drawings(page);
    await until('a drawing follows a price', async () => {
      const now = await drawings(page);
      return now.some((drawing, at) => at < before.length && drawing !== before[at]);
    });
    // The price of a card is that of the service.
    assert.match(await page.locator('.card-price').first().innerText(), /^[\d.]+,\d+$/);
  });

  test('the arrow keys move between cards, and Enter opens the instrument with the range', async (visit) => {
    const { page } = await visit(stage, '#/panel/LID?vista=graficos&rango=3m');
    await cards(page)
      .nth(leaders - 1)
      .waitFor();
    const links = page.locator('.chart-cards a[data-ticker]');
    const tickers = await links.allTextContents();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), tickers[0]);
    await page.keyboard.press('ArrowRight');
    assert.equal(await focused(), tickers[1]);
    await page.keyboard.press('ArrowDown');
    const columns = await page
      .locator('.chart-cards')
      .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length);
    assert.equal(await focused(), tickers[1 + columns]);
    await page.keyboard.press('End');
    assert.equal(await focused(), tickers.at(-1));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: tickers.at(-1) ?? '', level: 1 }).waitFor();
    await page.waitForURL(/\?rango=3m$/);
  });

  test('the order of the charts is chosen, is in the address, and is that of the table', async (visit) => {
    const { page } = await visit(stage, '#/panel/LID?vista=graficos&orden=-ultimo');
    const order = page.getByLabel('Orden');
    await order
      .locator('option:checked', { hasText: 'Último, de mayor a menor' })
      .waitFor({ state: 'attached' });
    await order.selectOption({ label: 'Mayores subas' });
    await page.waitForURL(/vista=graficos&orden=-variacion$/);
    await order.selectOption({ label: 'Del panel' });
    await page.waitForURL(/vista=graficos$/);
    await page.locator('.chart-card:first-child a', { hasText: /^ALUA$/ }).waitFor();
  });

  test('a quote of an earlier session has its day and no colour', async (visit) => {
    const { page } = await visit(imported, '#/panel/LID?vista=graficos&rango=max');
    const card = page.locator('.chart-card', { has: page.locator('[data-ticker="GGAL"]') });
    await card.getByTitle('De una rueda anterior').getByText('04/03/2022').waitFor();
    await card.locator('.card-chart').waitFor();
    assert.equal(await card.locator('.card-title .change').count(), 0);
    // A list of several charts has some without a price.
    await page.getByText('No hay precios en este rango.').first().waitFor();
  });
});
