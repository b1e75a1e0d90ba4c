import assert from 'node:assert/strict';
import { test } from 'node:test';

import { deferred } from '../support/wait.ts';
import { options, setStage } from './browser/stage.ts';
import { open, visit } from './browser/visitor.ts';

const stage = setStage();

test(
  'every part of the reference has an address, and every operation leads to its trial',
  options,
  async () => {
    await using visitor = await visit(stage.browser);
    const { page, faults, asked } = visitor;
    await open(visitor, stage, '#/referencia/Cotizacion.ultimo');
    const field = page.locator('[id="ref-Cotizacion.ultimo"]');
    await field.getByText('Último precio disponible.').waitFor();
    await page.waitForFunction(isInView, 'ref-Cotizacion.ultimo');
    // The limits of this installation are filled in.
    assert.doesNotMatch(await page.locator('.reference').innerText(), /\{\w+Max\}/);
    const contents = page.getByRole('navigation', { name: 'Contenido de la referencia' });
    await contents.getByRole('link', { name: '/historicos', exact: true }).click();
    await page.waitForFunction(isInView, 'ref-getHistoricos');
    await page.waitForURL(/#\/referencia\/getHistoricos$/);
    // A link to the current address scrolls again.
    await page.evaluate(() => scrollTo(0, 0));
    await contents.getByRole('link', { name: '/historicos', exact: true }).click();
    await page.waitForFunction(isInView, 'ref-getHistoricos');
    await page.getByRole('link', { name: 'Probar /historicos', exact: true }).click();
    await page.getByRole('heading', { name: 'Serie histórica de precios de cierre' }).waitFor();
    await page.waitForURL(/#\/probar\/getHistoricos$/);
    assert.ok(asked.every((url) => url.startsWith(stage.demo.url)));
    assert.deepEqual(faults, []);
  },
);

test(
  'a part of the reference has the focus also if the contract arrives before the state of the service',
  options,
  async () => {
    await using visitor = await visit(stage.browser);
    const { page } = visitor;
    const contractRead = deferred<undefined>();
    await page.route('**/healthz', async (route) => {
      // The first request opens the storage, and the page sends the others.
      if (route.request().isNavigationRequest()) return route.continue();
      await contractRead.promise;
      return route.continue();
    });
    await open(visitor, stage, '#/referencia/Cotizacion.ultimo');
    await page.locator('[id="ref-Cotizacion.ultimo"]').waitFor({ state: 'attached' });
    contractRead.resolve(undefined);
    await page.waitForFunction(isInView, 'ref-Cotizacion.ultimo');
  },
);

/** Whether a part is at the top of the screen, with the focus. Runs in the page. */
function isInView(id: string): boolean {
  const { top = -1 } = document.getElementById(id)?.getBoundingClientRect() ?? {};
  return top > 0 && top < innerHeight / 2 && document.activeElement?.id === id;
}
