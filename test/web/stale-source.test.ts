import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { runPizarra } from '../support/program/program.ts';
import { checkAllColours } from './browser/check-accessibility.ts';
import { pusherTo } from './browser/imported-data.ts';
import { setStage } from './browser/stage.ts';
import { test } from './browser/visitor.ts';

let directory = '';
const push = pusherTo(() => directory);

/** A program that pushes prices of a market that is always open, and is stale after a second. */
async function withTerminal(data: string): Promise<readonly string[]> {
  directory = data;
  const closes = join(data, 'closes.csv');
  await writeFile(closes, 'ticker,date,close\nBTC,2026-11-19,90000\n');
  assert.equal((await runPizarra(['import', closes, '--store', data])).code, 0);
  const config = join(data, 'pizarra.yaml');
  await writeFile(config, 'feeds:\n  - { name: terminal, type: push, staleAfterSeconds: 1 }\n');
  return ['--config', config];
}

const stage = setStage(withTerminal);

test('every view says that a source stopped, since when, and shows its prices without colour until it sends again', async (visit, t) => {
  await push('BTC', 91_000);
  const list = '#/lista/Mesa?especies=BTC';
  const table = await visit(stage, list, { viewport: { width: 1280, height: 800 } });
  const wall = await visit(stage, `${list}&vista=mural`);
  const instrument = await visit(stage, '#/especie/BTC', { viewport: { width: 360, height: 800 } });
  const said = /^Sin datos nuevos de CRIPTO desde \d\d:\d\d:\d\d \(fuente terminal\)\.$/;
  for (const { page } of [table, wall, instrument]) await page.getByText(said).waitFor();
  await table.page.locator('.board .dot-unknown').waitFor();
  await wall.page.locator('.wall-rows li.is-unknown').waitFor();
  await instrument.page.locator('.quote-last.is-unknown').waitFor();
  const chart = instrument.page.locator('.chart canvas').first();
  assert.equal(await chart.evaluate((drawn) => getComputedStyle(drawn).filter), 'grayscale(1)');
  for (const [what, { page }] of Object.entries({ table, wall, instrument })) {
    await checkAllColours(t, page, `axe finds nothing on the ${what} of a source that stopped`);
  }
  // A source that sends more often than it becomes stale.
  const timer = setInterval(() => void push('BTC', 91_500).catch(() => {}), 300);
  try {
    await table.page.getByTitle('Mercado abierto').waitFor();
    await wall.page.locator('.wall-rows li.is-current').waitFor();
    for (const { page } of [table, wall, instrument]) {
      await page.getByText(said).waitFor({ state: 'detached' });
    }
  } finally {
    clearInterval(timer);
  }
});

test('without a connection, a view that was never loaded says so, and shows no time of prices', async (visit) => {
  const { page, open } = await visit(stage);
  const goTo = (hash: string) =>
    page.evaluate((to) => {
      location.hash = to;
    }, hash);
  // The code of a view is loaded when it is first opened.
  const views = {
    '': '[data-ticker="BTC"]',
    'vista=mapa': '.tile',
    'vista=mural': '.wall-rows li',
    'vista=ranking': '.rankings h2:text("Mayores subas")',
    'vista=calendario': 'h2:text("Calendario")',
  };
  await open('#/lista/Mesa?especies=BTC');
  for (const [view, shown] of Object.entries(views)) {
    await goTo(`#/lista/Mesa?especies=BTC&${view}`);
    await page.locator(shown).waitFor();
    await page.getByText('Conectado', { exact: true }).waitFor();
  }
  await page.route('**/openapi.json', (route) => route.abort());
  await goTo('#/api');
  await page.getByText('El servicio no responde. El contrato se carga al reconectar.').waitFor();
  await goTo('#/especie/BTC');
  await page.locator('.quote-price').waitFor();
  await goTo('#/dolares');
  await page.locator('.dollars-page').waitFor();
  await stage.demo.kill();
  try {
    await page.getByText(/^Sin datos desde las /).waitFor();
    const boards = Object.keys(views).map((view) => `#/panel/LID?${view}`);
    // A list has members, so a table and a wall of it show them with dashes.
    const lists = ['vista=mapa', 'vista=ranking', 'vista=calendario'].map(
      (view) => `#/lista/X?especies=ETH&${view}`,
    );
    for (const place of [...boards, ...lists, '#/dolares']) {
      await goTo(place);
      const said = page.getByText('Sin datos guardados de esta vista. Se cargan al reconectar.');
      await said.waitFor();
      assert.ok(((await said.boundingBox())?.y ?? Infinity) < 600, `${place}: on screen`);
      assert.equal(await page.getByText(/No hay especies|Ningun/).count(), 0, place);
      assert.equal(await page.getByText('Los precios en pantalla son').count(), 0, place);
    }
    await page.locator('.strip-item', { hasText: 'MERVAL' }).waitFor();
    await goTo('#/lista/X?especies=ETH');
    await page.getByTitle('No se sabe si está al día').waitFor();
    await page.getByText('1 sin cotización').waitFor({ state: 'detached' });
    await goTo('#/especie/ETH');
    await page.getByText('El servicio no responde. Los precios se cargan').waitFor();
  } finally {
    await stage.demo.restart();
  }
});
