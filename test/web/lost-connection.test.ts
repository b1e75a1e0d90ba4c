import assert from 'node:assert/strict';

import { until } from '../support/wait.ts';
import { checkAllColours } from './browser/check-accessibility.ts';
import { dailyTicker, importData, oldTicker, push } from './browser/imported-data.ts';
import { setStage } from './browser/stage.ts';
import { hasRows, test } from './browser/visitor.ts';

const stage = setStage(importData);

function isPathRequest(url: string): boolean {
  return url.includes('/recorridos?especie=BTC');
}

test('the page shows that the server is lost, and continues with the quotes, paths and bars when it is back', async (visit) => {
  const board = await visit(stage);
  const chart = await visit(stage);
  await push('BTC', 90_000);
  await board.open('#/lista/Mesa?especies=BTC,GGAL');
  await chart.open('#/especie/BTC?rango=1d');
  const price = board.page.locator('tr', { has: board.page.locator('[data-ticker="BTC"]') });
  const value = chart.page.locator('.chart-value');
  await price.locator('.col-ultimo', { hasText: '90.000,00' }).waitFor();
  await value.getByText('90.000,00').waitFor();
  await push('BTC', 90_750);
  // Each page draws it in a frame of its own.
  await value.getByText('90.750,00').waitFor();
  await price.locator('.col-ultimo', { hasText: '90.750,00' }).waitFor();

  await stage.demo.kill();
  for (const { page } of [board, chart])
    await page.getByText(/^Sin datos desde las \d\d:\d\d:\d\d$/).waitFor();
  await board.page.getByText('Se cortó la conexión con el servicio.').waitFor();
  // The received quotes stay on screen.
  await hasRows(board.page, 2);
  assert.match(await price.innerText(), /90\.750,00/);

  const before = board.asked.filter(isPathRequest).length;
  await stage.demo.restart();
  for (const { page } of [board, chart]) {
    await page.getByText('Conectado', { exact: true }).waitFor();
  }
  await push('BTC', 91_250);
  await price.locator('.col-ultimo', { hasText: '91.250,00' }).waitFor();
  await value.getByText('91.250,00').waitFor();
  await price.getByRole('img', { name: /a 91\.250,00$/ }).waitFor();
  const requests = board.asked.filter(isPathRequest).length;
  assert.equal(requests, before + 1, 'the paths are requested once again');

  await chart.page
    .getByRole('group', { name: 'Rango' })
    .getByRole('button', { name: '5d', exact: true })
    .click();
  await value.getByText('91.250,00').waitFor();
  assert.equal(await chart.page.getByRole('group', { name: 'Ajuste' }).count(), 0);
});

test('every view shows quotes of an earlier session without colour and with their day, and nothing as current while the service is silent', async (visit, t) => {
  await push('BTC', 91_300);
  await push(dailyTicker, 1);
  const list = `#/lista/Mesa?especies=BTC,${dailyTicker},${oldTicker}`;
  const table = await visit(stage);
  const map = await visit(stage);
  const wall = await visit(stage);
  const instrument = await visit(stage);
  await table.open(list);
  await map.open(`${list}&vista=mapa`);
  await wall.open(`${list}&vista=mural`);
  await instrument.open('#/especie/BTC');
  const dots = async () => {
    const titles = await table.page
      .locator('.board .dot')
      .evaluateAll((all) => all.map((dot) => dot.getAttribute('title')));
    return titles.join(', ');
  };
  const isDated = /^\d\d\/\d\d\/2022$/;
  await table.page.getByText('1 de una rueda anterior').waitFor();
  await until('the dots of current and earlier quotes', async () => {
    const titles = await dots();
    return titles === 'Mercado abierto, Mercado abierto, De una rueda anterior';
  });
  const old = map.page.locator(`.tile[data-ticker="${oldTicker}"]`);
  await map.page.getByRole('button', { name: 'ARS', exact: true }).click();
  await old.waitFor();
  await old.locator('span', { hasText: isDated }).waitFor();
  await old.and(map.page.locator('.tile0')).waitFor();
  await map.page.getByRole('button', { name: 'USD', exact: true }).click();
  await map.page.locator('.tile:not(.tile0)').waitFor();
  const oldRow = wall.page.locator('li', { hasText: oldTicker });
  await oldRow.locator('.change', { hasText: isDated }).waitFor();
  await instrument.page.locator('.quote-last.is-current').waitFor();

  stage.demo.suspend();
  try {
    for (const { page } of [table, map, wall, instrument]) {
      await page.getByText(/Los precios en pantalla son los de las \d\d:\d\d:\d\d\./).waitFor();
    }
    const unknown = 'No se sabe si está al día';
    await until('nothing shown as current', async () => {
      const coloured = await map.page.locator('.tile:not(.tile0)').count();
      const current = await wall.page.locator('.wall-rows li:not(.is-unknown)').count();
      const titles = await dots();
      return coloured + current === 0 && titles === [unknown, unknown, unknown].join(', ');
    });
    await instrument.page.locator('.quote-last.is-unknown').waitFor();
    for (const [what, { page }] of Object.entries({ table, map, wall, instrument })) {
      await checkAllColours(t, page, `axe finds nothing on the ${what} of a silent service`);
    }
  } finally {
    stage.demo.resume();
  }
  for (const { page } of [table, map, wall, instrument]) {
    // The page may have connected by itself.
    const button = page.getByRole('button', { name: 'Reconectar ahora' });
    await button.click({ timeout: 200 }).catch(() => {});
    await page.getByText('Conectado', { exact: true }).waitFor();
  }
  await table.page.getByTitle('Mercado abierto').first().waitFor();
});
