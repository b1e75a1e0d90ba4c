import assert from 'node:assert/strict';

import { leaders } from '../support/market/default-panels.ts';
import { deferred } from '../support/wait.ts';
import { setStage } from './browser/stage.ts';
import { boardRows, test } from './browser/visitor.ts';

const stage = setStage();

test('the board loads the code of no other page, until the pointer or the focus comes to a link to it', async (visit) => {
  const { page, asked, open } = await visit(stage);
  const pagesAsked = () => asked.flatMap((url) => /\/assets\/(\w+-page)-/.exec(url)?.[1] ?? []);
  await open('#/panel/LID');
  await boardRows(page).first().waitFor();
  assert.deepEqual(pagesAsked(), []);
  const code = page.waitForRequest(/alerts-page/);
  await page.getByRole('link', { name: 'Alertas' }).hover();
  await code;
  const further = page.waitForRequest(/instrument-page/);
  await boardRows(page).first().hover();
  await further;
  assert.deepEqual(pagesAsked(), ['alerts-page', 'instrument-page']);
  // The page that opens must not have a link below the pointer.
  await page.mouse.move(0, 0);
  await page.getByRole('link', { name: 'API', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.ref-entry').first().waitFor();
  assert.deepEqual(pagesAsked(), ['alerts-page', 'instrument-page', 'api-page']);
});

test('a page whose code is not found says so, offers a reload, and tries again when it is opened again', async (visit) => {
  const { page, open } = await visit(stage, undefined, { isNew: true });
  await page.route(/alerts-page/, (route) => route.fulfill({ status: 404 }));
  await open('#/alertas');
  const message = page.getByRole('alert').filter({ hasText: 'no se pudo cargar' });
  await message.waitFor();
  const reload = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Recargar la página' }).click();
  await reload;
  await message.waitFor();
  // The rest of the page works.
  await page.getByRole('link', { name: 'Pizarra' }).click();
  await boardRows(page).first().waitFor();
  await page.unroute(/alerts-page/);
  await page.getByRole('link', { name: 'Alertas' }).click();
  await page.locator('.alert-form').waitFor();
});

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
]) {
  test(`the first requests of a new visitor are sent before the code is loaded, and once, ${viewport.width} pixels wide`, async (visit) => {
    const { page, asked } = await visit(stage, undefined, { viewport, isNew: true });
    // The code waits until the requests are seen.
    const code = deferred<undefined>();
    await page.route(/assets\/index-.*\.js/, async (route) => {
      await code.promise;
      await route.continue();
    });
    const early = [/healthz$/, /especies\.txt\?/, /cotizaciones\/stream\?/];
    const seen = Promise.all(early.map((url) => page.waitForRequest(url)));
    const opened = page.goto(`${stage.demo.url}#key=${stage.demo.key}`);
    await seen;
    code.resolve(undefined);
    await opened;
    await boardRows(page).first().waitFor();
    await page.locator('.strip .change').first().waitFor();
    // The paths are requested by the rows, so by then the board has sent all of its requests.
    await page.locator('.spark-line').first().waitFor({ state: 'attached' });
    const counts = early.map((url) => asked.filter((one) => url.test(one)).length);
    assert.deepEqual(counts, [1, 1, 1], asked.join('\n'));
  });
}

test('a phone loads the instruments of its panel and strip first, with their units, and all of them before a search finds none', async (visit) => {
  const viewport = { width: 390, height: 844 };
  const { page, asked } = await visit(stage, undefined, { viewport, isNew: true });
  const all = deferred<undefined>();
  await page.route(/especies\.json\?campos=precioPor$/, async (route) => {
    await all.promise;
    await route.continue();
  });
  await page.goto(`${stage.demo.url}#key=${stage.demo.key}`);
  await page.locator('.spark-line').first().waitFor({ state: 'attached' });
  const risk = page.locator('.strip-item', { hasText: 'Riesgo país' });
  // The unit of its change, which only the list says, is no per cent.
  await risk.locator('.change:not(:has(.strip-unit))').waitFor();
  assert.doesNotMatch((await risk.textContent()) ?? '', /%/);
  const lists = () => asked.flatMap((url) => /especies\.json\?.*/.exec(url)?.[0] ?? []);
  assert.equal(lists().length, 1, lists().join('\n'));
  assert.match(lists()[0] ?? '', /&panel=LID&especie=.*MERVAL/);
  await page.getByRole('button', { name: 'Buscar' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Buscar una especie' });
  await dialog.getByRole('combobox').fill('AL30');
  await dialog.getByText('Buscando…').waitFor();
  assert.equal(await dialog.getByRole('option').count(), 0);
  all.resolve(undefined);
  await dialog.getByRole('option', { name: 'AL30' }).first().waitFor();
  assert.equal(lists().length, 2, lists().join('\n'));
});

test('a board shows its quotes also while its stream is refused', async (visit) => {
  const { page, open } = await visit(stage);
  await page.route(/cotizaciones\/stream/, (route) => route.fulfill({ status: 503 }));
  await open('#/panel/LID');
  await page
    .locator('.board .col-ultimo', { hasText: /\d,\d\d$/ })
    .first()
    .waitFor();
  await page.getByText('El servicio no responde.').waitFor();
  await page.unroute(/cotizaciones\/stream/);
});

test('the styles and the typeface of the page are loaded', async (visit) => {
  const { page } = await visit(stage, '#/panel/LID');
  await boardRows(page).first().waitFor();
  await page.waitForFunction(() => document.fonts.check("600 14px 'Inter'"));
  const loaded = await page.evaluate(() =>
    [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family),
  );
  // A typeface of the machine stands in until it comes.
  const names = loaded.map((name) => name.replaceAll('"', ''));
  assert.deepEqual(
    names.filter((name) => !name.startsWith('Inter-like')),
    ['Inter'],
  );
});

test('before the quotes, a panel has its tickers, without dashes or states', async (visit) => {
  const { page, open } = await visit(stage, undefined, { isNew: true });
  const quotes = deferred<undefined>();
  await page.route(/cotizaciones(?:\/stream)?\?/, async (route) => {
    await quotes.promise;
    await route.continue();
  });
  await open('#/panel/LID');
  await page.getByRole('link', { name: 'GGAL', exact: true }).waitFor();
  const awaited = page.locator('table.board[aria-busy="true"] tbody tr');
  assert.equal(await awaited.count(), leaders);
  assert.equal(await awaited.first().locator('.col-ultimo').isVisible(), false);
  quotes.resolve(undefined);
  await boardRows(page).first().locator('.col-ultimo').waitFor();
  assert.notEqual(await boardRows(page).first().locator('.col-ultimo').innerText(), '–');
});
