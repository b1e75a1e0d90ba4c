import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { createKey } from '../../src/node/keys/keys.ts';
import { runPizarra, startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { storeAt } from '../support/program/test-store.ts';
import { KeptConnections } from './kept-connections.ts';

test('contract 4.14: an imported value is served at once by every process of a running service', async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  const { key } = await createKey(storeAt(data), { name: 'read', scope: 'read' });
  // A key for updates ends the demonstration.
  await createKey(storeAt(data), { name: 'ingest', scope: 'ingest' });
  await using service = await startPizarra(['--store', data, '--workers', '2']);
  using connections = new KeptConnections(service.url, key);
  await connections.until('/indices?indice=CER', ({ body }) => body === '[]');
  const file = join(directory.path, 'indices.csv');
  for (const value of [758.5, 759.25]) {
    await writeFile(file, `indice,fecha,valor\nCER,2099-12-15,${value}\n`);
    assert.equal((await runPizarra(['indices', 'import', file, '--store', data])).code, 0);
    const row = `[{"indice":"CER","fecha":"2099-12-15","valor":${value}}]`;
    await connections.until('/indices?indice=CER', ({ body }) => body === row);
  }
  await connections.until('/indices', ({ body }) =>
    body.includes('"desde":"2099-12-15","hasta":"2099-12-15"'),
  );
});
