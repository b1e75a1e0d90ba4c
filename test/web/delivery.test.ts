import assert from 'node:assert/strict';

import { until } from '../support/wait.ts';
import { places, storedLists } from './browser/places.ts';
import { setStage } from './browser/stage.ts';
import { watchTransfer, type Transferred } from './browser/transfer.ts';
import { boardRows, openPage, test } from './browser/visitor.ts';

const firstView = { bytesMax: 100_000, requestsMax: 8 };
const stage = setStage();

test('every page complies with its Content-Security-Policy and sends no request to another server', async (visit) => {
  const { page, asked } = await visit(stage, '', {
    stored: { 'pizarra.lists': storedLists },
  });
  for (const { address, ready } of places) {
    await page.goto(stage.demo.url + address);
    await page.locator(ready).first().waitFor();
  }
  const elsewhere = asked.filter(
    (url) => !url.startsWith(stage.demo.url) && !/^(data|blob):/.test(url),
  );
  assert.deepEqual(elsewhere, []);
});

test(`the first board of a phone, with its prices and paths, has at most ${firstView.bytesMax / 1_000} KB in ${firstView.requestsMax} requests`, async (_, t) => {
  let transfer = await firstBoard();
  // The service compresses a body once, and sends the first responses uncompressed meanwhile. Shortly after
  // its start, the list of instruments changes with their first prices.
  for (let visits = 1; visits < 5 && bytesOf(transfer) > firstView.bytesMax; visits += 1) {
    const list = transfer.find(({ url }) => url.includes('/especies.json?'));
    assert.ok(list !== undefined);
    await compressed(list.url.slice(stage.demo.url.length));
    transfer = await firstBoard();
  }
  const bytes = bytesOf(transfer);
  t.diagnostic(`${bytes} bytes in ${transfer.length} requests`);
  const found = JSON.stringify(transfer, undefined, 1);
  assert.ok(
    transfer.some(({ url }) => url.includes('/cotizaciones/stream')),
    found,
  );
  assert.ok(transfer.length <= firstView.requestsMax, found);
  assert.ok(bytes <= firstView.bytesMax, found);
});

test('a second visit requests the page again and none of its assets', async (visit) => {
  const { page } = await visit(stage, undefined, { isNew: true });
  await page.goto(stage.demo.url);
  await page.getByRole('button', { name: 'Ingresar la clave' }).waitFor();
  // Responses that are incomplete when the visitor leaves are not cached.
  await page.waitForLoadState('networkidle');
  await page.goto('about:blank');
  await page.goto(stage.demo.url);
  await page.getByRole('button', { name: 'Ingresar la clave' }).waitFor();
  const sent = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/assets/'))
      .map((entry) => (entry as PerformanceResourceTiming).transferSize),
  );
  assert.ok(sent.length >= 2);
  assert.deepEqual(new Set(sent), new Set([0]));
});

/** Waits until the service has compressed a body. */
async function compressed(path: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${stage.demo.key}`,
    'accept-encoding': 'gzip, deflate, br, zstd',
  };
  await until(`${path} compressed`, async () => {
    const response = await fetch(stage.demo.url + path, { headers, method: 'HEAD' });
    return response.headers.has('content-encoding');
  });
}

/** Opens the first board of a phone with an empty cache, and waits until nothing but the stream is under way. */
async function firstBoard(): Promise<readonly Transferred[]> {
  const phone = { viewport: { width: 390, height: 844 } };
  await using visitor = await openPage(stage, { ...phone, isNew: true });
  const { page } = visitor;
  const transfer = await watchTransfer(await page.context().newCDPSession(page));
  await page.goto(`${stage.demo.url}#key=${stage.demo.key}`);
  await boardRows(page).first().waitFor();
  await page.locator('.board .spark').first().waitFor();
  await until('all responses but the stream', async () => {
    const ended = transfer.filter(({ hasEnded }) => hasEnded);
    return ended.length === transfer.length - 1;
  });
  return transfer;
}

function bytesOf(transfer: readonly Transferred[]): number {
  return transfer.reduce((sum, { bytes }) => sum + bytes, 0);
}
