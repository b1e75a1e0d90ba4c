import assert from 'node:assert/strict';
import { suite } from 'node:test';

import type { Page } from 'playwright-core';

import type { PrecioDelDolar } from '../../../clients/typescript/src/contract.ts';
import { deferred, until } from '../../support/wait.ts';
import { percent } from '../browser/spanish-number.ts';
import { setStage } from '../browser/stage.ts';
import { test } from '../browser/visitor.ts';
import { change, price, recordDollars } from './recorded-dollars.ts';

const stage = setStage();

/** The texts of the cells of each row of a table that its caption or region names, by the name of the row. */
async function tableOf(page: Page, name: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await page
    .getByRole('region', { name, exact: true })
    .locator('tr[data-row]')
    .evaluateAll((lines) =>
      lines.map((line): [string, string[]] => [
        line.getAttribute('data-row') ?? '',
        [...line.querySelectorAll('td')].map((cell) => cell.textContent ?? ''),
      ]),
    );
  return new Map(rows);
}

/** The demonstration is always in a session of today, unless midnight is near. */
const time = ({ fecha, hora }: PrecioDelDolar, today: string) =>
  fecha === today ? hora : fecha.split('-').toReversed().join('/');

function todayInBuenosAires(): string {
  return new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
}

suite('the page of dollars', { concurrency: 2 }, () => {
  test('every dollar of /dolares has its price, its orders, its gap, its time and its basis', async (visit) => {
    const { page, open } = await visit(stage, undefined, { isNew: true });
    const sent = await recordDollars(page);
    await open('#/dolares');
    const today = todayInBuenosAires();
    await page.locator('.dollar-card[data-row^="ccl CEDEARS"]').waitFor();
    const rows = [...(sent('') ?? []), ...(sent('?base=CEDEARS') ?? [])];
    assert.ok(rows.length > 100, `${rows.length} rows`);
    await page.getByRole('button', { name: /^Ver las \d+ especies$/ }).click();
    const cards = new Map(
      await page
        .locator('.dollar-card')
        .evaluateAll((items) =>
          items.map((item): [string, string[]] => [
            item.getAttribute('data-row') ?? '',
            [...item.querySelectorAll('.dollar-price, dd')].map((one) => one.textContent ?? ''),
          ]),
        ),
    );
    const implied = await tableOf(page, 'MEP, CCL y canje por especie');
    for (const row of rows) {
      const { dolar, base, numerador, calculo, compra, venta, ultimo, brecha } = row;
      const what = `${dolar} ${base}`;
      if (calculo !== 'implicito' || base === 'AL30') {
        const format = dolar === 'canje' ? percent : price;
        const gap = dolar === 'canje' ? [] : [change(brecha)];
        assert.deepEqual(
          cards.get(`${dolar} ${base} ${numerador ?? ''}`),
          [format(ultimo), format(compra), format(venta), ...gap, time(row, today)],
          what,
        );
      }
      if (calculo === 'implicito') {
        const cells = implied.get(base) ?? assert.fail(`${what} has no line`);
        const shown = cells.map((cell) => cell.replace(/ mejor para .*$/, ''));
        if (dolar === 'canje') assert.equal(shown[8], percent(ultimo), what);
        else {
          const at = dolar === 'mep' ? 0 : 4;
          const wanted = [price(compra), price(venta), price(ultimo), change(brecha)];
          assert.deepEqual(shown.slice(at, at + 4), wanted, what);
        }
      }
    }
    const bases = new Set(rows.flatMap((one) => (one.calculo === 'implicito' ? one.base : [])));
    assert.deepEqual(new Set(implied.keys()), bases);
    // A bond without a class C has no CCL, and its dash says so.
    const dash = page.locator('tr[data-row="AL29"] td').nth(6);
    assert.equal(await dash.textContent(), '–');
    assert.match((await dash.getAttribute('title')) ?? '', /especie C/);
    // The change and the path of the session come from the instrument of the dollar.
    const blue = page.locator('.dollar-card[data-row^="blue"]');
    await blue.locator('.spark').waitFor();
    assert.match(await blue.locator('.change').innerText(), /^[+−]?\d+,\d\d\u00a0%$/);
  });

  test('the dollars of CEDEARs are requested when they are opened, and compared with their median', async (visit) => {
    const { page, asked, open } = await visit(stage, undefined, { isNew: true });
    const sent = await recordDollars(page);
    await open('#/dolares');
    const summary = page.getByText('Ver CEDEAR por CEDEAR');
    await summary.waitFor();
    assert.ok(asked.every((url) => !url.includes('dolar=ccl')));
    await summary.focus();
    await page.keyboard.press('Enter');
    const table = page.getByRole('region', { name: 'CCL por CEDEAR' });
    await table.locator('tr[data-row="SPY"]').waitFor();

    const rows = sent('?dolar=ccl') ?? assert.fail('no request');
    const median = rows.find(({ calculo }) => calculo === 'mediana') ?? assert.fail('no median');
    const shown = await tableOf(page, 'CCL por CEDEAR');
    const receipts = rows.filter(({ calculo }) => calculo === 'cedear');
    assert.ok(receipts.length > 100, `${receipts.length} receipts`);
    assert.equal(shown.size, receipts.length);
    for (const { base, compra, venta, ultimo, brecha } of receipts) {
      const over = ((ultimo ?? Number.NaN) / (median.ultimo ?? Number.NaN) - 1) * 100;
      assert.deepEqual(
        shown.get(base)?.slice(0, 5),
        [price(compra), price(venta), price(ultimo), change(over), change(brecha)],
        base,
      );
    }
    const known = new Map(receipts.map(({ base, ultimo }) => [base, ultimo]));
    const order = [...shown.keys()].map((base) => known.get(base) ?? Number.NaN);
    assert.deepEqual(
      order,
      order.toSorted((a, b) => b - a),
      'the dearest first',
    );
  });

  test('the table begins with the five most traded bonds, sorts by each column, and marks the best orders', async (visit) => {
    const { page, open } = await visit(stage, undefined, { isNew: true });
    const sent = await recordDollars(page);
    await open('#/dolares');
    const region = page.getByRole('region', { name: 'MEP, CCL y canje por especie' });
    const names = () =>
      region
        .locator('tr[data-row]')
        .evaluateAll((lines) => lines.map((line) => line.getAttribute('data-row') ?? ''));
    const amount = region.locator('tr[data-row] td:nth-of-type(10)').first();
    await until('amounts', async () => /\d/.test(await amount.innerText()));
    assert.equal((await names()).length, 5);
    const amounts = (await region.locator('tr[data-row] td:nth-of-type(10)').allInnerTexts()).map(
      (text) => Number(text.replaceAll('.', '')),
    );
    assert.deepEqual(
      amounts,
      amounts.toSorted((a, b) => b - a),
    );
    await page.getByRole('button', { name: /^Ver las \d+ especies$/ }).click();
    const rows = (sent('') ?? []).filter(({ calculo }) => calculo === 'implicito');
    const mep = rows.filter(({ dolar, estado }) => dolar === 'mep' && estado === 'ok');
    await region.getByRole('button', { name: 'MEP venta' }).click();
    const asks = new Map(mep.map(({ base, venta }) => [base, venta]));
    const shown = (await names()).flatMap((base) => asks.get(base) ?? []);
    assert.ok(shown.length > 20, `${shown.length} offers`);
    assert.deepEqual(
      shown,
      shown.toSorted((a, b) => b - a),
    );
    const marked = region.locator('tr:has(td:nth-of-type(2).dollar-best)');
    const cheapest = Math.min(...mep.flatMap(({ venta }) => venta ?? []));
    assert.equal(asks.get((await marked.getAttribute('data-row')) ?? ''), cheapest);
    // Nothing is left out where the screen is small: the table scrolls below its first column.
    for (const width of [360, 768]) {
      await page.setViewportSize({ width, height: 800 });
      for (const name of ['MEP compra', 'CCL venta', 'Canje', 'Hora']) {
        assert.ok(await region.getByRole('button', { name }).isVisible(), `${name} at ${width}`);
      }
      const card = page.locator('.dollar-card[data-row^="oficial"]');
      assert.ok(await card.getByText('Compra').isVisible());
    }
  });

  test('a card shows its change also if the dollars come before the panel', async (visit) => {
    const { page, open } = await visit(stage, undefined, { isNew: true });
    const shown = deferred<void>();
    await page.route(/cotizaciones(?:\/stream)?\?/, async (route) => {
      await shown.promise;
      await route.continue();
    });
    // The dollars and the median come once: a renewal would draw the cards again.
    const answered = new Set<string>();
    await page.route(/\/dolares(?:\?.*)?$/, async (route) => {
      const url = route.request().url();
      if (answered.has(url)) return;
      answered.add(url);
      await route.continue();
    });
    await open('#/dolares');
    const card = page.locator('.dollar-card[data-row^="mep AL30"]');
    await card.waitFor();
    await card.getByRole('link', { name: 'MEP', exact: true }).waitFor();
    assert.equal(await card.locator('.change').innerText(), '–');
    shown.resolve();
    await card.locator('.change', { hasText: '%' }).waitFor();
  });

  test('the dollars are renewed, and the page is reached with a keyboard and from a phone', async (visit) => {
    const { page, asked, open } = await visit(stage, undefined, { isNew: true });
    const requests = () => asked.filter((url) => url.endsWith('/dolares')).length;
    // The clock of the page runs on, and jumps when it is told to.
    await page.clock.install();
    await open('#/panel/LID');
    const link = page.getByRole('link', { name: 'Dólares' });
    await link.focus();
    await page.keyboard.press('Enter');
    await page.locator('.dollar-card[data-row^="mep AL30"]').waitFor();
    assert.equal(await link.getAttribute('aria-current'), 'page');
    await page.getByRole('link', { name: 'AL30D', exact: true }).first().waitFor();
    const before = requests();
    await until('a further request', async () => {
      await page.clock.fastForward(10_000);
      return requests() > before;
    });
    await page.setViewportSize({ width: 360, height: 740 });
    const bar = page.locator('.bottom-bar');
    const inBar = bar.getByRole('link', { name: 'Dólares' });
    assert.equal(await inBar.getAttribute('aria-current'), 'page');
  });
});
