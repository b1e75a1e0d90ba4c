import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { importData, push } from './browser/imported-data.ts';
import { options, setStage } from './browser/stage.ts';
import { open, visit } from './browser/visitor.ts';

const stage = setStage(importData);

/** The notifications that the page showed. Replaces those of the browser, which has no window. */
async function recordNotifications(page: Page, permission: NotificationPermission) {
  await page.addInitScript((initial) => {
    const shown: string[] = [];
    class Recorded extends EventTarget {
      static permission = initial;
      static requestPermission() {
        Recorded.permission = 'granted';
        return Promise.resolve(Recorded.permission);
      }
      constructor(title: string, { body }: NotificationOptions) {
        super();
        shown.push(`${title}: ${body}`);
      }
    }
    Object.assign(globalThis, { Notification: Recorded, shown });
  }, permission);
  return () => page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);
}

test(
  'an alert asks for permission only on a click, fires once for each crossing, and survives a reload',
  options,
  async () => {
    await using visitor = await visit(stage.browser, {}, { isNew: true });
    const { page, faults } = visitor;
    const shown = await recordNotifications(page, 'default');
    await push('BTC', 80_000);
    await open(visitor, stage, '#/alertas?especie=btc');
    await page.getByText('Último: 80.000,00').waitFor();
    await page.getByLabel('Precio').fill('ochenta');
    await page.getByRole('button', { name: 'Crear alerta' }).click();
    await page.getByText('El precio no es un número.').waitFor();
    await page.getByLabel('Precio').fill('0,00');
    await page.getByRole('button', { name: 'Crear alerta' }).click();
    await page.getByText('El precio tiene que ser mayor que cero.').waitFor();
    await page.getByLabel('Precio').fill('81.000,5');
    await page.getByText('Se lee 81.000,50').waitFor();
    await page.getByRole('button', { name: 'Crear alerta' }).click();
    await page.getByText('Alerta creada: BTC sube hasta 81.000,50.').waitFor();
    await page.getByText('Activa.').waitFor();
    assert.deepEqual(await shown(), []);
    await page.getByRole('button', { name: 'Permitir notificaciones' }).click();
    await page.getByText('se muestran también como notificaciones').waitFor();

    const notice = page.getByRole('region', { name: 'Avisos de alertas' });
    await page.goto(`${stage.demo.url}#/referencia`);
    await push('BTC', 81_001);
    await notice.getByText('BTC sube hasta 81.000,50').waitFor();
    assert.match((await shown())[0] ?? '', /^BTC sube hasta 81\.000,50: 81\.001,00 el /);
    await notice.getByRole('button', { name: 'Descartar el aviso de BTC' }).click();
    // A further rise is no crossing. The price below makes the alert active again.
    await push('BTC', 81_900);
    await push('BTC', 80_500);
    await page.goto(`${stage.demo.url}#/alertas`);
    await page.getByText('Activa. Último aviso: 81.001,00').waitFor();
    assert.equal((await shown()).length, 1);

    // A crossing while the page is closed is announced when it is open again.
    await page.goto('about:blank');
    await push('BTC', 82_000);
    await page.goto(`${stage.demo.url}#/alertas`);
    await notice.getByText('82.000,00 el').waitFor();
    await page.getByText('El precio ya está por encima').waitFor();
    await page.getByRole('button', { name: 'Eliminar la alerta' }).click();
    await page.getByText('Todavía no hay alertas.').waitFor();
    assert.equal(await page.evaluate(() => localStorage.getItem('pizarra.alerts')), '[]');
    assert.deepEqual(faults, []);
  },
);

test(
  'of two tabs one watches an alert, and the other takes over when it is closed',
  options,
  async () => {
    await using visitor = await visit(stage.browser, {}, { isNew: true });
    await push('BTC', 70_000);
    await open(visitor, stage, '#/alertas', {
      'pizarra.alerts': [{ id: 'a', ticker: 'BTC', way: 'baja', price: 69_000, side: 'above' }],
    });
    await visitor.page.getByText('Esta pestaña vigila las alertas.').waitFor();
    const other = await visitor.page.context().newPage();
    await open({ ...visitor, page: other }, stage, '#/alertas');
    await other.getByText('Otra pestaña de este navegador vigila las alertas.').waitFor();
    await visitor.page.close();
    await other.getByText('Esta pestaña vigila las alertas.').waitFor();
    await push('BTC', 68_500);
    await other
      .getByRole('region', { name: 'Avisos de alertas' })
      .getByText('68.500,00 el')
      .waitFor();
  },
);

test('without notifications the page says why, and shows the alert itself', options, async () => {
  await using visitor = await visit(stage.browser, {}, { isNew: true });
  await recordNotifications(visitor.page, 'denied');
  await open(visitor, stage, '#/alertas');
  await visitor.page.getByText('El navegador bloquea las notificaciones').waitFor();
  assert.equal(await visitor.page.getByRole('button', { name: 'Permitir' }).count(), 0);
});
