import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite } from 'node:test';

import type { Page } from 'playwright-core';

import { until } from '../../support/wait.ts';
import { percent, twoDecimals } from '../browser/spanish-number.ts';
import { setStage } from '../browser/stage.ts';
import { boardRows, test } from '../browser/visitor.ts';
import { holdBonds, type ReceivedBonds } from './bond-figures.ts';

const stage = setStage();

/** Bonds of which the demonstration has yields. */
const tickers = ['AL30', 'AL30D', 'GD35D', 'YMCXO'];

/** The texts of the cells of the bonds: yield, duration and parity. */
function shownCells(page: Page): Promise<readonly (readonly string[])[]> {
  return page.evaluate(
    (wanted) =>
      wanted.map((ticker) => {
        const row = document.querySelector(`[data-ticker="${ticker}"]`)?.closest('tr');
        return ['tir', 'durationModificada', 'paridad'].map(
          (field) => row?.querySelector(`.col-${field}`)?.textContent ?? '?',
        );
      }),
    tickers,
  );
}

/** Waits until the board shows the figures that it received for a query. */
async function showsFiguresOf(page: Page, received: ReceivedBonds, query: string): Promise<void> {
  await until(`the figures of ${query}`, async () => {
    const figures = received.get(query);
    if (figures === undefined) return false;
    const shown = await shownCells(page);
    const wanted = tickers.map((ticker) => {
      const bond = figures.find(({ especie }) => especie === ticker);
      if (bond === undefined) return [];
      const { tir, durationModificada, paridad } = bond;
      return [percent(tir), twoDecimals(durationModificada ?? NaN), percent(paridad)];
    });
    return JSON.stringify(shown) === JSON.stringify(wanted);
  });
}

suite('the convention of a board of bonds', { concurrency: 2 }, () => {
  test('a chosen convention counts the figures, is in the address, named beside them and in their export, and remembered', async (visit) => {
    const { page, open } = await visit(stage, undefined, { isNew: true });
    const received = await holdBonds(page);
    await open('#/panel/BONOS');
    const choice = page.getByRole('combobox', { name: 'Convención' });
    await showsFiguresOf(page, received, '?panel=BONOS');
    assert.equal(await choice.inputValue(), 'pizarra');
    await choice.selectOption('Bonarg');
    const query = '?panel=BONOS&convencion=bonarg';
    await showsFiguresOf(page, received, query);
    assert.notDeepEqual(received.get(query), received.get('?panel=BONOS'));
    assert.match(page.url(), /#\/panel\/BONOS\?convencion=bonarg$/);
    const line = page.locator('.convention-line');
    await line.getByText('capitalización semestral').waitFor();
    const meaning = 'TIR anual, convención Bonarg (liquidación CI, dólar MEP)';
    await page.locator(`button[title^="${meaning}"]`).waitFor();

    await page.getByRole('button', { name: 'Exportar' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Descargar' }).click(),
    ]);
    const [header = '', ...lines] = (await readFile(await download.path(), 'utf8')).split('\r\n');
    const names = header.split(';');
    const exported = lines.find((one) => one.startsWith('AL30D;'))?.split(';') ?? [];
    const bond = received.get(query)?.find(({ especie }) => especie === 'AL30D');
    assert.equal(exported[names.indexOf('convencion')], 'bonarg');
    assert.equal(exported[names.indexOf('tir')], String(bond?.tir).replace('.', ','));

    await page.goto(`${stage.demo.url}#/panel/BON`);
    await showsFiguresOf(page, received, '?panel=BON&convencion=bonarg');
    assert.equal(await choice.inputValue(), 'bonarg');
    // An address that names another one does not change what is remembered.
    await page.goto(`${stage.demo.url}#/panel/BONOS?convencion=tablero`);
    await showsFiguresOf(page, received, '?panel=BONOS&convencion=tablero');
    await page.goto(`${stage.demo.url}#/panel/BONOS`);
    await showsFiguresOf(page, received, query);
  });

  test('a dialog says what each convention means and leads to the reference, paper names the convention, and boards without bonds have none', async (visit) => {
    const { page } = await visit(stage, '#/panel/BONOS?convencion=bloomberg');
    const line = page.locator('.convention-line');
    await line.getByRole('button', { name: 'Qué significa' }).click();
    const dialog = page.getByRole('dialog', { name: 'Convenciones de los bonos' });
    for (const name of ['Pizarra', 'Screenermatic', 'Ecovalores', 'Bonarg', 'Bloomberg']) {
      // oxlint-disable-next-line no-await-in-loop
      await dialog.getByText(name, { exact: true }).waitFor();
    }
    await dialog.getByRole('button', { name: 'Cerrar' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.emulateMedia({ media: 'print' });
    await line.getByText('Bloomberg', { exact: true }).and(page.locator('strong')).waitFor();
    assert.match(await line.innerText(), /precio limpio por cada 100 de residual/);
    assert.equal(await line.getByRole('combobox').isVisible(), false);
    await page.emulateMedia({ media: 'screen' });
    await line.getByRole('button', { name: 'Qué significa' }).click();
    await dialog.getByRole('link').click();
    await page.locator('.ref-entry').first().waitFor();
    assert.match(page.url(), /#\/api\/getBonos$/);
    await page.goto(`${stage.demo.url}#/panel/LID`);
    await boardRows(page).first().waitFor();
    assert.equal(await line.count(), 0);
  });
});
