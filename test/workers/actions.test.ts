import assert from 'node:assert/strict';
import { pushPrice } from '../support/http/ask-service.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { createKey } from '../../src/node/keys/keys.ts';
import { addDays, toEpochDay, type PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { runPizarra, startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { openTestStore, storeAt } from '../support/program/test-store.ts';
import { KeptConnections } from './kept-connections.ts';
import { testStamp } from '../support/market/test-change.ts';

/** An instrument whose market is open at any time the test runs. */
const ticker = 'BTC' as Ticker;
const path = `/cotizaciones?especie=${ticker}`;

const shows =
  (text: string) =>
  ({ body }: { readonly body: string }): boolean =>
    body.includes(text);

test('contract 2.1.4, 4.2.9: an action that a command imports or removes is in force at once in every process of a running service', async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  const { key } = await createKey(storeAt(data), { name: 'read', scope: 'read' });
  const { key: ingestKey } = await createKey(storeAt(data), { name: 'ingest', scope: 'ingest' });
  await using service = await startPizarra(['--store', data, '--workers', '2']);
  const pushed = await pushPrice(service, ingestKey, 4_840);
  assert.equal(pushed.status, 200, await pushed.text());
  using connections = new KeptConnections(service.url, key);
  await connections.until(path, shows('"ultimo":4840,"variacion":null'));
  const [answer] = await connections.ask(path);
  const [quote] = JSON.parse(answer?.body ?? '') as readonly [{ readonly fecha: PlainDate }];
  const exDate = quote.fecha;
  {
    await using store = await openTestStore(data, { mode: 'write' });
    const day = toEpochDay(addDays(exDate, -1));
    await store.history.transaction(
      (transaction) => transaction.put(ticker, [{ day, close: 44_000, volume: null }]),
      testStamp,
    );
  }
  const unadjusted = '"ultimo":4840,"variacion":-89,"anterior":44000,';
  await connections.until(path, shows(unadjusted));
  const range = `especie=${ticker}&desde=2000-01-01&hasta=${exDate}`;
  const series = `/historicos?${range}&ajuste=splits`;
  const events = `/eventos?${range}`;
  await connections.until(series, shows('"ultimo":44000,'));
  await connections.until(events, shows('[]'));

  const file = join(directory.path, 'actions.csv');
  await writeFile(file, `ticker,date,type,factor\n${ticker},${exDate},split,10\n`);
  const run = (...args: readonly string[]) => runPizarra(['actions', ...args, '--store', data]);
  const dry = await run('import', file, '--dry-run');
  assert.deepEqual(
    [dry.code, dry.stdout],
    [0, 'Dry run, nothing stored. Files: 1. Actions: added 1, changed 0, same 0.\n'],
  );
  const imported = await run('import', file, '--json');
  assert.deepEqual(JSON.parse(imported.stdout), {
    files: 1,
    added: 1,
    changed: 0,
    same: 0,
    unknown: [],
    dryRun: false,
  });
  await connections.until(path, shows('"ultimo":4840,"variacion":10,"anterior":4400,'));
  const answers = await connections.ask(path);
  assert.equal(new Set(answers.map(({ body }) => body)).size, 1);
  assert.equal(new Set(answers.map(({ headers }) => headers.etag)).size, 1);
  // The series is on the basis of the quote, so its last close is the previous close of the quote.
  await connections.until(series, shows('"ultimo":4400,'));
  await connections.until(events, shows(`"fecha":"${exDate}","tipo":"split","factor":10}]`));

  const removed = await run('remove', ticker.toLowerCase(), exDate, 'split');
  assert.equal(removed.stdout, `Removed the split of ${ticker} on ${exDate}.\n`);
  await connections.until(path, shows(unadjusted));
  await connections.until(series, shows('"ultimo":44000,'));
  await connections.until(events, shows('[]'));
  const again = await run('remove', ticker, exDate, 'split');
  assert.deepEqual([again.code, again.stdout], [1, '']);
  assert.match(again.stderr, /There is no split of BTC on .* "pizarra actions list" lists all/);
});
