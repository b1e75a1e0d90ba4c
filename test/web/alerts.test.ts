import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import { importData, push } from './browser/imported-data.ts';
import { setStage } from './browser/stage.ts';
import { openIn, test, type Visit } from './browser/visitor.ts';

const stage = setStage(importData);
/** The demonstration, whose bonds have prices at every hour. */
const simulated = setStage();

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
      close() {}
    }
    Object.assign(globalThis, { Notification: Recorded, shown });
  }, permission);
  return () => page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);
}

test('an alert asks for permission only on a click, fires once for each crossing, and survives a reload', async (visit) => {
  const { page, open } = await visit(stage, undefined, { isNew: true });
  const shown = await recordNotifications(page, 'default');
  await push('BTC', 80_000);
  await open('#/alertas?especie=btc');
  await page.getByText('Último: 80.000,00').waitFor();
  assert.equal(await page.getByLabel('Precio', { exact: true }).inputValue(), '80000');
  await page.getByRole('button', { name: '−2 %' }).click();
  await page.getByText('Se lee 78.400,00').waitFor();
  assert.equal(await page.getByLabel('Condición').inputValue(), 'baja');
  await page.getByLabel('Precio', { exact: true }).fill('+2 %');
  await page.getByText('Se lee 81.600,00').waitFor();
  await page.getByLabel('Precio', { exact: true }).fill('ochenta');
  await page.getByRole('button', { name: 'Crear alerta' }).click();
  await page.getByText('El precio no es un número.').waitFor();
  await page.getByLabel('Precio', { exact: true }).fill('0,00');
  await page.getByRole('button', { name: 'Crear alerta' }).click();
  await page.getByText('El precio tiene que ser mayor que cero.').waitFor();
  await page.getByLabel('Precio', { exact: true }).fill('81.000,5');
  await page.getByText('Se lee 81.000,50').waitFor();
  await page.getByRole('button', { name: 'Crear alerta' }).click();
  await page.getByText('Alerta creada: BTC sube hasta 81.000,50.').waitFor();
  await page.getByText('Activa. Último: 80.000,00, a 1,25 % del nivel.').waitFor();
  assert.deepEqual(await shown(), []);
  await page.getByRole('button', { name: 'Permitir notificaciones' }).click();
  await page.getByText('se muestran también como notificaciones').waitFor();

  const notice = page.getByRole('region', { name: 'Avisos de alertas' });
  await page.goto(`${stage.demo.url}#/api`);
  await push('BTC', 81_001);
  await notice.getByText('BTC subió hasta 81.000,50').waitFor();
  assert.match((await shown())[0] ?? '', /^BTC subió hasta 81\.000,50: 81\.001,00 el /);
  // The page has its title once its code is loaded.
  await page.waitForFunction(
    (title) => document.title === title,
    '(1) BTC subió hasta 81.000,50 · API · Pizarra',
  );
  await notice.getByRole('button', { name: 'Descartar el aviso de BTC' }).click();
  await page.waitForFunction(() => document.title === 'API · Pizarra');
  // A further rise is no crossing. The price below makes the alert active again.
  await push('BTC', 81_900);
  await push('BTC', 80_500);
  await page.goto(`${stage.demo.url}#/alertas`);
  await page.getByText('Último aviso: 81.001,00').waitFor();
  assert.equal((await shown()).length, 1);

  // A crossing while the page is closed is announced when it is open again.
  await page.goto('about:blank');
  await push('BTC', 82_000);
  await page.goto(`${stage.demo.url}#/alertas`);
  await notice.getByText('82.000,00 el').waitFor();
  await page.getByText('El precio ya está por encima').waitFor();
  await page.getByRole('button', { name: 'Eliminar la alerta' }).click();
  await page.getByText('Todavía no hay alertas.').waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem('pizarra.alert-conditions')), '[]');
});

test('an alert on the change, the volume or the spread says its errors, fires, and is changed and paused', async (visit) => {
  const { page, open } = await visit(stage, undefined, { isNew: true });
  const shown = await recordNotifications(page, 'granted');
  await push('LTC', 101, { previousClose: 100, volume: 50, bid: 100, ask: 102 });
  await open('#/alertas?especie=LTC');
  const kind = page.getByLabel('Qué vigilar');
  const level = page.locator('#alert-level');
  const create = async (text: string, said: string) => {
    await level.fill(text);
    await page.getByRole('button', { name: 'Crear alerta' }).click();
    await page.getByText(said, { exact: true }).waitFor();
  };
  await kind.selectOption('Variación del día');
  await page.getByText('Ahora: +1,00 %').waitFor();
  await create('3', 'Falta el signo de la variación: + o −.');
  assert.equal(await level.getAttribute('aria-invalid'), 'true');
  await create('+3 %', 'Alerta creada: LTC: la variación sube hasta +3,00 %.');
  await create('-3', 'Alerta creada: LTC: la variación baja hasta −3,00 %.');
  await kind.selectOption('Volumen de la rueda');
  await page.getByText('Ahora: 50').waitFor();
  assert.equal(await page.getByLabel('Condición').isDisabled(), true);
  await create('-5', 'El volumen tiene que ser mayor que cero.');
  await create('1.000', 'Alerta creada: LTC: el volumen llega a 1.000.');
  await kind.selectOption('Spread (venta − compra)');
  await page.getByText('Ahora: 1,98 %').waitFor();
  await create('0', 'El spread tiene que ser mayor que cero.');
  await create('0,5 %', 'Alerta creada: LTC: el spread baja hasta 0,50 %.');
  const line = (text: string) => page.locator('.alert-list li', { hasText: text });
  for (const text of ['hasta +3', 'hasta −3', 'volumen', 'spread']) {
    await line(text).getByText('Activa.').waitFor();
  }

  await line('hasta −3').getByRole('button', { name: 'Pausar' }).click();
  await line('hasta −3').getByText('En pausa.').waitFor();
  await page.locator('button:focus[aria-label^="Reanudar la alerta"]').waitFor();
  // Without an order on one side, and with a crossed book, there is no spread.
  await push('LTC', 101.5, { bid: 101, bidSize: 0, ask: 101.01 });
  await push('LTC', 101.6, { bid: 102, bidSize: 1, ask: 101 });
  const notices = page.getByRole('region', { name: 'Avisos de alertas' });
  await push('LTC', 104, { volume: 1_000, bid: 104, ask: 104.1 });
  await notices.getByText('LTC: la variación subió hasta +3,00 %').waitFor();
  await notices.getByText('+4,00 % el').waitFor();
  await notices.getByText('LTC: el volumen llegó a 1.000').waitFor();
  await notices.getByText('1.000 el').waitFor();
  await notices.getByText('LTC: el spread bajó hasta 0,50 %').waitFor();
  await notices.getByText('0,0961 % el').waitFor();
  await push('LTC', 96, { volume: 1_200, bid: 95, ask: 97 });
  await line('hasta +3').getByText('Último aviso: +4,00 % el').waitFor();
  await line('volumen').getByText('Avisó. El volumen ya llegó.').waitFor();
  assert.equal((await shown()).length, 3);

  // A crossing during the pause is not announced. The alert goes on from the value that it meets.
  await line('hasta −3').getByRole('button', { name: 'Reanudar' }).click();
  await line('hasta −3').getByText('La variación ya está por debajo').waitFor();
  await line('spread').getByRole('button', { name: 'Cambiar' }).click();
  assert.equal(await level.inputValue(), '0,5');
  await level.fill('3');
  await page.getByLabel('Condición').selectOption('sube hasta');
  await page.getByRole('button', { name: 'Guardar cambios' }).click();
  await line('sube hasta 3,00 %').getByText('Activa.').waitFor();
  await page.getByRole('form', { name: 'Alerta nueva' }).waitFor();
  await push('LTC', 96.5, { volume: 1_300, bid: 93, ask: 99 });
  await notices.getByText('LTC: el spread subió hasta 3,00 %').waitFor();
  await notices.getByRole('button', { name: 'Descartar todos' }).click();
  await notices.locator('.alert-notice').first().waitFor({ state: 'detached' });
  await page.goto(`${stage.demo.url}#/alertas?especie=DOLAR+MEP`);
  await kind.selectOption('Volumen de la rueda');
  await create('5', 'Esta especie no tiene volumen: es un índice, una tasa o un tipo de cambio.');
});

/** Opens a second tab of the same browser. */
async function openTab(visitor: Visit, hash: string) {
  const page = await visitor.page.context().newPage();
  const shown = await recordNotifications(page, 'granted');
  await openIn(page, stage, hash);
  const watches = page.getByText('Esta pestaña vigila las alertas.');
  const waits = page.getByText('Otra pestaña de este navegador vigila las alertas.');
  const notice = page.getByRole('region', { name: 'Avisos de alertas' });
  return { page, shown, watches, waits, notice };
}

/** An alert whose price was seen above its level. */
const kept = {
  'pizarra.alert-conditions': [
    { id: 'a', ticker: 'BTC', kind: 'precio', way: 'baja', level: 69_000 },
  ],
  'pizarra.alert-sights': { a: { side: 'above', session: '' } },
};

test('of two tabs one watches an alert, both show its notice, and the other takes over when it is closed', async (visit) => {
  const visitor = await visit(stage, undefined, { isNew: true });
  await push('BTC', 70_000);
  await visitor.open('healthz', kept);
  const first = await openTab(visitor, '#/alertas');
  await first.watches.waitFor();
  const second = await openTab(visitor, '#/alertas');
  await second.watches.waitFor();
  await first.waits.waitFor();
  await push('BTC', 68_500);
  for (const { notice } of [first, second]) await notice.getByText('68.500,00 el').waitFor();
  assert.deepEqual([(await first.shown()).length, (await second.shown()).length], [0, 1]);
  await first.notice.getByRole('button', { name: 'Descartar' }).click();
  await second.notice.getByText('68.500,00 el').waitFor({ state: 'detached' });
  await second.page.close();
  await first.watches.waitFor();
  await push('BTC', 70_500);
  await first.page.getByText('Último aviso: 68.500,00').waitFor();
  await push('BTC', 68_400);
  await first.notice.getByText('68.400,00 el').waitFor();
  assert.equal((await first.shown()).length, 1);
});

test('a tab that is shown takes over from one that the browser has suspended, and announces each crossing once', async (visit) => {
  const visitor = await visit(stage, undefined, { isNew: true });
  await push('BTC', 70_000);
  await visitor.open('healthz', kept);
  const asleep = await openTab(visitor, '#/alertas');
  await asleep.watches.waitFor();
  const devtools = await visitor.page.context().newCDPSession(asleep.page);
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
  const awake = await openTab(visitor, '#/alertas');
  await awake.watches.waitFor();
  await push('BTC', 68_300);
  await awake.notice.getByText('68.300,00 el').waitFor();
  await devtools.send('Page.setWebLifecycleState', { state: 'active' });
  await asleep.notice.getByText('68.300,00 el').waitFor();
  await asleep.waits.waitFor();
  assert.deepEqual([(await asleep.shown()).length, (await awake.shown()).length], [0, 1]);
});

test('in a browser without locks every tab watches, and a crossing has one notice in each', async (visit) => {
  const visitor = await visit(stage, undefined, { isNew: true });
  await visitor.page.context().addInitScript(() => {
    // @ts-expect-error A page without TLS has none.
    delete Navigator.prototype.locks;
  });
  await push('BTC', 70_000);
  await visitor.open('healthz', kept);
  const tabs = [await openTab(visitor, '#/alertas'), await openTab(visitor, '#/alertas')];
  for (const { watches } of tabs) await watches.waitFor();
  await push('BTC', 68_200);
  for (const { notice } of tabs) {
    await notice.getByText('68.200,00 el').waitFor();
    assert.equal(await notice.locator('.alert-notice').count(), 1);
  }
});

test('an alert makes a sound if that was chosen, and none otherwise', async (visit) => {
  const { page, open } = await visit(stage, undefined, { isNew: true });
  await page.addInitScript(() => {
    Object.assign(globalThis, { tones: 0 });
    class Counted extends AudioContext {
      override createOscillator() {
        (globalThis as unknown as { tones: number }).tones += 1;
        return super.createOscillator();
      }
    }
    Object.assign(globalThis, { AudioContext: Counted });
  });
  const tones = () => page.evaluate(() => (globalThis as unknown as { tones: number }).tones);
  await push('BTC', 70_000);
  await open('#/alertas', kept);
  await page.getByText('Esta pestaña vigila las alertas.').waitFor();
  const notice = page.getByRole('region', { name: 'Avisos de alertas' });
  await push('BTC', 68_100);
  await notice.getByText('68.100,00 el').waitFor();
  assert.equal(await tones(), 0);
  await page.getByLabel('Avisar con un sonido').check();
  assert.equal(await tones(), 2);
  await push('BTC', 70_000);
  await page.getByText('Activa.').waitFor();
  await push('BTC', 68_050);
  await notice.getByText('68.050,00 el').waitFor();
  assert.equal(await tones(), 4);
});

test('an alert on the yield of a bond shows its distance, and fires', async (visit) => {
  const { page } = await visit(simulated, '#/alertas?especie=GD35D', {
    isNew: true,
    stored: {
      'pizarra.alert-conditions': [
        { id: 'a', ticker: 'AL30D', kind: 'tir', way: 'sube', level: -50 },
      ],
      'pizarra.alert-sights': { a: { side: 'below', session: '' } },
    },
  });
  await page
    .getByText(/ya está por encima .* Ahora: \d+,\d\d\s%, a \d+,\d+\spts del nivel\./)
    .waitFor();
  const notice = page.getByRole('region', { name: 'Avisos de alertas' });
  await notice.getByText('AL30D: la TIR subió hasta −50,00 %').waitFor();
  await page.getByLabel('Qué vigilar').selectOption('TIR');
  await page.getByText(/^Ahora: \d+,\d\d\s%$/).waitFor();
});

test('a refused key of the watch tells a person what to do', async (visit) => {
  const visitor = await visit(stage, 'healthz', { isNew: true, stored: kept });
  await visitor.page.evaluate(() => sessionStorage.setItem('pizarra.key /', 'pz_unknown'));
  await visitor.page.goto(`${stage.demo.url}#/alertas`);
  await visitor.page.getByText('El servicio rechazó la clave').waitFor();
  await visitor.page.getByText(/^Puede estar incompleta, vencida o anulada\./).waitFor();
});

test('without notifications the page says why, and shows the alert itself', async (visit) => {
  const visitor = await visit(stage, undefined, { isNew: true });
  await recordNotifications(visitor.page, 'denied');
  await visitor.open('#/alertas');
  await visitor.page.getByText('El navegador bloquea las notificaciones').waitFor();
  assert.equal(await visitor.page.getByRole('button', { name: 'Permitir' }).count(), 0);
});
