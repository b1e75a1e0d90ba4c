import { suite, test } from 'node:test';

import type { Page } from 'playwright-core';

import { checkBothSchemes } from './browser/check-accessibility.ts';
import { places, storedLists } from './browser/places.ts';
import { options, setStage } from './browser/stage.ts';
import { open, visit } from './browser/visitor.ts';

const stage = setStage();

/** The dialogs of the board of a list, by the buttons that open them. */
const dialogs = ['Columnas', 'Exportar', 'Editar lista'];

suite('accessibility', { concurrency: 2 }, () => {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    test(`axe finds no violation of WCAG AA, ${viewport.width} px wide`, options, async (t) => {
      // Reduced motion disables the flash of changed prices, whose colours are not permanent.
      const preferences = { viewport, reducedMotion: 'reduce' } as const;
      await using visitor = await visit(stage.browser, preferences, { isNew: true });
      const { page } = visitor;
      await page.goto(stage.demo.url);
      await page.getByRole('button', { name: 'Ingresar la clave' }).waitFor();
      await checkBothSchemes(t, page, 'without a key');
      await page.getByRole('button', { name: 'Ingresar la clave' }).click();
      await checkBothSchemes(t, page, 'the dialog of the key');
      await open(visitor, stage, '', { 'pizarra.lists': storedLists });
      for (const { name, address, ready } of places) {
        await page.goto(stage.demo.url + address);
        await page.locator(ready).first().waitFor();
        if (name === 'mapa') await page.getByText('Los datos del mapa').click();
        await checkBothSchemes(t, page, name);
      }
      await page.goto(`${stage.demo.url}#/lista/Mesa`);
      const isPhone = viewport.width < 520;
      for (const name of dialogs) {
        if (isPhone) {
          await page.getByRole('button', { name: 'Herramientas' }).click();
          await checkBothSchemes(t, page, `the sheet with ${name}`);
        }
        await page.getByRole('button', { name }).click();
        await checkBothSchemes(t, page, `the dialog ${name}`);
        await close(page);
        if (isPhone) await close(page);
      }
      if (isPhone) {
        await page.getByRole('button', { name: 'Más' }).click();
        await page.getByRole('button', { name: 'Teclas' }).waitFor();
        await checkBothSchemes(t, page, 'the sheet of the bottom bar');
        await close(page);
      }
      await page.keyboard.press('?');
      await checkBothSchemes(t, page, 'the keys');
      await close(page);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('banco');
      await page.getByRole('option').first().waitFor();
      await checkBothSchemes(t, page, 'the search');
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
