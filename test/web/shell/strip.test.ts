import assert from 'node:assert/strict';

import type { Page, Request } from 'playwright-core';

import { leaders } from '../../support/market/default-panels.ts';
import { until } from '../../support/wait.ts';
import { importData, oldTicker, push } from '../browser/imported-data.ts';
import { setStage } from '../browser/stage.ts';
import { boardRows, hasRows, openIn, test, tickersOn } from '../browser/visitor.ts';

const stage = setStage(importData);
const demonstration = setStage();

/** The tickers of the strip, in order, by the addresses of its links. */
function stripOf(page: Page): Promise<readonly string[]> {
  return page
    .locator('.strip-item')
    .evaluateAll((all) =>
      all.map((link) => decodeURIComponent(link.getAttribute('href')?.split('/').at(-1) ?? '')),
    );
}

/** Waits until the strip has these tickers, in order. */
async function hasStrip(page: Page, wanted: string): Promise<void> {
  await until(`the strip ${wanted}`, async () => (await stripOf(page)).join() === wanted);
}

/** The streams that a page has open, by their addresses. */
function openStreams(page: Page): ReadonlySet<string> {
  const streams = new Map<unknown, string>();
  const shown = new Set<string>();
  const refresh = () => {
    shown.clear();
    for (const url of streams.values()) shown.add(url);
  };
  page.on('request', (request) => {
    if (request.url().includes('/cotizaciones/stream')) streams.set(request, request.url());
    refresh();
  });
  const onEnd = (request: Request) => {
    streams.delete(request);
    refresh();
  };
  page.on('requestfinished', onEnd);
  page.on('requestfailed', onEnd);
  return shown;
}

test('a tab has one stream of quotes on every page, which the page and the strip share, and each shows its own rows', async (visit) => {
  const { page, open } = await visit(demonstration);
  const streams = openStreams(page);
  const isOnly = (part: string) =>
    until(`one stream with ${part}`, () => {
      const [stream = ''] = streams;
      return streams.size === 1 && stream.includes(part) && stream.includes('DOLAR%20CCL');
    });
  await open('#/panel/LID');
  await hasRows(page, leaders);
  await page.locator('.strip-item .change').nth(5).waitFor();
  await isOnly('panel=LID&');
  assert.ok(!(await tickersOn(page)).includes('DOLAR CCL'));
  assert.equal(await boardRows(page).count(), leaders);
  await page.goto(`${demonstration.demo.url}#/especie/GGAL`);
  await page.locator('.quote-price').waitFor();
  await isOnly('especie=GGAL,');
  await page.goto(`${demonstration.demo.url}#/api`);
  await page.locator('.ref-entry').first().waitFor();
  await isOnly('?especie=BTC,');
  await page.getByText('Conectado', { exact: true }).waitFor();
  await page.locator('.strip-item.is-current').nth(6).waitFor();
  assert.equal(await page.locator('.strip-item').count(), 7);
});

test('the strip of a person is added to, ordered, shortened and hidden; all tabs and later visits have it', async (visit) => {
  const { page } = await visit(demonstration, '#/alertas', {
    stored: {
      'pizarra.strip': { tickers: ['MERVAL', 'NADIE', 'BTC'], isShown: true },
    },
  });
  await page.locator('.strip-item.is-current').nth(1).waitFor();
  await until('unknown tickers left out', async () => (await stripOf(page)).length === 2);
  await page.getByRole('button', { name: 'Editar la tira' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tira de cotizaciones' });
  await dialog.getByRole('combobox').fill('ggal');
  await dialog.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByText('GGAL se agregó a la tira.').waitFor();
  await dialog.getByRole('button', { name: 'Quitar NADIE de la tira' }).click();
  await dialog.getByRole('button', { name: 'Mover BTC antes' }).press('Enter');
  await hasStrip(page, 'BTC,MERVAL,GGAL');
  // A drag with the mouse takes the last one to the first place.
  const line = (ticker: string) => dialog.locator(`[data-ordered="${ticker}"]`);
  await line('GGAL').locator('.drag-handle').hover();
  await page.mouse.down();
  await line('BTC').hover();
  await page.mouse.up();
  await hasStrip(page, 'GGAL,BTC,MERVAL');
  await dialog.getByRole('button', { name: 'Listo' }).click();

  const other = await page.context().newPage();
  await openIn(other, demonstration, '#/alertas');
  await other.locator('.strip-item.is-current').nth(2).waitFor();
  await hasStrip(other, 'GGAL,BTC,MERVAL');
  await other.locator('.strip-item').first().click();
  await other.getByRole('heading', { name: 'GGAL', exact: true }).waitFor();

  await page.getByRole('button', { name: 'Editar la tira' }).click();
  await dialog.getByRole('checkbox').uncheck();
  await dialog.getByRole('button', { name: 'Listo' }).click();
  await page.locator('.strip').waitFor({ state: 'detached' });
  await other.locator('.strip').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('button', { name: 'Mostrar la tira de cotizaciones' }).click();
  await page.locator('.strip-item').nth(2).waitFor();
  await other.close();
});

test('a price of the panel stays on screen when its instrument leaves the strip, also while the service is silent', async (visit) => {
  const { page } = await visit(demonstration, '#/panel/LID', {
    stored: {
      'pizarra.strip': { tickers: ['GGAL', 'BTC'], isShown: true },
    },
  });
  const row = boardRows(page).filter({ has: page.locator('[data-ticker="GGAL"]') });
  const other = boardRows(page).filter({ has: page.locator('[data-ticker="ALUA"]') });
  const prices = [row, other].map((one) => one.locator('.col-ultimo'));
  for (const price of prices) await price.filter({ hasText: /\d,\d\d/ }).waitFor();
  await page.getByRole('button', { name: 'Editar la tira' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tira de cotizaciones' });
  await page.route(/cotizaciones\/stream/, (route) => route.abort());
  for (const [ticker, rest] of [
    ['GGAL', '&especie=BTC'],
    ['BTC', ''],
  ]) {
    const stream = page.waitForRequest(new RegExp(`[?]panel=LID${rest}&(?:campos|latido)=`));
    await dialog.getByRole('button', { name: `Quitar ${ticker} de la tira` }).click();
    await stream;
    for (const price of prices) assert.match(await price.innerText(), /\d,\d\d/);
  }
});

test('the strip shows a quote of an earlier session grey with its day, and nothing as current while the service is silent', async (visit) => {
  await push('BTC', 90_400);
  const { page } = await visit(stage, '#/api', {
    stored: {
      'pizarra.strip': { tickers: ['BTC', oldTicker], isShown: true },
    },
  });
  const [btc, old] = ['BTC', oldTicker].map((ticker) =>
    page.locator('.strip-item', { hasText: ticker }),
  );
  assert.ok(btc !== undefined && old !== undefined);
  await page.locator('.strip-item.is-current', { hasText: '90.400,00' }).waitFor();
  await page.locator('.strip-item.is-earlier', { hasText: oldTicker }).waitFor();
  await old.getByText(/^\d\d\/\d\d\/2022$/).waitFor();
  assert.equal(await old.locator('.change').count(), 0);
  const height = await page.locator('.strip').evaluate((strip) => strip.clientHeight);
  assert.ok(height <= 30, `${height} pixels high`);
  stage.demo.suspend();
  try {
    await page.locator('.strip-item.is-unknown', { hasText: 'BTC' }).waitFor();
  } finally {
    stage.demo.resume();
  }
  await page.locator('.strip-item.is-current', { hasText: 'BTC' }).waitFor();
  await push('BTC', 90_500);
  await btc.getByText('90.500,00').waitFor();
});
