import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite } from 'node:test';

import type { Page } from 'playwright-core';

import { leaders } from '../support/market/default-panels.ts';
import { until } from '../support/wait.ts';
import { agrees } from './browser/agrees.ts';
import { setStage } from './browser/stage.ts';
import { boardRows, hasRows, test } from './browser/visitor.ts';
import { holdQuotes } from './figures/shown-figures.ts';

const stage = setStage();

/** Waits until the columns have these titles, in order. */
function hasTitles(page: Page, wanted: string): Promise<void> {
  return agrees(`the columns ${wanted}`, async () => {
    const shown = (await page.getByRole('columnheader').allInnerTexts()).join(' ');
    return shown === wanted ? [] : [shown];
  });
}

/** Waits until a filter has left some rows, and not all of them. */
async function hasFewerRows(page: Page, all: number): Promise<void> {
  await until('fewer rows', async () => {
    const count = await boardRows(page).count();
    return count > 0 && count < all;
  });
}

/** Whether each drawn path is within its element. */
function pathsFit(page: Page, selector: string): Promise<boolean> {
  return page.locator(selector).evaluateAll((all) =>
    all.every((element) => {
      const path = element.querySelector('.spark')?.getBoundingClientRect();
      const box = element.getBoundingClientRect();
      if (path === undefined) return true;
      const isWithin = path.top >= box.top && path.bottom <= box.bottom;
      return isWithin && path.left >= box.left && path.right <= box.right && path.height > 8;
    }),
  );
}

/** Without a chart beside it, the table has the whole width. */
const closedPane = { isOpenSplit: false, isOpenElsewhere: false, widthPx: 460 };

suite('the views of the board', { concurrency: 2 }, () => {
  test('columns are chosen and ordered, request their fields, move with the market, and are remembered', async (visit) => {
    const { page, asked } = await visit(stage, '#/panel/LID', {
      viewport: { width: 1920, height: 900 },
      stored: { 'pizarra.pane': closedPane },
    });
    await hasRows(page, leaders);
    assert.ok(!asked.some((address) => /cotizaciones.*campos=/.test(address)));
    await page.getByPlaceholder('Filtrar').fill('G');
    await hasFewerRows(page, leaders);
    const filtered = await boardRows(page).count();
    await page.getByRole('button', { name: 'Columnas' }).click();
    await page.getByRole('button', { name: 'Agregar puntas' }).click();
    await page.getByRole('checkbox', { name: /^Volumen/ }).uncheck();
    await page.getByRole('button', { name: 'Mover Variación antes' }).click();
    await page.getByRole('button', { name: 'Listo' }).click();
    const wanted =
      'Especie Variación Último Rueda Apertura Mínimo Máximo Anterior Mes Año Hora Compra Venta Monto Oper.';
    await hasTitles(page, wanted);
    await page.waitForFunction(() => {
      const cells = [...document.querySelectorAll('td.col-compra')];
      return cells.length > 0 && cells.every((cell) => cell.textContent !== '–');
    });
    const before = await page.locator('td.col-compra').allTextContents();
    assert.equal(before.length, filtered, 'the filter stays');
    assert.match(before[0] ?? '', /^[\d.]+,\d+$/);
    await page.waitForFunction((old) => {
      const cells = [...document.querySelectorAll('td.col-compra')];
      return cells.some((cell, at) => cell.textContent !== old[at]);
    }, before);

    await page.reload();
    await hasTitles(page, wanted);
    await page.getByRole('button', { name: 'Columnas' }).click();
    await page.getByRole('button', { name: 'Restablecer' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Compra' }).waitFor({ state: 'detached' });
  });

  test('one request loads the paths of all rows, and the table, the map and the wall draw them', async (visit) => {
    const { page, asked } = await visit(stage, '#/panel/CED', {
      viewport: { width: 1440, height: 900 },
    });
    const path = boardRows(page).first().getByRole('img');
    await path.waitFor();
    const name = (await path.getAttribute('aria-label')) ?? '';
    assert.match(name, /^Rueda del \d\d\/\d\d\/\d{4}: de [\d.]+,\d+ a [\d.]+,\d+$/);
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await boardRows(page).last().getByRole('img').waitFor();
    await page.getByLabel('Vista').selectOption('Mapa');
    await page.locator('.tile .spark').first().waitFor();
    assert.ok(await pathsFit(page, '.tile'));
    await page.goto(`${stage.demo.url}#/panel/LID?vista=mural`);
    await page.locator('.wall-rows .spark').first().waitFor();
    assert.ok(await pathsFit(page, '.wall-rows li'));
    const requests = asked.filter((url) => /\/(?:recorridos|intradiarios)\?/.test(url));
    const queries = requests.map((url) => url.slice(stage.demo.url.length));
    assert.deepEqual(queries, ['recorridos?panel=CED', 'recorridos?panel=LID']);
  });

  test('a refused or lost request of the paths is sent again', async (visit) => {
    const { page, asked, open } = await visit(stage);
    let failures = 0;
    await page.route('**/recorridos?*', async (route) => {
      failures += 1;
      if (failures === 1) await route.abort();
      else if (failures === 2) await route.fulfill({ status: 503, json: { error: 'ocupado' } });
      else await route.continue();
    });
    await open('#/panel/LID');
    await boardRows(page).first().getByRole('img').waitFor();
    assert.equal(asked.filter((url) => url.includes('/recorridos?')).length, 3);
    await page.unroute('**/recorridos?*');
  });

  test('filter, order and position are in the address or kept, and "Volver a la pizarra" leads back to them', async (visit) => {
    const { page } = await visit(stage, '#/panel/CED', { viewport: { width: 1440, height: 600 } });
    await boardRows(page).nth(30).waitFor();
    await page.getByRole('button', { name: 'Especie', exact: true }).click();
    await page.getByRole('button', { name: 'Especie', exact: true }).click();
    await page.waitForURL(/#\/panel\/CED\?orden=-especie$/);
    await page.getByPlaceholder('Filtrar').fill('a');
    await page.waitForURL(/\?filtro=a&orden=-especie$/);
    // Every name of the panel has this letter.
    const address = page.url();
    const tickers = await boardRows(page).count();
    const frame = page.locator('.table-frame');
    await frame.evaluate((element) => element.scrollTo(0, 700));
    await page.waitForFunction(() => history.state?.scrollTop === 700);
    // A click in the middle of the table scrolls nothing into view.
    await frame.click();
    await page.waitForURL(/#\/especie\//);
    // Another range of the chart is no step of the history.
    await page.getByRole('button', { name: '1m', exact: true }).click();
    await page.getByRole('link', { name: 'Volver a la pizarra' }).click();
    await boardRows(page).first().waitFor();
    await page.waitForURL(address);
    assert.equal(await page.getByPlaceholder('Filtrar').inputValue(), 'a');
    await hasRows(page, tickers);
    await page.waitForFunction(() => document.querySelector('.table-frame')?.scrollTop === 700);

    // The address alone shows the same rows, and an address of an instrument leads to a board too.
    await page.reload();
    await hasRows(page, tickers);
    await page.goto('about:blank');
    await page.goto(`${stage.demo.url}#/especie/GGAL`);
    await page.getByRole('link', { name: 'Volver a la pizarra' }).click();
    await page.waitForURL(`${stage.demo.url}#/`);
    await page.getByPlaceholder('Filtrar').fill('gal');
    await page.getByPlaceholder('Filtrar').fill('');
    await page.waitForURL(`${stage.demo.url}#/panel/LID`);
    await page.getByPlaceholder('Filtrar').fill('zzzz');
    await page.getByRole('button', { name: 'Quitar el filtro' }).click();
    await hasRows(page, leaders);
  });

  test('letters that are typed faster than the page is drawn all filter', async (visit) => {
    const { page } = await visit(stage, '#/panel/LID');
    const field = page.getByPlaceholder('Filtrar');
    await field.waitFor();
    await field.evaluate(async (element: HTMLInputElement) => {
      const type = (text: string) => {
        element.value = text;
        element.dispatchEvent(new InputEvent('input', { bubbles: true }));
      };
      for (let round = 0; round < 20; round += 1) {
        type('');
        for (const length of [1, 2, 3, 4, 5, 6, 7]) {
          type('galicia'.slice(0, length));
          // The next letters come before, during and after the effects of the frame.
          if (length % 2 === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
          if (length % 3 === 0) await Promise.resolve();
        }
        if (element.value !== 'galicia') throw new Error(`Round ${round}: ${element.value}`);
      }
    });
    await page.waitForURL(/\?filtro=galicia$/);
    await hasRows(page, 1);
    assert.equal(await field.inputValue(), 'galicia');
  });

  test('the map shows the panel by traded amount, with the same data as a table for screen readers', async (visit) => {
    const { page, open } = await visit(stage);
    // The areas change less often than the table.
    await holdQuotes(page);
    await open('#/panel/LID');
    await page.getByLabel('Vista').selectOption('Mapa');
    // Shortly after midnight, not every instrument has a traded amount.
    await page.locator('.tile').first().waitFor();
    await page.waitForURL(/#\/panel\/LID\?vista=mapa$/);
    const table = page.getByRole('table', { name: 'Datos del mapa' });
    const tickers = await table.getByRole('rowheader').allInnerTexts();
    const areas = await page.locator('.tile').evaluateAll((tiles) =>
      tiles
        .map((tile) => ({
          ticker: (tile as HTMLElement).dataset['ticker'] ?? '',
          area: tile.getBoundingClientRect().width * tile.getBoundingClientRect().height,
        }))
        .toSorted((a, b) => b.area - a.area)
        .map(({ ticker }) => ticker),
    );
    assert.equal(tickers.length, leaders);
    assert.deepEqual(
      areas.slice(0, 3),
      tickers.slice(0, 3),
      'the largest areas are the first rows',
    );
    await page.getByPlaceholder('Filtrar').fill('galicia');
    await page.locator('.tile').nth(1).waitFor({ state: 'detached' });
    await page.locator('.tile').click();
    await page.getByRole('heading', { name: 'GGAL', level: 1 }).waitFor();
  });

  test('every tile of a large map has a name and can be read, with the keyboard too, and the map of a phone is higher', async (visit) => {
    const { page, open } = await visit(stage, '#/panel/CED?vista=mapa', {
      viewport: { width: 1366, height: 768 },
    });
    const tiles = page.locator('a.tile');
    await tiles.nth(100).waitFor();
    const read = () =>
      tiles.evaluateAll((all) =>
        all.map((tile) => {
          const { width, height } = tile.getBoundingClientRect();
          const name = tile.getAttribute('title') ?? '';
          return { text: tile.textContent, name, side: Math.min(width, height) };
        }),
      );
    const wide = await read();
    for (const { text, name, side } of wide) {
      assert.match(text ?? '', /[+−]?\d+,\d\d\u00a0%$|–$/, name);
      assert.match(name, /^\S+ .* · /);
      assert.ok(side >= 24, `${name}: ${side}`);
    }
    assert.match(await page.locator('.heat-scale').innerText(), /^−([1235])\u00a0% .*\+\1\u00a0%/s);
    const rise = page.locator('.tile:is(.tile1, .tile2, .tile3)').first();
    const colourOf = () => rise.evaluate((tile) => getComputedStyle(tile).backgroundColor);
    const usual = await colourOf();
    const safe = page.getByRole('button', { name: 'Colores para daltónicos' });
    await safe.click();
    assert.notEqual(await colourOf(), usual);
    assert.equal(await safe.getAttribute('aria-pressed'), 'true');
    await safe.click();
    assert.equal(await page.locator('.tile[tabindex="0"]').count(), 1);
    await page.locator('.tile[tabindex="0"]').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    const reached = await page.evaluate(
      () => (document.activeElement as HTMLElement | null)?.dataset['ticker'],
    );
    await page.keyboard.press('Enter');
    await page
      .getByRole('heading', {
        name: reached ?? assert.fail('no tile is reached'),
        level: 1,
        exact: true,
      })
      .waitFor();

    await page.setViewportSize({ width: 360, height: 740 });
    await open('#/panel/CED?vista=mapa');
    await until('every tile on a phone', async () => {
      const narrow = await read();
      const isReadable = narrow.every(({ text, side }) => text !== '' && side >= 24);
      return isReadable && narrow.length === wide.length;
    });
    await tiles.last().scrollIntoViewIfNeeded();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.equal(overflow, 0);
  });

  test('the wall shows every price of the panel on one screen, and Escape leaves it', async (visit) => {
    const { page } = await visit(stage, '#/panel/LID?vista=mural');
    const rows = page.locator('.wall-rows li');
    await rows.nth(leaders - 1).waitFor();
    assert.equal(await page.getByRole('navigation').count(), 0);
    await page.getByText('Precios simulados').waitFor();
    await until('every price on the screen', async () => {
      const shown = await rows.evaluateAll(
        (all) =>
          all.filter((row) => {
            const { bottom, right } = row.getBoundingClientRect();
            const isCut = [...row.children].some((cell) => cell.scrollWidth > cell.clientWidth + 1);
            return bottom <= innerHeight && right <= innerWidth && !isCut;
          }).length,
      );
      return shown === leaders;
    });
    const before = await rows.allInnerTexts();
    await page.waitForFunction((old) => {
      const now = [...document.querySelectorAll<HTMLElement>('.wall-rows li')];
      return now.some((row, at) => row.innerText !== old[at]);
    }, before);
    await page.keyboard.press('Escape');
    await hasRows(page, leaders);
    await page.waitForURL(/#\/panel\/LID$/);
  });

  test('what is seen is exported, in its order and with its columns', async (visit) => {
    const { page } = await visit(stage, '#/lista/Mesa/?especies=GGAL,YPFD,BTC', {
      stored: {
        'pizarra.columns': ['variacion', 'rueda', 'ultimo', 'hora'],
      },
    });
    await hasRows(page, 3);
    await page.locator('.col-ultimo', { hasText: ',' }).nth(2).waitFor();
    await page.getByRole('button', { name: 'Especie', exact: true }).click();
    await page.locator('tr:first-child [data-ticker="BTC"]').waitFor();
    const texts: Record<string, string> = {};
    for (const name of ['Coma decimal', 'Punto decimal']) {
      await page.getByRole('button', { name: 'Exportar' }).click();
      await page.getByLabel(name).check();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Descargar CSV' }).click(),
      ]);
      assert.equal(download.suggestedFilename(), 'Mesa.csv');
      texts[name] = await readFile(await download.path(), 'utf8');
    }
    assert.match(
      texts['Coma decimal'] ?? '',
      /^especie;variacion;ultimo;fecha;hora\r\nBTC;-?[\d,]+;[\d,]+;\d{4}-\d\d-\d\d;\d\d:\d\d:\d\d\r\nGGAL;/,
    );
    assert.match(
      texts['Punto decimal'] ?? '',
      /^especie,variacion,ultimo,fecha,hora\r\nBTC,-?[\d.]+,/,
    );
  });

  test('the key ? shows the keys, and keys of a single character can be disabled', async (visit) => {
    const { page } = await visit(stage, '#/panel/LID');
    await boardRows(page).first().waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Teclas' });
    await dialog.getByText('Recorrer las filas').waitFor();
    await dialog.getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.press('?');
    assert.equal(await page.locator('input[type="search"]:focus').count(), 0);
    assert.equal(await page.locator('dialog[open]').count(), 0);
    // Keys on a row remain, because they act only where the focus is.
    await page.getByRole('link', { name: 'BMA' }).focus();
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'Alertas', exact: true }).waitFor();
    assert.equal(await page.locator('#alert-ticker').inputValue(), 'BMA');
  });
});
