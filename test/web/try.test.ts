import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { pathsExcept } from '../support/http/contract-paths.ts';
import { options, setStage } from './browser/stage.ts';
import { open, visit } from './browser/visitor.ts';

const shell = promisify(execFile);
const stage = setStage();

test('for an invalid panel the page shows the error of the service', options, async () => {
  await using visitor = await visit(stage.browser);
  const { page } = visitor;
  await open(visitor, stage, '#/probar/getCotizaciones?panel=GLOBAL');
  await page.getByRole('button', { name: 'Enviar', exact: true }).click();
  await page.getByText('400 Bad Request').waitFor();
  const body = await page.getByLabel('Cuerpo de la respuesta').innerText();
  assert.match(body, /El panel «GLOBAL» no existe\. Los valores válidos/);
  await page.getByText('Encabezados').click();
  await page.getByText('application/json; charset=utf-8').waitFor();
});

test('every operation of the contract works with its example', options, async () => {
  await using visitor = await visit(stage.browser);
  const { page } = visitor;
  await open(visitor, stage, '#/panel/LID');
  await page.getByRole('link', { name: 'Probar' }).click();
  const operations = page.getByRole('navigation', { name: 'Operaciones' });
  const paths = pathsExcept({
    '/cotizaciones/stream': 'its response does not end',
    '/openapi.json': 'it has no parameters, so no example',
    '/healthz': 'it has no parameters, so no example',
  });
  for (const { path, hasClient } of paths) {
    if (!hasClient) continue;
    const link = operations.getByRole('link', { name: `GET ${path} `, exact: false }).first();
    await link.click();
    await link.and(page.locator('[aria-current="page"]')).waitFor();
    await page.getByRole('button', { name: 'Completar con un ejemplo' }).click();
    await page.getByRole('button', { name: 'Enviar', exact: true }).click();
    await page.getByText('200 OK').waitFor();
  }
});

test('a copied curl line works in a shell', options, async () => {
  await using visitor = await visit(stage.browser, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page } = visitor;
  await open(visitor, stage, '#/panel/LID');
  await page.goto(`${stage.demo.url}#/probar/getCotizaciones?especie=GGAL%2CDOLAR+MEP`);
  const shown = await page.getByLabel('Pedido para curl').innerText();
  assert.ok(!shown.includes(stage.demo.key), 'the key is masked on screen');
  await page.getByRole('button', { name: 'Copiar', exact: true }).click();
  await page.getByText('Copiado').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(
    !copied.includes(stage.demo.key),
    'the key is not copied unless the visitor asks for it',
  );
  const env = { ...process.env, PIZARRA_KEY: stage.demo.key };
  const { stdout } = await shell('sh', ['-c', copied], { env });
  const quotes = JSON.parse(stdout) as readonly { readonly especie: string }[];
  assert.deepEqual(
    quotes.map(({ especie }) => especie),
    ['GGAL', 'DOLAR MEP'],
  );
  await page.getByRole('checkbox', { name: 'Incluir la clave' }).check();
  const masked = await page.getByLabel('Pedido para curl').innerText();
  assert.ok(!masked.includes(stage.demo.key), 'the key is masked on screen');
  await page.getByRole('button', { name: 'Copiar', exact: true }).click();
  await page.getByText('Copiado').waitFor();
  assert.ok((await page.evaluate(() => navigator.clipboard.readText())).includes(stage.demo.key));
});

test(
  'closed values are chosen, dates are picked, and the response is also a table',
  options,
  async () => {
    await using visitor = await visit(stage.browser);
    const { page, faults } = visitor;
    await open(visitor, stage, '#/probar/getHistoricos?especie=GGAL&desde=2026-02-30');
    // A date that a calendar would hide is text.
    assert.equal(await page.getByLabel('desde').getAttribute('type'), 'text');
    assert.equal(await page.getByLabel('hasta').getAttribute('type'), 'date');
    await page.getByLabel('desde').fill('2020-01-01');
    await page.getByLabel('hasta').fill('2100-01-01');
    await page.getByLabel('ajuste').selectOption('total');
    await page.getByRole('group', { name: 'campos' }).getByLabel('maximo').check();
    // The choice of the format fills these in.
    assert.equal(await page.locator('#param-formato, #param-decimal').count(), 0);
    const query = 'especie=GGAL&desde=2020-01-01&hasta=2100-01-01&ajuste=total&campos=maximo';
    await page.getByText(`/historicos?${query}`).first().waitFor();
    await page.waitForURL((url) => url.href.endsWith(query));
    await page.getByRole('button', { name: 'Enviar', exact: true }).click();
    await page.getByText('200 OK').waitFor();
    await page.locator('.json-name').first().waitFor();
    await page.getByRole('button', { name: 'Tabla', exact: true }).click();
    const table = page.getByRole('table', { name: 'Respuesta como tabla' });
    const heads = await table.getByRole('columnheader').allInnerTexts();
    assert.deepEqual(heads, ['especie', 'fecha', 'ultimo', 'maximo', 'volumen']);
    assert.equal(await table.getByRole('cell').first().innerText(), 'GGAL');
    // No raw Markdown.
    assert.doesNotMatch(await page.locator('.try-operation').innerText(), /\*/);
    assert.deepEqual(faults, []);
  },
);

test('the response comes into view beside the form, or below it on a phone', options, async () => {
  for (const viewport of [
    { width: 1366, height: 768 },
    { width: 360, height: 780 },
  ]) {
    await using visitor = await visit(stage.browser, { viewport });
    const { page } = visitor;
    await open(
      visitor,
      stage,
      '#/probar/getHistoricos?especie=GGAL&desde=2020-01-01&hasta=2100-01-01',
    );
    await page.getByLabel('ajuste').focus();
    await page.getByRole('button', { name: 'Enviar', exact: true }).click();
    await page.getByText('200 OK').waitFor();
    await page.waitForFunction(() => {
      const { top = -1 } = document.querySelector('.answer-line')?.getBoundingClientRect() ?? {};
      return top > 0 && top < innerHeight;
    });
    // The URL stays on top, and does not cover the response.
    assert.ok(await page.getByRole('button', { name: 'Enviar', exact: true }).isVisible());
    await page.waitForFunction(() => {
      const request = document.querySelector('.try-request')?.getBoundingClientRect();
      const answer = document.querySelector('.answer-line')?.getBoundingClientRect();
      if (request === undefined || answer === undefined) return false;
      const isBeside = answer.left >= request.left + request.width / 3;
      const isOnTop = request.top >= 0 && request.top < innerHeight / 2;
      return isOnTop && (isBeside || answer.top >= request.bottom);
    });
  }
});

test('a phone has the operations in one field above the form', options, async () => {
  await using visitor = await visit(stage.browser, { viewport: { width: 360, height: 780 } });
  const { page } = visitor;
  await open(visitor, stage, '#/probar');
  await page.getByLabel('Operación').selectOption({ value: 'getHistoricos' });
  await page.waitForURL(/#\/probar\/getHistoricos$/);
  await page.getByRole('heading', { name: 'Serie histórica de precios de cierre' }).waitFor();
  const button = await page.getByRole('button', { name: 'Enviar', exact: true }).boundingBox();
  assert.ok((button?.y ?? Number.NaN) < 390, `the button is at ${button?.y}`);
});

test('an error says what to do', options, async () => {
  await using visitor = await visit(stage.browser);
  const { page } = visitor;
  await open(visitor, stage, '#/probar/getCotizaciones');
  await page.getByRole('button', { name: 'Enviar', exact: true }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Qué hacer' });
  await notice.waitFor();
  assert.match(
    await notice.innerText(),
    /^Falta la selección\..*\n+Qué hacer: Corregir el parámetro/,
  );
});

test('a table is tried as CSV with decimal commas, and saved', options, async () => {
  await using visitor = await visit(stage.browser);
  const { page } = visitor;
  await open(visitor, stage, '#/probar/getCotizaciones?especie=GGAL');
  const format = page.getByRole('group', { name: 'Formato' });
  await format.getByRole('button', { name: 'CSV con coma decimal' }).click();
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
  await format.getByRole('button', { name: 'NDJSON' }).click();
  await page.waitForURL(/especie=GGAL&formato=ndjson$/);
  await page.getByRole('button', { name: 'Enviar', exact: true }).click();
  await page.getByText(/^\{"especie":"GGAL",.*\}\n?$/).waitFor();
  await format.getByRole('button', { name: 'JSON', exact: true }).click();
  await page.waitForURL(/getCotizaciones\?especie=GGAL$/);
});

test(
  'the stream is tried: its events are shown as they come, until it is stopped',
  options,
  async () => {
    await using visitor = await visit(stage.browser);
    const { page, faults } = visitor;
    await open(visitor, stage, '#/probar/streamCotizaciones?panel=LID');
    await page.getByRole('button', { name: 'Conectar' }).click();
    await page.getByText('Transmisión abierta').waitFor();
    const body = page.getByLabel('Cuerpo de la respuesta');
    await body.getByText('event: cotizacion').waitFor();
    const lengthNow = async () => (await body.innerText()).length;
    const before = await lengthNow();
    await page.waitForFunction(
      (old) => (document.querySelector<HTMLElement>('.body')?.innerText.length ?? 0) > old,
      before,
    );
    await page.getByRole('button', { name: 'Detener' }).click();
    await page.getByText('La transmisión terminó.').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Conectar' }).isEnabled());
    assert.equal(await page.getByRole('button', { name: 'Excel' }).count(), 0);
    assert.deepEqual(faults, []);
  },
);

test(
  'prices change in a browser that cannot iterate over a stream, as Safari, and has disabled its storage',
  options,
  async () => {
    await using visitor = await visit(stage.browser, {}, { isNew: true });
    const { page, faults } = visitor;
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
    await page.getByRole('link', { name: 'Probar' }).click();
    await page.getByRole('link', { name: 'GET /cotizaciones/stream' }).click();
    await page.getByRole('button', { name: 'Completar con un ejemplo' }).click();
    await page.getByRole('button', { name: 'Conectar' }).click();
    await page.getByText('event: cotizacion').waitFor();
    await page.goto(`${stage.demo.url}#/alertas?especie=GGAL`);
    await page.getByLabel('Precio').fill('1');
    await page.getByRole('button', { name: 'Crear alerta' }).click();
    await page.getByText('El navegador no guardó el último cambio').waitFor();
    assert.deepEqual(faults, []);
  },
);
