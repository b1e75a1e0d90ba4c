import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { chartData } from './chart-data.ts';
import { checkBothSchemes } from './check-accessibility.ts';
import { options, setStage } from './stage.ts';
import { enterKey, visit } from './visitor.ts';

const data = chartData();
const stage = setStage(data.fill);

/** Opens the page of an instrument, and enters the key. */
async function enter(page: Page, place: string): Promise<void> {
  await page.goto(`${stage.demo.url}#/especie/${place}`);
  await enterKey(page, stage.demo.key);
}

function segment(page: Page, group: string, name: string) {
  return page.getByRole('group', { name: group }).getByRole('button', { name, exact: true });
}

const values = (page: Page) => page.locator('.chart-values');

test('a chart draws candles with their range, and a line on request', options, async () => {
  await using visitor = await visit(stage.browser);
  const { page, faults } = visitor;
  await enter(page, 'GGAL');
  await page.locator('.chart canvas').first().waitFor();
  await values(page)
    .getByText(/ap\. .* · máx\. .* · mín\. /)
    .waitFor();
  await segment(page, 'Dibujo', 'Línea').click();
  await page.reload();
  await enterKey(page, stage.demo.key);
  await page.locator('.chart canvas').first().waitFor();
  assert.equal(await segment(page, 'Dibujo', 'Línea').getAttribute('aria-pressed'), 'true');
  assert.deepEqual(faults, []);
});

test(
  'an instrument with closes alone is drawn as a line, and the page says so',
  options,
  async () => {
    await using visitor = await visit(stage.browser);
    const { page } = visitor;
    await enter(page, 'YPFD');
    await page.getByText('se muestra una línea de cierres').waitFor();
    await segment(page, 'Dibujo', 'Línea').click();
    await page.getByText('se muestra una línea de cierres').waitFor({ state: 'detached' });
  },
);

test('the adjustment changes the chart, its statistics and the download', options, async () => {
  await using visitor = await visit(stage.browser);
  const { page, faults } = visitor;
  await enter(page, 'GGAL?rango=max');
  const change = page.locator('table.statistics').first().locator('tbody td').first();
  // The dividend does not change the adjustment for splits, and the split changes no percentage.
  await change
    .getByText(/^[+−]\d\d?,\d+/)
    .first()
    .waitFor();
  const bySplits = await change.innerText();
  await segment(page, 'Ajuste', 'Sin ajustar').click();
  await change
    .getByText(/^−8\d,\d+/)
    .first()
    .waitFor();
  assert.match(page.url(), /ajuste=ninguno/);
  await segment(page, 'Ajuste', 'Total').click();
  await change
    .getByText(/^[+−]\d?\d,\d+/)
    .first()
    .waitFor();
  assert.notEqual(await change.innerText(), bySplits);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'GGAL-max-total.csv');
  const [header, first = ''] = (await readFile(await download.path(), 'utf8')).split('\r\n');
  assert.equal(header, 'especie,fecha,apertura,maximo,minimo,ultimo,volumen');
  assert.ok(Number(first.split(',')[5]) < 1000, 'the first close is in units of today');

  await page.getByRole('button', { name: 'Qué es el ajuste' }).click();
  await page.getByText('Un split se ve como un salto.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Un split se ve como un salto.').waitFor({ state: 'hidden' });
  assert.deepEqual(faults, []);
});

test('corporate actions are listed, and named at their bars', options, async (t) => {
  // Reduced motion disables transitions, whose colours are not permanent.
  await using visitor = await visit(stage.browser, { reducedMotion: 'reduce' });
  const { page } = visitor;
  await enter(page, 'GGAL');
  const rows = page.getByRole('region', { name: 'Eventos' }).locator('tbody tr');
  await rows.nth(1).waitFor();
  const texts = await rows.allInnerTexts();
  assert.match(texts[0] ?? '', /D\s+Dividendo\s+25,00 ARS/);
  assert.match(texts[1] ?? '', /S\s+Split\s+10 por 1/);
  const chart = page.getByRole('application');
  await page.locator('.chart canvas').first().waitFor();
  // The crosshair starts at the pointer, which is where the dialog of the key was.
  await page.mouse.move(0, 0);
  await chart.focus();
  // The mark is on the session of the ex date or, if that is a holiday, on the one that follows.
  const named = values(page).getByText(/^Dividendo 25,00 ARS \(\d\d\/\d\d\/\d{4}\)$/);
  for (let day = 0; day <= data.daysSinceDividend && !(await named.isVisible()); day += 1) {
    await page.keyboard.press('ArrowLeft');
  }
  await named.waitFor();
  await page.getByRole('button', { name: 'Qué es el ajuste' }).click();
  await checkBothSchemes(t, page, 'a chart with corporate actions');
});

test(
  'a chart of one day grows with each price, and survives a lost connection',
  options,
  async () => {
    await using visitor = await visit(stage.browser);
    const { page, faults } = visitor;
    await data.push('BTC', 90_000);
    await enter(page, 'BTC?rango=1d');
    await values(page).getByText('90.000,00').last().waitFor();
    assert.match(await values(page).innerText(), /^\d\d\/\d\d\/\d{4} \d\d:\d\d\n/);
    await data.push('BTC', 90_750);
    await values(page).locator('.chart-value', { hasText: '90.750,00' }).waitFor();
    await stage.demo.kill();
    await page.getByText('Sin conexión').waitFor();
    await stage.demo.restart();
    await page.getByText('Conectado', { exact: true }).waitFor();
    await data.push('BTC', 91_250);
    await values(page).locator('.chart-value', { hasText: '91.250,00' }).waitFor();
    await page
      .getByRole('group', { name: 'Rango' })
      .getByRole('button', { name: '5 días' })
      .click();
    await values(page).locator('.chart-value', { hasText: '91.250,00' }).waitFor();
    assert.equal(await page.getByRole('group', { name: 'Ajuste' }).count(), 0);
    assert.deepEqual(faults, []);
  },
);

test('an instrument without intraday prices says so', options, async () => {
  await using visitor = await visit(stage.browser);
  const { page } = visitor;
  await enter(page, 'GGAL?rango=5d');
  await page.getByText('No hay precios intradiarios de esta especie.').waitFor();
  await page.getByRole('button', { name: '1 mes' }).click();
  await page.locator('.chart canvas').first().waitFor();
});

test('the keyboard finds and opens an instrument from any page', options, async () => {
  await using visitor = await visit(stage.browser);
  const { page, asked, faults } = visitor;
  await page.goto(`${stage.demo.url}#/panel/LID`);
  await enterKey(page, stage.demo.key);
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Especie o nombre' });
  await page.locator('[role="combobox"]:focus').waitFor();
  await page.keyboard.type('telefonica argentina nada');
  await page.getByText('Ninguna especie coincide.').waitFor();
  await field.fill('banco');
  const matches = page.getByRole('option');
  await matches.nth(2).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  const second = matches.nth(1);
  assert.equal(await second.getAttribute('aria-selected'), 'true');
  assert.equal(await field.getAttribute('aria-activedescendant'), await second.getAttribute('id'));
  const ticker = await second.locator('strong').innerText();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: ticker, level: 1, exact: true }).waitFor();
  await page.locator('dialog[open]').waitFor({ state: 'detached' });

  await page.keyboard.press('/');
  await page.locator('[role="combobox"]:focus').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });

  // Enter at once, before the result, opens the best match of the whole text.
  await page.keyboard.type('/galícia');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'GGAL', level: 1 }).waitFor();
  assert.ok(asked.some((url) => url.endsWith('/especies.json?buscar=gal%C3%ADcia')));
  assert.deepEqual(faults, []);
});
