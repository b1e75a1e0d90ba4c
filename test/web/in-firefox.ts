import assert from 'node:assert/strict';
import { test } from 'node:test';

import axe from 'axe-core';
import type { AxeResults } from 'axe-core';

import { leaders } from '../support/market/default-panels.ts';
import { lastingFaults, wcag } from './browser/check-accessibility.ts';
import { noFirefox, startFirefox, type FirefoxTab } from './browser/firefox.ts';
import { places, storedLists } from './browser/places.ts';
import { setStage } from './browser/stage.ts';

const stage = setStage();

test(
  'every page works in Firefox too: on a desktop and a phone, with the keyboard, without a finding of axe',
  noFirefox === undefined ? {} : { skip: noFirefox },
  async () => {
    await using tab = await startFirefox();
    const { url, key } = stage.demo;
    await tab.goto(`${url}#key=${key}`);
    await tab.waitFor(`document.querySelectorAll('table.board tbody tr').length === ${leaders}`);
    assert.equal(await tab.evaluate('location.href'), `${url}#/`);
    await tab.evaluate(`sessionStorage.setItem('pizarra.key /', ${JSON.stringify(key)})`);
    await tab.evaluate(
      `localStorage.setItem('pizarra.lists', ${JSON.stringify(JSON.stringify(storedLists))})`,
    );
    for (const [width, height, theme] of [
      [1280, 800, 'dark'],
      [390, 844, 'light'],
    ] as const) {
      await tab.resize(width, height);
      await tab.evaluate(`localStorage.setItem('pizarra.theme', '${theme}')`);
      await tab.goto(`${url}healthz`);
      await tab.goto(`${url}#/panel/LID`);
      for (const { name, address, ready } of places) {
        await tab.evaluate(`void (location.hash = ${JSON.stringify(address.slice(1))})`);
        await tab.waitFor(`document.querySelector(${JSON.stringify(ready)}) !== null`);
        // Rounding of a zoomed length may add one pixel.
        await tab.waitFor(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth <= 1',
        );
        // In Chromium, axe checks each width and theme.
        if (theme === 'dark') assert.deepEqual(await faultsOf(tab), [], name);
      }
    }
    await tab.resize(1280, 800);
    await tab.evaluate(`void (location.hash = '#/panel/LID')`);
    await tab.waitFor(`document.querySelector('.spark') !== null`);
    await tab.press('/', 'g', 'a', 'l', 'i', 'c', 'i', 'a');
    await tab.waitFor(`document.querySelectorAll('table.board tbody tr').length === 1`);
    await tab.press('\uE015', '\uE007');
    await tab.waitFor(`document.querySelector('h1')?.textContent === 'GGAL'`);
    await useMainFlows(tab, url);
  },
);

/** What a visitor does with a list, its views, a comparison, alerts, a request, the search and the key. */
async function useMainFlows(tab: FirefoxTab, url: string): Promise<void> {
  const goTo = async (hash: string) => {
    await tab.evaluate(`void (location.hash = ${JSON.stringify(hash)})`);
  };
  const has = (selector: string, text = '') =>
    tab.waitFor(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => one.textContent.includes(${JSON.stringify(text)}))`,
    );
  const click = async (selector: string, text = '') => {
    await has(selector, text);
    await tab.evaluate(
      `void [...document.querySelectorAll(${JSON.stringify(selector)})].find((one) => one.textContent.includes(${JSON.stringify(text)})).click()`,
    );
  };
  /** Chooses a view of the board. */
  const choose = async (view: string) => {
    await has('[aria-label="Vista"]');
    await tab.evaluate(
      `void ((choice) => { choice.value = ${JSON.stringify(view)}; choice.dispatchEvent(new Event('change', { bubbles: true })); })(document.querySelector('[aria-label="Vista"]'))`,
    );
  };
  /** Types into a field with the keyboard. */
  const type = async (selector: string, text: string) => {
    await has(selector);
    await tab.evaluate(`void document.querySelector(${JSON.stringify(selector)}).select()`);
    // Firefox without a window moves the focus without its events.
    await tab.evaluate(
      `void ((field) => { field.focus(); field.dispatchEvent(new FocusEvent('focus')); field.dispatchEvent(new FocusEvent('focusin', { bubbles: true })); })(document.querySelector(${JSON.stringify(selector)}))`,
    );
    await tab.press(...Array.from(text));
  };
  const tickers = () =>
    tab.evaluate<readonly string[]>(
      `[...document.querySelectorAll('table.board [data-ticker]')].map((one) => one.textContent)`,
    );

  // A list, its order, its filter and its views.
  await goTo('#/panel/LID');
  await click('.tab-button', 'Lista');
  for (const [text, ticker] of [
    ['ypfd', 'YPFD'],
    ['galisia', 'GGAL'],
    ['bma', 'BMA'],
  ] as const) {
    await type('[aria-label="Agregar una especie"]', text);
    await has('[role="option"] strong', ticker);
    await tab.press('\uE007');
    await has('table.board [data-ticker]', ticker);
  }
  await click('button', 'Listo');
  assert.deepEqual(await tickers(), ['YPFD', 'GGAL', 'BMA']);
  await click('table.board th button', 'Especie');
  await tab.waitFor(`document.querySelector('table.board [data-ticker]').textContent === 'BMA'`);
  assert.deepEqual(await tickers(), ['BMA', 'GGAL', 'YPFD']);
  await type('.filter input', 'galicia');
  await tab.waitFor(`document.querySelectorAll('table.board tbody tr').length === 1`);
  await tab.press('\uE00C');
  await tab.waitFor(`document.querySelectorAll('table.board tbody tr').length === 3`);
  await choose('mapa');
  await tab.waitFor(`document.querySelectorAll('a.tile').length === 3`);
  await tab.evaluate(`void document.querySelector('a.tile[tabindex="0"]').focus()`);
  await tab.press('\uE010');
  await tab.waitFor(`document.activeElement === [...document.querySelectorAll('a.tile')].at(-1)`);
  await click('.toolbar button', 'Mural');
  await tab.waitFor(`document.querySelectorAll('.wall-rows li').length === 3`);
  await tab.press('\uE00C');
  await choose('tabla');
  await tab.waitFor(`document.querySelectorAll('table.board tbody tr').length === 3`);

  // An instrument, compared with another one.
  await goTo('#/especie/GGAL?rango=6m&comparar=YPFD');
  await has('.chart-value-2 strong');
  await tab.waitFor(`document.querySelector('.chart canvas') !== null`);
  await tab.waitFor(String.raw`/^GGAL [\d.]+,\d+/.test(document.title)`);

  // An alert of each kind, and an error.
  await goTo('#/alertas?especie=GGAL');
  for (const [kind, wrong, right, text] of [
    ['precio', '0', '9.999.999,5', 'GGAL sube hasta 9.999.999,50'],
    ['variacion', '3', '+99', 'GGAL: la variación sube hasta +99,00'],
    ['volumen', '-1', '1', 'GGAL: el volumen llega a 1'],
    ['spread', 'x', '150', 'GGAL: el spread'],
  ] as const) {
    await has('#alert-kind');
    await tab.evaluate(
      `void ((select) => { select.value = '${kind}'; select.dispatchEvent(new Event('change', { bubbles: true })); })(document.querySelector('#alert-kind'))`,
    );
    await type('#alert-level', wrong);
    await tab.press('\uE007');
    await has('#alert-level[aria-invalid="true"]');
    await type('#alert-level', right);
    await tab.press('\uE007');
    await has('.alert-list li', text);
  }
  await has('.permission + section [role="status"]', 'Esta pestaña vigila las alertas.');
  await has('.alert-list li', 'El volumen ya llegó.');
  await click('.alert-list [aria-label^="Pausar la alerta: GGAL sube"]');
  await has('.alert-list li', 'En pausa.');
  await tab.evaluate(`localStorage.setItem('pizarra.alert-conditions', '[]')`);

  // A request, the reference, the search and the key.
  await goTo('#/api/getCotizaciones?especie=GGAL');
  await click('.trial button[type="submit"]', 'Enviar');
  await has('.answer .badge', '200');
  await goTo('#/api/Cotizacion.ultimo');
  await has('.ref-entry', 'ultimo');
  await tab.evaluate(`void document.activeElement?.blur()`);
  await tab.press('/');
  await has('.search-dialog [role="combobox"]');
  await type('.search-dialog [role="combobox"]', 'riesgo');
  await has('.search-dialog [role="option"] .search-quote');
  await tab.press('\uE007');
  await has('h1', 'RIESGO PAIS');
  await goTo('#/panel/LID');
  await click('button', 'Clave');
  await has('dialog[open] h2', 'Clave de acceso');
  await tab.press('\uE00C');
  await tab.waitFor(`document.querySelector('dialog[open]') === null`);
  await tab.evaluate(`sessionStorage.setItem('pizarra.key /', 'pz_unknown')`);
  await tab.goto(`${url}healthz`);
  await tab.goto(`${url}#/panel/LID`);
  await has('[role="alert"]', 'Puede estar incompleta, vencida o anulada.');
}

/** The faults that axe finds on the current page, one line for each element. */
async function faultsOf(tab: FirefoxTab): Promise<readonly string[]> {
  await tab.evaluate(`(globalThis.axe ?? (() => { ${axe.source} })(), 1)`);
  return await lastingFaults(() =>
    tab.evaluate<Pick<AxeResults, 'violations'>>(
      `axe.run(document, { runOnly: ${JSON.stringify(wcag)}, resultTypes: ['violations'] })
        .then(({ violations }) => ({ violations }))`,
    ),
  );
}
