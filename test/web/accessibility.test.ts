import { suite } from 'node:test';

import type { Page } from 'playwright-core';

import { checkAllColours, otherColours } from './browser/check-accessibility.ts';
import { places, storedLists } from './browser/places.ts';
import { setStage } from './browser/stage.ts';
import { enterKey, test } from './browser/visitor.ts';

const stage = setStage();

/** The dialogs of the board of a list, by the buttons that open them. */
const dialogs = ['Columnas', 'Exportar', 'Editar lista'];

/** An alert of each kind, in each state. No price of the demonstration reaches them. */
const alerts = [
  { id: 'a', ticker: 'GGAL', kind: 'precio', way: 'sube', level: 9_999_999 },
  { id: 'b', ticker: 'AL30', kind: 'variacion', way: 'baja', level: -99 },
  { id: 'c', ticker: 'BTC', kind: 'volumen', way: 'sube', level: 1e15 },
  { id: 'd', ticker: 'GD30', kind: 'spread', way: 'baja', level: 0.5, isPaused: true },
  { id: 'e', ticker: 'GD30', kind: 'tir', way: 'baja', level: -50 },
];
const crossed = { value: 4, fecha: '2026-11-20', hora: '15:00:00', at: 1 };
const stored = {
  'pizarra.lists': [...storedLists, { name: 'Nueva', tickers: [] }],
  'pizarra.alert-conditions': alerts.map((alert) => ({ ...alert, dismissed: 1 })),
  'pizarra.alert-sights': {
    b: { side: 'below', session: '2026-11-20', crossed },
    c: { side: 'above', session: '2026-11-20', crossed },
  },
};

/** States of pages that have no address of their own in {@link places}. */
const states = [
  { name: 'a filter without a result', address: '#/panel/LID?filtro=zzzz', ready: '.table-empty' },
  { name: 'a map of bonds', address: '#/panel/BONOS?vista=mapa', ready: '.tile' },
  { name: 'an unknown ticker', address: '#/especie/galisia', ready: '.near li' },
  { name: 'an unknown address', address: '#/nada', ready: 'h1' },
  { name: 'an empty list', address: '#/lista/Nueva', ready: '.list-members' },
  { name: 'a shared list', address: '#/lista/Otra?especies=GGAL,AL30', ready: '.list-notice' },
] as const;

suite('accessibility', { concurrency: 2 }, () => {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    test(`axe finds no violation of WCAG AA, ${viewport.width} px wide`, async (visit, t) => {
      const { page, open } = await visit(stage, undefined, { viewport, isNew: true });
      // The forced colours do not depend on the width.
      const others = viewport.width > 800 ? otherColours : otherColours.slice(0, 1);
      const check = async (what: string) => {
        await checkAllColours(t, page, what, { others });
      };
      await page.goto(stage.demo.url);
      await page.getByRole('button', { name: 'Ingresar la clave' }).waitFor();
      await check('without a key');
      await enterKey(page, 'pz_unknown');
      await page.getByText('El servicio rechazó la clave').waitFor();
      await check('with a refused key');
      await page.getByRole('button', { name: 'Ingresar otra clave' }).click();
      await check('the dialog of the key');
      await open('', stored);
      for (const { name, address, ready } of [...places, ...states]) {
        await page.goto(stage.demo.url + address);
        await page.locator(ready).first().waitFor();
        await check(name);
      }
      await page.goto(`${stage.demo.url}#/alertas`);
      await page.getByRole('button', { name: 'Cambiar la alerta: AL30' }).click();
      await page.locator('#alert-level').fill('x');
      await page.getByRole('button', { name: 'Guardar cambios' }).click();
      await page.getByText('La variación no es un número').waitFor();
      await check('a wrong change of an alert');
      await open('#/panel/LID?filtro=zzzz', { 'pizarra.alert-conditions': alerts });
      await page.locator('.alert-notice').nth(1).waitFor({ state: 'attached' });
      await check('the notices of alerts that fired');
      await page.getByRole('button', { name: 'Descartar todos' }).click();
      for (const [panel, answer] of [
        ['LID', '200'],
        ['NADA', '400'],
      ] as const) {
        await page.goto(`${stage.demo.url}#/api/getCotizaciones?panel=${panel}`);
        await page.getByRole('button', { name: 'Enviar' }).click();
        await page.locator('.answer').getByText(answer).first().waitFor();
        // The bar on top covers whatever has been scrolled below it, which is no fault of a target.
        await page.evaluate(() => scrollTo(0, 0));
        await check(`a response ${answer} of a request`);
      }
      await page.goto(`${stage.demo.url}#/lista/Mesa`);
      const isPhone = viewport.width < 520;
      for (const name of dialogs) {
        if (isPhone) {
          await page.getByRole('button', { name: 'Herramientas' }).click();
          await check(`the sheet with ${name}`);
        }
        await page.getByRole('button', { name }).click();
        await check(`the dialog ${name}`);
        await close(page);
        if (isPhone) await close(page);
      }
      if (isPhone) {
        await page.getByRole('button', { name: 'Más' }).click();
        await page.getByRole('button', { name: 'Teclas' }).waitFor();
        await check('the sheet of the bottom bar');
        await close(page);
      }
      await page.keyboard.press('?');
      await check('the keys');
      await close(page);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('banco');
      await page.getByRole('listbox').getByRole('option').first().waitFor();
      await check('the search');
      await page.keyboard.type('xyzw');
      await page.getByRole('listbox').getByRole('option').first().waitFor({ state: 'detached' });
      await check('the search without a result');
    });
  }
});

/** Closes the dialog in front. */
async function close(page: Page): Promise<void> {
  const count = await page.locator('dialog[open]').count();
  await page.keyboard.press('Escape');
  await page.waitForFunction(
    (before) => document.querySelectorAll('dialog[open]').length < before,
    count,
  );
}
