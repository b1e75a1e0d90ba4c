import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { pathsExcept } from '../support/http/contract-paths.ts';
import { setStage } from './browser/stage.ts';
import { deferred } from '../support/wait.ts';
import { fieldsIn } from '../support/fields-in.ts';
import { test } from './browser/visitor.ts';

const shell = promisify(execFile);
const stage = setStage();

test('for an invalid panel the page shows the error of the service', async (visit) => {
  const { page } = await visit(stage, '#/api/getCotizaciones?panel=GLOBAL');
  await page.getByRole('button', { name: 'Enviar', exact: true }).click();
  await page.getByText('400 Bad Request').waitFor();
  const body = await page.getByLabel('Cuerpo de la respuesta').innerText();
  assert.match(body, /El panel «GLOBAL» no existe\. Los valores válidos/);
  await page.locator('.trial .headers summary').click();
  await page.getByText('application/json; charset=utf-8').waitFor();
});

test('every operation of the contract works with its example', async (visit) => {
  const { page } = await visit(stage, '#/panel/LID');
  await page.getByRole('link', { name: 'API', exact: true }).click();
  const paths = pathsExcept({
    '/cotizaciones/stream': 'its response does not end',
    '/openapi.json': 'it has no parameters, so no example',
    '/healthz': 'it has no parameters, so no example',
  });
  for (const { path, hasClient } of paths) {
    if (!hasClient) continue;
    await page.getByRole('link', { name: `Probar ${path}`, exact: true }).click();
    const form = page.getByRole('form', { name: `Probar ${path}`, exact: true });
    await form.getByRole('button', { name: 'Completar con un ejemplo' }).click();
    await form.getByRole('button', { name: 'Enviar', exact: true }).click();
    await form.getByText('200 OK').waitFor();
  }
});

test('the requests that begin the page work in a shell', async (visit) => {
  const { page } = await visit(stage, '#/api');
  const requests = page.locator('.first-request pre');
  await requests.nth(2).waitFor();
  const env = { ...process.env, PIZARRA_KEY: stage.demo.key };
  for (const line of await requests.allInnerTexts()) {
    assert.ok(!line.includes(stage.demo.key), line);
    const { stdout } = await shell('sh', ['-c', `${line} --fail`], { env });
    assert.match(stdout, /GGAL/, line);
  }
});

test('a copied curl line works in a shell', async (visit) => {
  const { page } = await visit(stage, '#/panel/LID', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.goto(`${stage.demo.url}#/api/getCotizaciones?especie=GGAL%2CDOLAR+MEP`);
  const shown = await page.getByLabel('Pedido para curl').innerText();
  assert.ok(!shown.includes(stage.demo.key), 'the key is masked on screen');
  await page.locator('.trial').getByRole('button', { name: 'Copiar', exact: true }).click();
  await page.getByText('Copiado').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(
    !copied.includes(stage.demo.key),
    'the key is not copied unless the visitor asks for it',
  );
  const env = { ...process.env, PIZARRA_KEY: stage.demo.key };
  const { stdout } = await shell('sh', ['-c', copied], { env });
  const quotes = JSON.parse(stdout) as readonly { readonly especie: string }[];
  assert.deepEqual(fieldsIn(quotes, 'especie'), ['GGAL', 'DOLAR MEP']);
  await page.getByRole('checkbox', { name: 'Incluir la clave' }).check();
  const masked = await page.getByLabel('Pedido para curl').innerText();
  assert.ok(!masked.includes(stage.demo.key), 'the key is masked on screen');
  await page.locator('.trial').getByRole('button', { name: 'Copiar', exact: true }).click();
  await page.getByText('Copiado').waitFor();
  assert.ok((await page.evaluate(() => navigator.clipboard.readText())).includes(stage.demo.key));
});

test('closed values are chosen, dates are picked, and the response is also a table', async (visit) => {
  const { page } = await visit(stage, '#/api/getHistoricos?especie=GGAL&desde=2026-02-30');
  // A date that a calendar would hide is text.
  assert.equal(await page.locator('#param-desde').getAttribute('type'), 'text');
  assert.equal(await page.locator('#param-hasta').getAttribute('type'), 'date');
  await page.locator('#param-desde').fill('2020-01-01');
  await page.locator('#param-hasta').fill('2100-01-01');
  await page.getByLabel('ajuste', { exact: true }).selectOption('total');
  await page.getByRole('group', { name: 'campos' }).getByLabel('maximo').check();
  const query = 'especie=GGAL&desde=2020-01-01&hasta=2100-01-01&ajuste=total&campos=maximo';
  await page.getByText(`/historicos?${query}`).first().waitFor();
  await page.waitForURL((url) => url.href.endsWith(query));
  await page.getByRole('button', { name: 'Enviar', exact: true }).click();
  await page.getByText('200 OK').waitFor();
  await page.locator('.trial .json-name').first().waitFor();
  await page.getByRole('button', { name: 'Tabla', exact: true }).click();
  const table = page.getByRole('table', { name: 'Respuesta como tabla' });
  const heads = await table.getByRole('columnheader').allInnerTexts();
  assert.deepEqual(heads, ['especie', 'fecha', 'ultimo', 'maximo', 'volumen']);
  assert.equal(await table.getByRole('rowheader').first().innerText(), 'GGAL');
  // No raw Markdown.
  assert.doesNotMatch(await page.locator('.trial-fields').innerText(), /\*/);
});

test('the response comes into view beside the form, or below it on a phone', async (visit) => {
  for (const viewport of [
    { width: 1366, height: 768 },
    { width: 360, height: 780 },
  ]) {
    const { page } = await visit(
      stage,
      '#/api/getHistoricos?especie=GGAL&desde=2020-01-01&hasta=2100-01-01',
      { viewport },
    );
    await page.getByLabel('ajuste', { exact: true }).focus();
    await page.getByRole('button', { name: 'Enviar', exact: true }).click();
    await page.getByText('200 OK').waitFor();
    await page.waitForFunction(() => {
      const { top = -1 } = document.querySelector('.answer-line')?.getBoundingClientRect() ?? {};
      return top > 0 && top < innerHeight;
    });
    assert.ok(await page.getByRole('button', { name: 'Enviar', exact: true }).isVisible());
  }
});

test('an error says what to do', async (visit) => {
  const { page } = await visit(stage, '#/api/getCotizaciones');
  await page.getByRole('button', { name: 'Enviar', exact: true }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Qué hacer' });
  await notice.waitFor();
  assert.match(
    await notice.innerText(),
    /^Falta la selección\..*\n+Qué hacer: Corregir el parámetro/,
  );
});

test('a table is tried as CSV with decimal commas, and saved', async (visit) => {
  const { page } = await visit(stage, '#/api/getCotizaciones?especie=GGAL');
  await page.getByLabel('formato', { exact: true }).selectOption('csv');
  await page.getByLabel('decimal', { exact: true }).selectOption('coma');
  await page.waitForURL(/especie=GGAL&formato=csv&decimal=coma$/);
  await page.getByRole('button', { name: 'Enviar', exact: true }).click();
  await page.getByText('200 OK').waitFor();
  const body = await page.getByLabel('Cuerpo de la respuesta').innerText();
  assert.match(body, /^especie;fecha;hora;ultimo;.*\r?\nGGAL;\d{4}-\d\d-\d\d;[\d:]*;\d+(,\d+)?;/);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Descargar' }).click(),
  ]);
  assert.match(await readFile(await download.path(), 'utf8'), /^especie;fecha;hora;/);
  await page.getByLabel('decimal', { exact: true }).selectOption('');
  await page.getByLabel('formato', { exact: true }).selectOption('ndjson');
  await page.waitForURL(/especie=GGAL&formato=ndjson$/);
  await page.getByRole('button', { name: 'Enviar', exact: true }).click();
  await page.getByText(/^\{"especie":"GGAL",.*\}\n?$/).waitFor();
});

test('the stream is tried: its events are shown as they come, until it is stopped', async (visit) => {
  const { page } = await visit(stage, '#/api/streamCotizaciones?panel=LID');
  await page.getByRole('button', { name: 'Conectar' }).click();
  await page.getByText('Transmisión abierta').waitFor();
  const body = page.getByLabel('Cuerpo de la respuesta');
  await body.getByText('event: cotizacion').waitFor();
  const lengthNow = async () => (await body.innerText()).length;
  const before = await lengthNow();
  await page.waitForFunction(
    (old) => (document.querySelector<HTMLElement>('.trial .body')?.innerText.length ?? 0) > old,
    before,
  );
  await page.getByRole('button', { name: 'Detener' }).click();
  await page.getByText('La transmisión terminó.').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Conectar' }).isEnabled());
  assert.equal(await page.getByRole('button', { name: 'Excel' }).count(), 0);
});

test('prices change in a browser that cannot iterate over a stream, as Safari, and has disabled its storage', async (visit) => {
  const { page } = await visit(stage, undefined, { isNew: true });
  await page.addInitScript(() => {
    Reflect.deleteProperty(ReadableStream.prototype, Symbol.asyncIterator);
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('the storage is disabled', 'SecurityError');
        },
      });
    }
  });
  await page.goto(`${stage.demo.url}#key=${stage.demo.key}`);
  // Only a change from the stream highlights a price.
  await page.locator('[data-flash]').first().waitFor();
  await page.getByRole('button', { name: 'Recordarla en esta pestaña' }).click();
  await page.getByRole('link', { name: 'API', exact: true }).click();
  await page.getByRole('link', { name: 'Probar /cotizaciones/stream' }).click();
  await page.getByRole('button', { name: 'Completar con un ejemplo' }).click();
  await page.getByRole('button', { name: 'Conectar' }).click();
  await page.getByLabel('Cuerpo de la respuesta').getByText('event: cotizacion').waitFor();
  await page.goto(`${stage.demo.url}#/alertas?especie=GGAL`);
  await page.getByLabel('Precio').fill('1');
  await page.getByRole('button', { name: 'Crear alerta' }).click();
  await page.getByText('El navegador no guardó el último cambio').waitFor();
});

test('every part of the reference has an address, and every operation its form', async (visit) => {
  const { page, asked } = await visit(stage, '#/api/Cotizacion.ultimo');
  const field = page.locator('[id="ref-Cotizacion.ultimo"]');
  await field.getByText('Último precio disponible.').waitFor();
  await page.waitForFunction(isInView, 'ref-Cotizacion.ultimo');
  // The limits of this installation are filled in.
  assert.doesNotMatch(await page.locator('.reference').innerText(), /\{\w+Max\}/);
  const contents = page.getByRole('navigation', { name: 'Contenido de la referencia' });
  await contents.getByRole('link', { name: '/historicos', exact: true }).click();
  await page.waitForFunction(isInView, 'ref-getHistoricos');
  await page.waitForURL(/#\/api\/getHistoricos$/);
  // A link to the current address scrolls again.
  await page.evaluate(() => scrollTo(0, 0));
  await contents.getByRole('link', { name: '/historicos', exact: true }).click();
  await page.waitForFunction(isInView, 'ref-getHistoricos');
  await page.getByRole('form', { name: 'Probar /historicos' }).waitFor();
  assert.ok(asked.every((url) => url.startsWith(stage.demo.url)));
});

test('a part of the reference has the focus also if the contract arrives before the state of the service', async (visit) => {
  const { page, open } = await visit(stage);
  const contractRead = deferred<undefined>();
  await page.route('**/healthz', async (route) => {
    // The first request opens the storage, and the page sends the others.
    if (route.request().isNavigationRequest()) return route.continue();
    await contractRead.promise;
    return route.continue();
  });
  await open('#/api/Cotizacion.ultimo');
  await page.locator('[id="ref-Cotizacion.ultimo"]').waitFor({ state: 'attached' });
  contractRead.resolve(undefined);
  await page.waitForFunction(isInView, 'ref-Cotizacion.ultimo');
});

/** Whether a part is at the top of the screen, with the focus. Runs in the page. */
function isInView(id: string): boolean {
  const { top = -1 } = document.getElementById(id)?.getBoundingClientRect() ?? {};
  return top > 0 && top < innerHeight / 2 && document.activeElement?.id === id;
}
