import assert from 'node:assert/strict';
import { suite } from 'node:test';

import type { Page } from 'playwright-core';

import { leaders } from '../../support/market/default-panels.ts';
import { until } from '../../support/wait.ts';
import { checkAllColours } from '../browser/check-accessibility.ts';
import { importData, push } from '../browser/imported-data.ts';
import { setStage } from '../browser/stage.ts';
import { boardRows, hasRows, test, tickersOn } from '../browser/visitor.ts';

const stage = setStage();
const imported = setStage(importData);

const wide = { viewport: { width: 1600, height: 900 } };
const laptop = { viewport: { width: 1366, height: 768 } };

/** The pane of an instrument. */
const paneOf = (page: Page, ticker: string) =>
  page.getByRole('region', { name: `Ficha de ${ticker}` });

/** Waits until the pane shows an instrument: its name, and a chart with its prices. */
async function shows(page: Page, ticker: string): Promise<void> {
  await paneOf(page, ticker).waitFor();
  await page.getByRole('application', { name: `de ${ticker}.` }).waitFor();
  await paneOf(page, ticker).locator('.chart-value').waitFor();
}

const openButton = (page: Page) => page.getByRole('button', { name: 'Ficha', exact: true });

/** What was requested of a path. */
function requestsOf(asked: readonly string[], path: string): readonly string[] {
  return asked.filter((address) => address.includes(path));
}

suite('the pane beside the table', { concurrency: 2 }, () => {
  test('on a wide screen the arrow keys move the chart and the book, over the one stream of the board', async (visit) => {
    const { page, asked } = await visit(stage, '#/panel/LID', wide);
    await hasRows(page, leaders);
    const [first = '', , third = ''] = await tickersOn(page);
    await shows(page, first);
    assert.match(page.url(), /#\/panel\/LID$/, 'nobody has chosen a row');
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await shows(page, third);
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    assert.equal(focused, third, 'the focus stays in the table');
    const row = page.locator('tr', { has: page.locator(`[data-ticker="${third}"]`) });
    await row.locator('a[aria-current="true"]').waitFor();
    const book = paneOf(page, third).locator('.book dd', { hasText: /^[\d.]+,\d+/ });
    await book.nth(1).waitFor();
    await page.waitForFunction((ticker) => {
      const link = document.querySelector(`[data-ticker="${ticker}"]`);
      const inRow = link?.closest('tr')?.querySelector('.col-ultimo')?.textContent;
      return document.querySelector('.pane .quote-price')?.textContent === inRow;
    }, third);
    // A stream that is opened again has the same address.
    assert.equal(new Set(requestsOf(asked, 'cotizaciones/stream')).size, 1);
  });

  test('rows that are passed request no series, and one that was seen lately is shown without a request', async (visit) => {
    const { page, asked } = await visit(stage, '#/panel/LID', wide);
    await hasRows(page, leaders);
    const tickers = await tickersOn(page);
    const [first = ''] = tickers;
    await shows(page, first);
    // All keys in one turn, so that it does not matter how fast this machine is.
    const press = (key: string, times: number) =>
      page.evaluate(
        ([name, count]) => {
          document.querySelector<HTMLElement>('.board a[data-ticker]')?.focus();
          for (let at = 0; at < count; at += 1) {
            const event = new KeyboardEvent('keydown', { key: name, bubbles: true });
            document.activeElement?.dispatchEvent(event);
          }
        },
        [key, times] as const,
      );
    await press('ArrowDown', 9);
    await shows(page, tickers[9] ?? '');
    await press('ArrowDown', 0);
    await shows(page, first);
    const series = requestsOf(asked, '/intradiarios?').map(
      (address) => new URL(address).searchParams.get('especie') ?? '',
    );
    assert.deepEqual(series, [first, tickers[9]]);
  });

  test('the instrument, the range and the width survive a reload and the way back', async (visit) => {
    const { page } = await visit(stage, '#/panel/LID', wide);
    await boardRows(page).filter({ hasText: 'GGAL' }).locator('.col-anterior').click();
    await shows(page, 'GGAL');
    await page
      .getByRole('group', { name: 'Rango' })
      .getByRole('button', { name: '6m', exact: true })
      .click();
    const divider = page.getByRole('separator', { name: 'Ancho de la ficha' });
    const width = () => divider.getAttribute('aria-valuenow');
    const before = Number(await width());
    await divider.focus();
    await page.keyboard.press('ArrowLeft');
    const frame = page.locator('.pane-frame');
    await until('a wider pane', async () => Number(await width()) === before + 24);
    await page.waitForURL(/#\/panel\/LID\?rango=6m&ficha=GGAL$/);

    await page.reload();
    await shows(page, 'GGAL');
    await until('the same width', async () => {
      const box = await frame.boundingBox();
      return box?.width === before + 24;
    });
    await page.getByText(/^vol\. /).waitFor();
    await boardRows(page).filter({ hasText: 'YPFD' }).locator('.col-anterior').dblclick();
    await page.getByRole('heading', { name: 'YPFD', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Volver a la pizarra' }).click();
    await shows(page, 'YPFD');
    await page.waitForURL(/\?rango=6m&ficha=YPFD$/);
    const range = page.getByRole('group', { name: 'Rango' });
    await range.locator('[aria-pressed="true"]').and(page.getByTitle('6 meses')).waitFor();
  });

  test('on a laptop the table has the whole width until the pane is opened, which is remembered', async (visit) => {
    const { page, asked } = await visit(stage, '#/panel/LID', laptop);
    await hasRows(page, leaders);
    assert.equal(await page.locator('.pane-frame').count(), 0);
    assert.equal(requestsOf(asked, 'cantCompra').length, 0);
    await openButton(page).click();
    await page.locator('.pane .chart-value').waitFor();
    await page.goto(`${stage.demo.url}#/panel/GEN`);
    await page.locator('.pane .chart-value').waitFor();
    await page.getByRole('button', { name: 'Cerrar la ficha' }).click();
    await page.locator('.pane-frame').waitFor({ state: 'detached' });
    await page.reload();
    await boardRows(page).first().waitFor();
    assert.equal(await page.locator('.pane-frame').count(), 0);
    // Without the pane, a click opens the instrument.
    await boardRows(page).first().locator('.col-anterior').click();
    await page.locator('.instrument-page').waitFor();
  });

  test('an address that names an instrument shows it, with its row in view', async (visit) => {
    const { page } = await visit(stage, '#/panel/CED?ficha=XLF', laptop);
    await shows(page, 'XLF');
    await page.waitForFunction(() => {
      const box = document.querySelector('[data-ticker="XLF"]')?.getBoundingClientRect();
      return box !== undefined && box.top > 0 && box.bottom <= innerHeight;
    });
  });

  test('an instrument without a book says so', async (visit) => {
    const { page } = await visit(stage, '#/panel/IND?ficha=MERVAL', wide);
    await shows(page, 'MERVAL');
    await page.getByText('Sin puntas: no hay órdenes, o la fuente no las informa.').waitFor();
    assert.equal(await page.locator('.book').count(), 0);
  });

  test('a price moves the pane and the last bar of its chart at once', async (visit) => {
    const { page, asked, open } = await visit(imported, undefined, wide);
    await push('ETH', 3_000);
    await open('#/lista/Cripto?especies=BTC,ETH&ficha=ETH');
    const pane = paneOf(page, 'ETH');
    await pane.locator('.chart-value', { hasText: '3.000,00' }).waitFor();
    const { length } = requestsOf(asked, '/intradiarios?');
    await push('ETH', 3_012);
    await pane.locator('.quote-price', { hasText: '3.012,00' }).waitFor();
    await pane.locator('.chart-value', { hasText: '3.012,00' }).waitFor();
    assert.equal(requestsOf(asked, '/intradiarios?').length, length);
  });

  test('axe finds no violation of WCAG AA in the pane', async (visit, t) => {
    const { page } = await visit(stage, '#/panel/LID?ficha=GGAL', wide);
    await shows(page, 'GGAL');
    await checkAllColours(t, page, 'the pane');
  });
});
