import assert from 'node:assert/strict';
import { test } from 'node:test';

import { until } from '../support/wait.ts';
import { places, storedLists } from './browser/places.ts';
import { options, setStage } from './browser/stage.ts';
import { boardRows, enterKey, open, visit } from './browser/visitor.ts';

const firstViewBytesMax = 250_000;
const stage = setStage();

test(
  'every page complies with its Content-Security-Policy and sends no request to another server',
  options,
  async () => {
    await using visitor = await visit(stage.browser);
    const { page, asked, faults } = visitor;
    await open(visitor, stage, '', { 'pizarra.lists': storedLists });
    for (const { address, ready } of places) {
      await page.goto(stage.demo.url + address);
      await page.locator(ready).first().waitFor();
    }
    assert.deepEqual(faults, []);
    const elsewhere = asked.filter(
      (url) => !url.startsWith(stage.demo.url) && !/^(data|blob):/.test(url),
    );
    assert.deepEqual(elsewhere, []);
  },
);

test('the first view, including its prices, is less than 250 KB', options, async (t) => {
  for (const path of ['openapi.json', 'especies.json']) await compressed(path);
  await using visitor = await visit(stage.browser, {}, { isNew: true });
  const { page } = visitor;
  await page.goto(stage.demo.url);
  await enterKey(page, stage.demo.key);
  await boardRows(page).first().waitFor();
  const entries = await page.evaluate(() =>
    [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ].map((entry) => {
      const { name, transferSize } = entry as PerformanceResourceTiming;
      return { name, transferSize };
    }),
  );
  const bytes = entries.reduce((sum, { transferSize }) => sum + transferSize, 0);
  t.diagnostic(`${bytes} bytes in ${entries.length} answers`);
  assert.ok(entries.length >= 5);
  assert.ok(bytes < firstViewBytesMax, JSON.stringify(entries));
});

test('a second visit requests the page again and none of its assets', options, async () => {
  await using visitor = await visit(stage.browser, {}, { isNew: true });
  const { page } = visitor;
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
  assert.ok(sent.length >= 3);
  assert.deepEqual(new Set(sent), new Set([0]));
});

/**
 * Waits until the service has compressed a body. It does so once, and sends the first responses
 * uncompressed meanwhile.
 */
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
