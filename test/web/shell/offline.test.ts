import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { leaders } from '../../support/market/default-panels.ts';
import { once } from '../../support/wait.ts';
import { setStage } from '../browser/stage.ts';
import { hasRows, test } from '../browser/visitor.ts';

const stage = setStage();
const built = join(import.meta.dirname, '../../../web/dist');
const withWorker = { serviceWorkers: 'allow' } as const;

/** Everything that the browser stores of the site but the storage of the tab. */
function storedTexts(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const texts = [JSON.stringify(Object.entries(localStorage))];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        texts.push(request.url, (await (await cache.match(request))?.text()) ?? '');
      }
    }
    return texts.join('\n');
  });
}

/** The members of panels that the browser stores, as JSON. */
function storedMembers(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem('members of pizarra.key /'));
}

test('without a network, a panel has the members that it had last, without prices; no key is stored, and no members once the key is gone', async (visit) => {
  const { demo } = stage;
  const { page } = await visit(stage, '#/panel/LID', { ...withWorker, isNew: true });
  await hasRows(page, leaders);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  assert.match((await storedMembers(page)) ?? '', /"LID":\[[^\]]*"GGAL"/);
  assert.ok(!(await storedTexts(page)).includes(demo.key));

  await demo.kill();
  try {
    await page.reload();
    await page.getByText('El servicio no responde. Los precios se cargan al').waitFor();
    await hasRows(page, leaders);
    assert.equal(await page.locator('[data-ticker="GGAL"]').count(), 1);
    const prices = await page.locator('.board .col-ultimo').allInnerTexts();
    assert.ok(
      prices.slice(1).every((text) => !/\d/.test(text)),
      'no price is made up',
    );
    assert.equal(await page.locator('.row-abierto, .row-cerrado').count(), 0);
  } finally {
    await demo.restart();
  }
  await page.getByText('Conectado', { exact: true }).waitFor();
  await page.locator('.row-abierto').first().waitFor();
  await hasRows(page, leaders);
  await page.getByRole('button', { name: 'Clave', exact: true }).click();
  await page.getByRole('button', { name: 'Olvidar la clave' }).click();
  await page.getByText('Falta la clave de acceso').waitFor();
  assert.equal(await storedMembers(page), '{}');
});

/** A server of the built page, which can be upgraded to a version with other names of its files. */
async function startFiles(): Promise<{ readonly server: Server; upgrade: () => void }> {
  let isUpgraded = false;
  const [, entry = ''] =
    /src="\.\/(assets\/index-[^"]+\.js)"/.exec(readFileSync(join(built, 'index.html'), 'utf8')) ??
    [];
  const later = entry.replace(/index-[^.]+/, 'index-UPGRADED');
  const types = { html: 'text/html', js: 'text/javascript', css: 'text/css' } as const;
  const server = createServer((request, response) => {
    const path = request.url === '/' ? 'index.html' : (request.url ?? '').slice(1);
    const source = isUpgraded && path === later ? entry : path;
    const isGone = isUpgraded && path === entry;
    try {
      if (isGone) throw new Error('the file of the version before is gone');
      let body: Buffer | string = readFileSync(join(built, source));
      if (isUpgraded && /^(?:index\.html|service-worker\.js)$/.test(path)) {
        body = body
          .toString()
          .replaceAll(entry, later)
          .replaceAll(/`[0-9a-f]{12}`/g, '`upgraded`');
      }
      const type = types[(path.split('.').at(-1) ?? '') as keyof typeof types];
      response.writeHead(200, { 'content-type': type ?? 'application/octet-stream' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, upgrade: () => void (isUpgraded = true) };
}

test('after an upgrade the next visit has the new page, with no file of the version before, and all its files are stored', async (visit) => {
  const { server, upgrade } = await startFiles();
  const { page } = await visit(stage, undefined, { ...withWorker, isNew: true });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const entries = () =>
    page.evaluate(() =>
      Array.from(document.querySelectorAll('script[src]'), (one) => one.getAttribute('src')),
    );
  try {
    await page.goto(url);
    await page.locator('.topbar').waitFor();
    await page.evaluate(async () => {
      await navigator.serviceWorker.register('service-worker.js', { updateViaCache: 'none' });
      await navigator.serviceWorker.ready;
    });
    await page.reload();
    await page.locator('.topbar').waitFor();
    assert.ok(await page.evaluate(() => navigator.serviceWorker.controller !== null));
    const [before] = await entries();
    upgrade();
    await page.reload();
    await page.locator('.topbar').waitFor();
    assert.deepEqual(await entries(), ['./assets/index-UPGRADED.js']);
    assert.notEqual(before, './assets/index-UPGRADED.js');
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    await page.waitForFunction(async () => {
      const upgraded = (await caches.keys()).find((name) => name.endsWith(' upgraded'));
      const cache = upgraded === undefined ? undefined : await caches.open(upgraded);
      const stored = await (await cache?.match('./'))?.text();
      return stored?.includes('index-UPGRADED') === true;
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('the page can be installed: its manifest is valid, and its icons have the sizes that it says', async (visit) => {
  const { page } = await visit(stage, undefined, { isNew: true });
  await page.goto(stage.demo.url);
  const session = await page.context().newCDPSession(page);
  const { url, errors, data = '' } = await session.send('Page.getAppManifest');
  assert.equal(url, `${stage.demo.url}manifest.webmanifest`);
  assert.deepEqual(errors, []);
  const manifest = JSON.parse(data) as {
    readonly icons: readonly { readonly src: string; readonly sizes: string }[];
  };
  const icons = [...manifest.icons, { src: 'icons/apple-touch-icon.png', sizes: '180x180' }];
  assert.equal(icons.length, 4);
  const sizes = await page.evaluate(
    (sources) =>
      Promise.all(
        sources.map(async (source) => {
          const image = new Image();
          image.src = source;
          await image.decode();
          return `${image.naturalWidth}x${image.naturalHeight}`;
        }),
      ),
    icons.map(({ src }) => src),
  );
  assert.deepEqual(
    sizes,
    icons.map(({ sizes: said }) => said),
  );
  const served = await fetch(url);
  assert.equal(served.headers.get('content-type'), 'application/manifest+json');
});
