import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { leaders } from '../support/market/default-panels.ts';
import { until } from '../support/wait.ts';
import { checkAllColours } from './browser/check-accessibility.ts';
import { storedLists } from './browser/places.ts';
import { setStage } from './browser/stage.ts';
import { hasRows, test, tickersOn } from './browser/visitor.ts';

const stage = setStage();
const listsOf = () => JSON.parse(localStorage.getItem('pizarra.lists') ?? '[]') as unknown;

test('panels and lists that do not fit beside the tools are in a menu, and no tab covers another', async (visit) => {
  const { page, open } = await visit(stage, undefined, { viewport: { width: 1366, height: 768 } });
  const lists = ['Bonos cortos', 'Bancos', 'Energía', 'CEDEAR tech', 'Mesa'].map((name) => ({
    name,
    tickers: ['GGAL'],
  }));
  await open('#/panel/ETF', { 'pizarra.lists': lists });
  const nav = page.getByRole('navigation', { name: 'Paneles' });
  const menu = nav.locator('summary');
  for (const width of [1366, 768, 360]) {
    await page.setViewportSize({ width, height: 768 });
    await until(
      'the current panel names the menu',
      async () => (await menu.innerText()) === 'ETFs',
    );
    await menu.click();
    const inMenu = await nav.locator('.menu-list a:visible').count();
    const inLine = await nav.locator('.tabs a:visible').count();
    assert.equal(inMenu + inLine, 15, `${width}`);
    const boxes = await nav
      .locator('.tabs a:visible, summary, button')
      .evaluateAll((parts) =>
        parts.map((part) => part.getBoundingClientRect()).map(({ left, right }) => [left, right]),
      );
    for (const [at, [left = 0]] of boxes.entries()) {
      assert.ok(at === 0 || left >= (boxes[at - 1]?.[1] ?? 0) - 0.5, `${at} at ${width}`);
    }
    await page.keyboard.press('Escape');
  }
  await menu.click();
  await nav.getByRole('link', { name: /^Mesa/ }).click();
  await hasRows(page, 1);
});

test('a list is created, filled from the search, renamed, reordered and deleted', async (visit) => {
  const { page } = await visit(stage, '#/panel/LID');
  await page.getByRole('button', { name: 'Lista nueva' }).click();
  await page.getByRole('heading', { name: '«Mi lista» está vacía' }).waitFor();
  const field = page.getByRole('combobox', { name: 'Agregar una especie' });
  for (const [text, ticker] of [
    ['galicia', 'GGAL'],
    ['ypfd', 'YPFD'],
    ['dolar mep', 'DOLAR MEP'],
  ] as const) {
    // A new list has the focus in the field, which keeps it, so the next one is typed at once.
    await page.locator('[role="combobox"]:focus').waitFor();
    await page.keyboard.type(text);
    await page.getByRole('listbox').getByRole('option', { name: ticker }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator(`[data-ticker="${ticker}"]`).waitFor();
  }
  // On a low screen the members scroll in a box of their own, and cover nothing below it.
  const usual = page.viewportSize();
  await page.setViewportSize({ width: 1440, height: 300 });
  const isInside = await page.locator('.list-members .choice-list').evaluate((list) => {
    list.lastElementChild?.scrollIntoView();
    const [bottom = 0, end = 0] = [list.lastElementChild, list].map(
      (one) => one?.getBoundingClientRect().bottom,
    );
    return list.scrollHeight > list.clientHeight && bottom <= end + 1;
  });
  assert.ok(isInside);
  if (usual !== null) await page.setViewportSize(usual);
  await page.getByRole('button', { name: 'Listo' }).click();
  await field.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Editar lista' }).click();
  await page.getByRole('button', { name: 'Mover DOLAR MEP antes' }).click();
  await page.getByLabel('Nombre', { exact: true }).fill('Mesa');
  await page.getByRole('button', { name: 'Cambiar', exact: true }).click();
  await page.getByRole('dialog', { name: 'Lista «Mesa»' }).waitFor();
  await page.waitForURL(/#\/lista\/Mesa$/);
  await page.getByRole('button', { name: 'Listo' }).click();
  await until('the members in their order', async () => {
    const tickers = await tickersOn(page);
    return tickers.join() === 'GGAL,DOLAR MEP,YPFD';
  });
  await page.reload();
  await hasRows(page, 3);
  assert.deepEqual(await page.evaluate(listsOf), [
    { name: 'Mesa', tickers: ['GGAL', 'DOLAR MEP', 'YPFD'] },
  ]);

  await page.getByRole('button', { name: 'Editar lista' }).click();
  await page.getByRole('button', { name: 'Quitar DOLAR MEP' }).click();
  await hasRows(page, 2);
  await page.getByRole('button', { name: 'Eliminar la lista' }).click();
  assert.deepEqual(
    ((await page.evaluate(listsOf)) as unknown[]).length,
    1,
    'not at the first click',
  );
  await page.getByRole('button', { name: 'Confirmar: eliminar' }).click();
  await hasRows(page, leaders);
  assert.deepEqual(await page.evaluate(listsOf), []);
});

test('Alt with an arrow moves the instrument of a row, and the focus stays on it', async (visit) => {
  const { page, asked } = await visit(stage, '#/lista/Mesa', {
    stored: { 'pizarra.lists': storedLists },
  });
  await page.getByRole('link', { name: 'GGAL' }).focus();
  // A stream that is opened again has the same address.
  const streams = () => new Set(asked.filter((url) => url.includes('/stream'))).size;
  const before = streams();
  await page.keyboard.press('Alt+ArrowDown');
  await page.waitForFunction(
    () => document.querySelector<HTMLElement>('[data-ticker]')?.innerText === 'YPFD',
  );
  await page.locator('[data-ticker="GGAL"]:focus').waitFor();
  assert.deepEqual((await tickersOn(page)).slice(0, 3), ['YPFD', 'GGAL', 'AL30']);
  assert.equal(streams(), before, 'another order needs no other stream');
  await page.keyboard.press('ArrowDown');
  await page.locator('[data-ticker="AL30"]:focus').waitFor();
});

test('a shared link opens a list in another browser, without a key, and can be saved', async (visit) => {
  const owner = await visit(stage, '#/lista/Mesa', {
    permissions: ['clipboard-read', 'clipboard-write'],
    stored: { 'pizarra.lists': storedLists },
  });
  await owner.page.getByRole('button', { name: 'Copiar enlace' }).click();
  await owner.page.getByText('Copiado').waitFor();
  const link = await owner.page.evaluate(() => navigator.clipboard.readText());
  assert.ok(!link.includes(stage.demo.key));

  const { page, open } = await visit(stage);
  const lowerCase = new URL(link).hash.replace('GGAL', 'ggal');
  await open(lowerCase, {
    'pizarra.lists': [{ name: 'mesa', tickers: ['BMA'] }],
  });
  await page.getByText('Lista compartida «Mesa»: 5 especies.').waitFor();
  await hasRows(page, 5);
  await page.waitForFunction(
    () => document.querySelector<HTMLElement>('[data-ticker]')?.innerText === 'GGAL',
  );
  await page.getByRole('button', { name: 'Guardar en este navegador' }).click();
  await page.waitForURL(/#\/lista\/Mesa%202$/);
  await hasRows(page, 5);
  assert.deepEqual(await page.evaluate(listsOf), [
    { name: 'mesa', tickers: ['BMA'] },
    { name: 'Mesa 2', tickers: storedLists[0]?.tickers },
  ]);
});

test('an instrument is added to lists from its own page', async (visit) => {
  const { page } = await visit(stage, '#/especie/BMA', {
    stored: { 'pizarra.lists': storedLists },
  });
  await page.getByRole('button', { name: 'Listas' }).click();
  await page.getByLabel('Energía').check();
  await page.getByLabel('Lista nueva con BMA').fill('energía');
  await page.getByText('Ya hay una lista «Energía».').waitFor();
  await page.getByLabel('Lista nueva con BMA').fill('Bancos');
  await page.getByRole('button', { name: 'Crear' }).click();
  await page.getByRole('checkbox', { name: 'Bancos' }).waitFor();
  assert.deepEqual(((await page.evaluate(listsOf)) as unknown[]).slice(1), [
    { name: 'Energía', tickers: ['PAMP', 'CEPU', 'BMA'] },
    { name: 'Bancos', tickers: ['BMA'] },
  ]);
});

test('a list that does not exist here says so, and an unknown ticker has a row', async (visit) => {
  const { page } = await visit(stage, '#/lista/Nada');
  await page.getByRole('heading', { name: 'No hay una lista «Nada»' }).waitFor();
  await page.goto(`${stage.demo.url}#/lista/X?especies=GGAL,NOEXISTE`);
  await hasRows(page, 2);
  await page.locator('tr', { hasText: 'NOEXISTE' }).getByText('Sin cotización').waitFor();
});

test('lists, columns, alerts and levels are saved as one file, and read again in another browser', async (visit, t) => {
  const stored = {
    'pizarra.lists': storedLists,
    'pizarra.columns': ['ultimo', 'hora'],
    'pizarra.alert-conditions': [
      { id: 'a', ticker: 'GGAL', kind: 'precio', way: 'sube', level: 9_999_999 },
    ],
    'pizarra.levels': { GGAL: [7_400.5] },
  };
  let text = '';
  {
    const visitor = await visit(stage, '#/alertas', { reducedMotion: 'reduce', stored: stored });
    await visitor.page.getByRole('button', { name: 'Respaldo' }).click();
    const saved = visitor.page.waitForEvent('download');
    await visitor.page.getByRole('button', { name: 'Guardar en un archivo' }).click();
    text = await readFile(await (await saved).path(), 'utf8');
  }
  const { page } = await visit(stage, '#/alertas', {
    reducedMotion: 'reduce',
    stored: {
      'pizarra.lists': [{ name: 'Propia', tickers: ['BMA'] }],
    },
  });
  await page.getByRole('button', { name: 'Respaldo' }).click();
  const choose = (content: string) =>
    page.getByLabel('Leer un archivo').setInputFiles({
      name: 'x.json',
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    });
  const kept = (name: string) => page.evaluate((entry) => localStorage.getItem(entry), name);
  await choose('{"pizarra":1,"listas":[{"name":1}]}');
  await page.getByText('El archivo tiene un error en: listas. No se cambió nada.').waitFor();
  await choose(text);
  await page.getByText('El archivo tiene 2 listas (Mesa, Energía), 1 alerta, 1 nivel y').waitFor();
  await page
    .getByText('Reemplaza lo que hay en este navegador: 1 lista (Propia), 0 alertas, 0 niveles y')
    .waitFor();
  await checkAllColours(t, page, 'the dialog of a backup');
  assert.match(String(await kept('pizarra.lists')), /Propia/);
  await page.getByRole('button', { name: 'Reemplazar' }).click();
  await page.getByText('Se leyeron 2 listas').waitFor();
  assert.deepEqual(JSON.parse(String(await kept('pizarra.lists'))), storedLists);
  assert.equal(await kept('pizarra.columns'), '["ultimo","hora"]');
  assert.equal(await kept('pizarra.levels'), '{"GGAL":[7400.5]}');
  await page.getByText('GGAL sube hasta 9.999.999,00').waitFor();
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await page.getByText('Se deshizo la lectura.').waitFor();
  assert.match(String(await kept('pizarra.lists')), /^\[\{"name":"Propia"/);
});
