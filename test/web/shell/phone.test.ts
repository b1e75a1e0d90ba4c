import assert from 'node:assert/strict';

import { places, storedLists } from '../browser/places.ts';
import { setStage } from '../browser/stage.ts';
import { smallTargets } from '../browser/touch-targets.ts';
import { boardRows, test } from '../browser/visitor.ts';

const stage = setStage();
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const lists = { 'pizarra.lists': storedLists };

test('on a phone, every button, link, field and row of every page and sheet has 44 pixels', async (visit) => {
  const { page } = await visit(stage, '#/panel/LID', { ...phone, stored: lists });
  for (const { name, address, ready } of places) {
    await page.goto(stage.demo.url + address);
    await page.locator(ready).first().waitFor();
    assert.deepEqual(await smallTargets(page), [], name);
    const tools = page.getByRole('button', { name: 'Herramientas' });
    if (!(await tools.isVisible())) continue;
    await tools.tap();
    await page.getByRole('dialog', { name: 'Herramientas' }).waitFor();
    assert.deepEqual(await smallTargets(page), [], `the tools of ${name}`);
    await page.getByRole('button', { name: 'Cerrar' }).tap();
  }
  await page.getByRole('button', { name: 'Más' }).tap();
  await page.getByRole('button', { name: 'Teclas' }).waitFor();
  assert.deepEqual(await smallTargets(page), [], 'the sheet of the bottom bar');
  await page.getByRole('button', { name: 'Tira de cotizaciones' }).tap();
  await page.getByRole('button', { name: 'Mover BTC antes' }).waitFor();
  assert.deepEqual(await smallTargets(page), [], 'the editor of the strip');
});

test('on a phone, the texts of the keys and of the conventions begin at their title', async (visit) => {
  const small = { ...phone, viewport: { width: 360, height: 780 } };
  const { page } = await visit(stage, '#/panel/BONOS', small);
  const begins = async (title: string) => {
    await page.getByRole('heading', { name: title }).and(page.locator(':focus')).waitFor();
    const dialog = page.getByRole('dialog', { name: title });
    const isCut = await dialog.evaluate(
      ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight,
    );
    assert.ok(isCut, `${title}: the whole text fits, so this shows nothing`);
    assert.equal(await dialog.evaluate(({ scrollTop }) => scrollTop), 0, title);
    await dialog.getByRole('button', { name: 'Cerrar' }).tap();
    await dialog.waitFor({ state: 'detached' });
  };
  await page.getByRole('button', { name: 'Qué significa' }).tap();
  await begins('Convenciones de los bonos');
  await page.getByRole('button', { name: 'Más' }).tap();
  await page.getByRole('button', { name: 'Teclas' }).tap();
  await begins('Teclas');
});

test('on a phone, the bar at the bottom leads to the pages and the search, and "Más" to the rest', async (visit) => {
  const { page } = await visit(stage, '#/panel/LID', { ...phone, stored: lists });
  await boardRows(page).first().waitFor();
  const bar = page.getByRole('navigation', { name: 'Principal' }).last();
  await bar.getByRole('link', { name: 'Alertas' }).tap();
  await page.locator('.alert-form').waitFor();
  await bar.getByRole('button', { name: 'Más' }).tap();
  await page.getByRole('link', { name: 'API', exact: true }).tap();
  await page.locator('.ref-entry').first().waitFor();
  await page.waitForFunction(() => document.querySelector('dialog[open]') === null);
  await bar.getByRole('button', { name: 'Más' }).tap();
  await page.getByRole('button', { name: 'Oscuro' }).tap();
  await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
  // The button back of a phone closes the sheet with its page.
  await page.goBack();
  await page.locator('.alert-form').waitFor();
  await page.waitForFunction(() => document.querySelector('dialog[open]') === null);
  await bar.getByRole('button', { name: 'Buscar' }).tap();
  await page.getByRole('combobox', { name: 'Especie o nombre' }).fill('galicia');
  await page.locator('[role="option"]').first().tap();
  await page.getByRole('heading', { name: 'GGAL', exact: true }).waitFor();
  await bar.getByRole('link', { name: 'Pizarra' }).tap();
  await boardRows(page).first().waitFor();
});

test('on a phone, the first row of a board is in the upper third, and its tools are in a sheet', async (visit) => {
  const { page } = await visit(stage, '#/panel/LID', { ...phone, stored: lists });
  const box = await boardRows(page).first().boundingBox();
  assert.ok((box?.y ?? Number.NaN) <= 240, `the first row is at ${box?.y}`);
  await page.getByRole('button', { name: 'Herramientas' }).tap();
  const sheet = page.getByRole('dialog', { name: 'Herramientas' });
  await sheet.getByText(/baja/).waitFor();
  await sheet.getByLabel('Vista').selectOption('Mapa');
  await page.locator('.tile').first().waitFor();
});

test('on a phone, the names of figures and buttons have the room that they need', async (visit) => {
  const small = { ...phone, viewport: { width: 360, height: 780 }, stored: lists };
  const { page } = await visit(stage, '#/especie/AAPL', small);
  const areCut = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth))
      .then(({ length }) => length);
  await page.locator('.receipt dt').last().waitFor();
  assert.equal(await areCut('.figure dt'), 0);
  await page.goto(`${stage.demo.url}#/lista/Mesa`);
  await page.getByRole('button', { name: 'Herramientas' }).tap();
  await page.getByRole('button', { name: 'Editar lista' }).tap();
  await page.getByRole('button', { name: 'Mover después' }).waitFor();
  assert.equal(await areCut('dialog[open] .button'), 0);
  await page.getByRole('button', { name: 'Respaldo…' }).tap();
  await page.getByText('Leer un archivo…').waitFor();
  assert.equal(await areCut('dialog[open] .button'), 0);
});
