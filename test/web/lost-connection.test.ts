import assert from 'node:assert/strict';
import { test } from 'node:test';

import { importData, push } from './browser/imported-data.ts';
import { options, setStage } from './browser/stage.ts';
import { hasRows, open, visit } from './browser/visitor.ts';

const stage = setStage(importData);

function isPathRequest(url: string): boolean {
  return url.includes('/intradiarios?especie=BTC');
}

test(
  'the page shows that the server is lost, and continues with the quotes, paths and bars when it is back',
  options,
  async () => {
    await using board = await visit(stage.browser);
    await using chart = await visit(stage.browser);
    await push('BTC', 90_000);
    await open(board, stage, '#/lista/Mesa?especies=BTC,GGAL');
    await open(chart, stage, '#/especie/BTC?rango=1d');
    const price = board.page.locator('tr', { has: board.page.locator('[data-ticker="BTC"]') });
    const value = chart.page.locator('.chart-value');
    await price.locator('.col-ultimo', { hasText: '90.000,00' }).waitFor();
    await value.getByText('90.000,00').waitFor();
    await push('BTC', 90_750);
    await value.getByText('90.750,00').waitFor();

    await stage.demo.kill();
    for (const { page } of [board, chart]) await page.getByText('Sin conexión').waitFor();
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
    assert.ok(board.asked.filter(isPathRequest).length > before, 'the path is requested again');

    await chart.page
      .getByRole('group', { name: 'Rango' })
      .getByRole('button', { name: '5 días' })
      .click();
    await value.getByText('91.250,00').waitFor();
    assert.equal(await chart.page.getByRole('group', { name: 'Ajuste' }).count(), 0);
    assert.deepEqual(chart.faults, []);
    assert.deepEqual(board.faults, []);
  },
);
