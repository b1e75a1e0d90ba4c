import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import type { FeedType } from '../../src/feeds/contract/feed-type.ts';
import { httpType } from '../../src/feeds/http/index.ts';
import { createFeed } from '../feeds/sources/source-suite.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { makeUniverse } from '../support/market/make-universe.ts';
import { healthy, SourceServer } from '../support/http/source-server.ts';
import { fieldsIn } from '../support/fields-in.ts';

const project = join(import.meta.dirname, '../..');

test('the source docs/ejemplo.mts of docs/adding-a-feed.md works as it is written', async (t) => {
  const directory = await temporaryDirectory(t);
  const file = join(directory, 'ejemplo.ts');
  const code = await readFile(join(project, 'docs/ejemplo.mts'), 'utf8');
  // Outside the project: what is above the folder of the source is that of the project.
  const feeds = pathToFileURL(join(project, 'src/feeds')).href;
  await writeFile(
    file,
    code.replaceAll("'../../", `'${feeds}/../`).replaceAll("'../", `'${feeds}/`),
  );
  const index = pathToFileURL(file).href;
  const { ejemploType } = (await import(index)) as { readonly ejemploType: FeedType };

  await using server = await SourceServer.start();
  const time = '2026-11-20T17:59:58Z';
  const body = JSON.stringify([
    { symbol: 'GGAL.BA', price: 7_150.5, time },
    { symbol: 'YPFD.BA', price: null, time },
    { symbol: 'GGAL.BA', price: 7_000, time: 'yesterday' },
    { symbol: 'AAPL', price: 230, time },
    null,
  ]);
  server.respond = healthy(({ url }) => (url === '/v1/prices' ? { body } : undefined));
  const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'YPFD' }]);
  const now = Date.parse('2026-11-20T18:00:00Z');
  const feed = createFeed({ type: ejemploType, universe, now, expected: [] }, server.url);
  for await (const { updates, rejected } of feed.batches(t.signal)) {
    assert.deepEqual(updates, [{ ticker: 'GGAL', at: Date.parse(time), last: 7_150.5 }]);
    assert.deepEqual(fieldsIn(rejected, 'reason'), [
      'no-price',
      'bad-instant',
      'no-instrument',
      'unintelligible',
    ]);
    break;
  }
});

test('the expression of docs/adding-a-feed.md makes updates as it is written there', async (t) => {
  const text = await readFile(join(project, 'docs/adding-a-feed.md'), 'utf8');
  const blocks = [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const block = blocks.find((one) => one.includes('type: http')) ?? assert.fail();
  const { feeds } = parse(block) as { readonly feeds: readonly Record<string, unknown>[] };
  const { instruments, expression } = feeds[0] ?? assert.fail();

  await using server = await SourceServer.start();
  const hora = Date.parse('2026-11-20T17:59:58Z') / 1_000;
  const body = JSON.stringify({
    precios: [
      { simbolo: 'GGAL.BA', ultimo: 7_150.5, nominales: 1_000, hora },
      { simbolo: 'AAPL', ultimo: 230, nominales: 5, hora },
    ],
  });
  server.respond = healthy(() => ({ body }));
  const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'YPFD' }]);
  const now = Date.parse('2026-11-20T18:00:00Z');
  const config = { instruments, expression };
  const source = { type: httpType, universe, config, now, expected: [] };
  for await (const { updates } of createFeed(source, server.url).batches(t.signal)) {
    const at = hora * 1_000;
    assert.deepEqual(updates, [{ ticker: 'GGAL', at, last: 7_150.5, volume: 1_000 }]);
    break;
  }
});
