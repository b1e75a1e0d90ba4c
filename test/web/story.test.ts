import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite } from 'node:test';

import type { Page } from 'playwright-core';

import { leaders } from '../support/market/default-panels.ts';
import { until } from '../support/wait.ts';
import { setStage } from './browser/stage.ts';
import { boardRows, enterKey, hasRows, test, tickersOn, type Visit } from './browser/visitor.ts';

const stage = setStage();

/** The first row of the board, if it is that of an instrument. */
function firstRow(page: Page, ticker: string) {
  return page.locator(`table.board tbody tr:first-child [data-ticker="${ticker}"]`);
}

/** The times of the markets, when their list is open. */
function marksOf({ page }: Visit): Promise<string> {
  return page.getByRole('list', { name: 'Estado de los mercados' }).innerText();
}

/** The lower edge of an element in the window, in pixels. */
async function bottomOf(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).boundingBox();
  return box === null ? Number.NaN : box.y + box.height;
}

suite('the path of a visitor', { concurrency: 2 }, () => {
  test('a new visitor who enters the printed key sees prices change', async (visit) => {
    const { page } = await visit(stage);
    await page.goto(stage.demo.url);
    await page.getByRole('heading', { name: 'Falta la clave de acceso' }).waitFor();
    const button = await page.getByRole('button', { name: 'Ingresar la clave' }).boundingBox();
    assert.ok((button?.height ?? Number.NaN) < 60, `the button is ${button?.height} pixels high`);
    await enterKey(page, stage.demo.key);
    await page.getByText('Conectado', { exact: true }).waitFor();
    await boardRows(page).first().waitFor();
    await hasRows(page, leaders);
    await page.getByText('Demostración', { exact: true }).waitFor();
    const earlier = await boardRows(page).allInnerTexts();
    await page.waitForFunction((old) => {
      const rows = [...document.querySelectorAll<HTMLElement>('table.board tbody tr')];
      return rows.filter((row, at) => row.innerText !== old[at]).length >= 3;
    }, earlier);
  });

  test('the key is never in an address, and in the storage only if the visitor selects that', async (visit) => {
    const { page, asked } = await visit(stage);
    await page.goto(`${stage.demo.url}#/panel/GEN`);
    await enterKey(page, stage.demo.key);
    await boardRows(page).first().waitFor();
    assert.deepEqual(
      asked.filter((address) => address.includes(stage.demo.key)),
      [],
    );
    const stored = () => page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    assert.ok(!(await stored()).includes(stage.demo.key));
    assert.ok(!page.url().includes(stage.demo.key));
    await page.reload();
    await page.getByRole('heading', { name: 'Falta la clave de acceso' }).waitFor();

    await page.getByRole('button', { name: 'Ingresar la clave' }).click();
    await page.getByRole('textbox', { name: 'Clave' }).fill(stage.demo.key);
    await page.getByLabel('Recordarla hasta cerrar esta pestaña').check();
    await page.getByRole('button', { name: 'Usar esta clave' }).click();
    await boardRows(page).first().waitFor();
    await page.reload();
    await boardRows(page).first().waitFor();
  });

  test('contract 5.4: the printed link opens the board, and the page removes its key from the address before any request', async (visit) => {
    const { page, asked } = await visit(stage, undefined, { isNew: true });
    await page.goto('about:blank');
    await page.goto(`${stage.demo.url}#key=${stage.demo.key}`);
    await boardRows(page).first().waitFor();
    await page.waitForURL(({ href }) => href === `${stage.demo.url}#/`);
    const seen = await page.evaluate(() => [
      location.href,
      JSON.stringify([localStorage, sessionStorage]),
      document.documentElement.outerHTML,
    ]);
    assert.deepEqual(
      [...seen, ...asked.slice(1)].filter((text) => text.includes(stage.demo.key)),
      [],
    );
    await page.goBack();
    await page.goForward();
    await page.waitForURL(({ href }) => href === `${stage.demo.url}#/`);
  });

  test('contract 5.4: the key of a link survives a reload if the user selects that', async (visit) => {
    const { page } = await visit(stage);
    await page.goto(`${stage.demo.url}#key=${stage.demo.key}`);
    await page.getByRole('button', { name: 'Recordarla en esta pestaña' }).click();
    await page.getByText('Se pierde al recargar').waitFor({ state: 'detached' });
    await page.reload();
    await boardRows(page).first().waitFor();
  });

  test('a link with a truncated or mistyped key shows an error and asks for the key, and says nothing else of the link', async (visit) => {
    for (const [key, message] of [
      ['', 'El enlace no trae una clave válida.'],
      ['pz_«»', 'El enlace no trae una clave válida.'],
      [stage.demo.key.slice(0, -1), 'Copiarla entera, o pedir otra'],
    ] as const) {
      const { page } = await visit(stage);
      await page.goto(`${stage.demo.url}#key=${key}`);
      await page.getByText(message).waitFor();
      await page.getByRole('button', { name: 'Ingresar otra clave' }).waitFor();
      assert.ok(!page.url().includes('key'));
      assert.equal(await page.getByText('La clave del enlace está en uso').count(), 0);
    }
  });

  test('every page uses the entered key, including the reference', async (visit) => {
    const { page } = await visit(stage, '#/panel/LID');
    await boardRows(page).first().waitFor();
    for (const name of ['API', 'Pizarra']) {
      await page
        .getByRole('navigation', { name: 'Principal' })
        .getByRole('link', { name, exact: true })
        .click();
      if (name === 'API') await page.locator('.ref-entry').first().waitFor();
    }
    await boardRows(page).first().waitFor();
  });

  test('each page has its own title, and the title of an instrument contains its price', async (visit) => {
    const { page } = await visit(stage, '#/panel/CED');
    await page.waitForFunction(() => document.title === 'CED: CEDEARs · Pizarra');
    for (const [address, title] of [
      ['#/especie/GGAL', /^GGAL [\d.]+,\d\d [+−]?\d+,\d\d\u00a0% · Pizarra$/],
      ['#/api/getHistoricos', /^API: \/historicos · Pizarra$/],
      ['#/api', /^API · Pizarra$/],
    ] as const) {
      await page.goto(stage.demo.url + address);
      await page.waitForFunction(
        ([source, flags]) => new RegExp(source, flags).test(document.title),
        [title.source, 'u'] as const,
      );
    }
  });

  test('on a phone the tickers of a panel are distinguishable', async (visit) => {
    const { page } = await visit(stage, '#/panel/IND', { viewport: { width: 390, height: 844 } });
    await boardRows(page).first().waitFor();
    await hasRows(page, 27);
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('[data-ticker]')]
        .filter((link) => {
          const cell = link.closest('th')?.getBoundingClientRect();
          const { right, bottom } = link.getBoundingClientRect();
          return cell === undefined || right > cell.right || bottom > cell.bottom;
        })
        .map((link) => link.innerText),
    );
    assert.deepEqual(cut, []);
  });

  test('the times of markets are Buenos Aires time in a browser of any time zone', async (visit) => {
    const here = await visit(stage, undefined, { timezoneId: 'America/Argentina/Buenos_Aires' });
    const there = await visit(stage, undefined, { timezoneId: 'Asia/Tokyo' });
    for (const visitor of [here, there]) {
      await visitor.open('#/panel/LID');
      await visitor.page.locator('.markets summary').click();
    }
    // The next change of a market is another one after midnight.
    await until('the same times in both zones', async () => {
      const [own, other] = await Promise.all([marksOf(here), marksOf(there)]);
      return own === other && /BYMA .* \d\d:\d\d\s+Hora de Buenos Aires/s.test(own);
    });
  });

  test('for an invalid key the page says what to do, in the words of a person', async (visit) => {
    const visitor = await visit(stage);
    await visitor.page.goto(stage.demo.url);
    await enterKey(visitor.page, `pz_${'0'.repeat(36)}`);
    await visitor.page.getByRole('heading', { name: 'El servicio rechazó la clave' }).waitFor();
    await visitor.page.getByText('Copiarla entera, o pedir otra').waitFor();
    assert.equal(await visitor.page.getByText('Authorization').count(), 0);
  });

  test('every panel is listed once, and numbers have the format of Argentina', async (visit) => {
    const { page } = await visit(stage, '#/panel/IND');
    await boardRows(page).first().waitFor();
    await hasRows(page, 27);
    const panels = page.getByRole('navigation', { name: 'Paneles' });
    assert.equal(await panels.locator('.tabs a').count(), 10);
    assert.deepEqual((await tickersOn(page)).slice(0, 3), [
      'MERVAL',
      'MERVAL USD',
      'RESERVAS BCRA',
    ]);
    const official = page.locator('tr', { has: page.locator('[data-ticker="DOLAR OFICIAL"]') });
    await official.locator('.col-ultimo', { hasText: /^\d{1,3}(\.\d{3})*,\d\d+$/ }).waitFor();
    const rate = page.locator('tr', { has: page.locator('[data-ticker="CAUCION 1D"]') });
    await rate.locator('.col-variacion', { hasText: /pts$/ }).waitFor();
  });

  test('a filter compares the numbers of columns, also of those that are requested for it, while it is typed', async (visit) => {
    const { page } = await visit(stage, '#/panel/BONOS?orden=especie');
    await boardRows(page).nth(20).waitFor();
    const all = await boardRows(page).count();
    await page.keyboard.press('/');
    await page.keyboard.press('/');
    const field = page.getByPlaceholder('Filtrar');
    assert.equal(await field.inputValue(), '', 'the key that leads to the field is no text');
    await page.keyboard.type('monto > 1 TIR entre 5 y 8');
    await until('only yields between 5 and 8', async () => {
      const yields = await page.locator('td.col-tir').allInnerTexts();
      const values = yields.map((text) => Number(text.replace(/[^\d,−]/g, '').replace(',', '.')));
      return (
        values.length > 0 && values.length < all && values.every((one) => one > 4.9 && one < 8.1)
      );
    });
    assert.equal(await field.inputValue(), 'monto > 1 TIR entre 5 y 8');
  });

  test('the board can be sorted, filtered and navigated with the keyboard alone', async (visit) => {
    const { page } = await visit(stage, '#/panel/LID');
    await boardRows(page).first().waitFor();
    await page.keyboard.press('/');
    await page.locator('input[type="search"]:focus').waitFor();
    await page.keyboard.type('galicia');
    await firstRow(page, 'GGAL').waitFor();
    await hasRows(page, 1);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'GGAL', level: 1 }).waitFor();
    await page.goBack();
    await boardRows(page).first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('galicia');
    await hasRows(page, 1);
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-ticker="GGAL"]:focus').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await firstRow(page, 'ALUA').waitFor();
    await hasRows(page, leaders);

    await page.getByRole('button', { name: 'Especie' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await firstRow(page, 'YPFD').waitFor();
    const header = page.getByRole('columnheader', { name: 'Especie' });
    await header.and(page.locator('[aria-sort="descending"]')).waitFor();

    await page.getByRole('link', { name: 'YPFD' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'VALO', level: 1 }).waitFor();
  });

  test('a chart opens, compares instruments and offers its closes for download', async (visit) => {
    const { page } = await visit(stage, '#/panel/LID');
    await page.getByRole('link', { name: 'GGAL' }).click();
    // The chart may be where the link was, and would show the day under the pointer.
    await page.mouse.move(0, 0);
    await page.locator('.chart canvas').first().waitFor();
    // The click was where the chart is now, which would show the bar under the pointer.
    await page.mouse.move(0, 0);
    // The last bar is the session of the quote above.
    await page.waitForFunction(() => {
      const day = document.querySelector<HTMLElement>('.chart-day')?.innerText ?? '?';
      return document.querySelector<HTMLElement>('.quote-last')?.innerText.includes(day);
    });
    await page.getByRole('button', { name: '6m', exact: true }).click();
    await page.waitForURL(/#\/especie\/GGAL\?rango=6m$/);

    await page.getByLabel('Comparar con otra especie').fill('ypfd');
    await page.keyboard.press('Enter');
    await page.locator('.chart-value-2', { hasText: 'YPFD' }).waitFor();
    await page.waitForURL(/comparar=YPFD$/);
    await page.getByText('variación desde').waitFor();
    const statistics = page.locator('table.statistics tbody tr');
    await statistics.nth(1).waitFor();
    assert.equal(await statistics.count(), 2);

    const chart = page.getByRole('application');
    const last = await page.locator('.chart-day').innerText();
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(
      (day) => document.querySelector<HTMLElement>('.chart-day')?.innerText !== day,
      last,
    );

    await page.getByRole('button', { name: 'Descargar', exact: true }).click();
    await page.getByLabel('Punto decimal').check();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Descargar CSV' }).click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    assert.match(
      csv,
      /^especie,fecha,apertura,maximo,minimo,ultimo,volumen\r\nGGAL,\d{4}-\d\d-\d\d,(?:[\d.]+,){4}\d+\r\n/,
    );
    assert.match(csv, /\r\nYPFD,/);
  });

  test('the price and the chart are in view without scrolling', async (visit) => {
    for (const [width, height, query] of [
      [360, 780, ''],
      [1366, 768, ''],
      [1366, 768, '?comparar=BTC,AL30'],
    ] as const) {
      const isPhone = width === 360;
      const screen = { viewport: { width, height }, isMobile: isPhone, hasTouch: isPhone };
      const { page } = await visit(stage, `#/especie/GGAL${query}`, screen);
      await page.locator('.chart canvas').first().waitFor();
      await page.locator('.quote-price').waitFor();
      await page.locator('.strip-item.is-current').first().waitFor();
      const topOf = async (place: string) =>
        (await page.locator(place).boundingBox())?.y ?? Number.NaN;
      // The time axis is the bottom of the chart, and a phone has its bar below it.
      await until(`${width}${query}: the price above the chart, the axis in view`, async () => {
        const top = await topOf('.chart');
        const isInOrder = (await bottomOf(page, '.quote-price')) <= top;
        const end = isPhone ? await topOf('.bottom-bar') : height;
        const isInView = (await bottomOf(page, '.chart-canvas')) <= end && end <= height;
        return isInOrder && isInView && (!isPhone || top < 300);
      });
    }
  });

  test('a shared address opens the same view', async (visit) => {
    const { page } = await visit(stage, '#/especie/AL30?rango=max&comparar=GD30&escala=log');
    await page.locator('.chart-value-2', { hasText: 'GD30' }).waitFor();
    for (const name of ['Todo', 'Escala log.']) {
      const button = page.getByRole('button', { name });
      assert.equal(await button.getAttribute('aria-pressed'), 'true', name);
    }
  });

  test('the keyboard finds and opens an instrument from any page', async (visit) => {
    const { page } = await visit(stage, '#/panel/LID');
    await boardRows(page).first().waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Especie o nombre' });
    await page.locator('[role="combobox"]:focus').waitFor();
    await page.keyboard.type('telefonica argentina nada');
    await page.getByText('Ninguna especie coincide.').waitFor();
    await field.fill('banco');
    const matches = page.getByRole('listbox').getByRole('option');
    await matches.nth(2).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const second = matches.nth(1);
    await second.and(page.locator('[aria-selected="true"]')).waitFor();
    assert.equal(
      await field.getAttribute('aria-activedescendant'),
      await second.getAttribute('id'),
    );
    const ticker = await second.locator('strong').innerText();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: ticker, level: 1, exact: true }).waitFor();
    await page.locator('dialog[open]').waitFor({ state: 'detached' });

    await page.keyboard.press('/');
    await page.locator('[role="combobox"]:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });

    // A key that is pressed before the frame in which the closed dialog loses the focus counts.
    await page.keyboard.press('/');
    await page.locator('[role="combobox"]:focus').waitFor();
    const isOpenAgain = await page.evaluate(() => {
      const dialog = document.querySelector<HTMLDialogElement>('dialog[open]');
      dialog?.close();
      const key = new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(key);
      return dialog?.open;
    });
    assert.equal(isOpenAgain, true);
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });

    // Enter at once, before the result, opens the best match of the whole text.
    await page.keyboard.type('/galícia');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'GGAL', level: 1 }).waitFor();
  });
});
