import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runPizarra, startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { healthy, SourceServer } from '../support/http/source-server.ts';
import { until } from '../support/wait.ts';

const recording = await readFile(
  join(import.meta.dirname, '../feeds/payloads/dolarapi.json'),
  'utf8',
);

test('a source that works is on the board, and one that cannot be reached is named and affects nothing', async () => {
  await using directory = await temporaryDirectory();
  await using source = await SourceServer.start();
  source.respond = healthy(({ url }) => (url === '/v1/dolares' ? { body: recording } : undefined));
  const gone = await SourceServer.start();
  await gone[Symbol.asyncDispose]();
  const config = join(directory.path, 'pizarra.yaml');
  await writeFile(
    config,
    `
feeds:
  - { name: mirror, type: dolarapi, url: '${gone.url}' }
  - { name: dolar, type: dolarapi, url: '${source.url}', delayMinutes: 5 }
  - { name: crypto, type: binance, url: '${gone.socketUrl}' }
`,
  );
  const data = join(directory.path, 'data');
  await using service = await startPizarra(['--store', data, '--config', config]);
  const authorization = `Bearer ${await service.firstKey()}`;
  const quotes = `${service.url}/cotizaciones?especie=DOLAR%20BLUE%20VENTA`;
  const [quote] = await until('the rate is on the board', async () => {
    const response = await fetch(quotes, { headers: { authorization } });
    const found = (await response.json()) as readonly { fecha: string; ultimo: number }[];
    return found.length > 0 ? found : undefined;
  });
  assert.deepEqual([quote?.fecha, quote?.ultimo], ['2026-11-20', 1560]);

  const readyz = await until('the failure is named', async () => {
    const response = await fetch(`${service.privateUrl}/readyz`);
    const body = await response.text();
    return body.includes('crypto') ? { status: response.status, body } : undefined;
  });
  assert.equal(readyz.status, 200);
  assert.match(
    readyz.body,
    /crypto: (?:stale, )?failed \(no connection, ECONNREFUSED\), next attempt at 20/,
  );
  assert.doesNotMatch(readyz.body, /dolar: (?:stale|failed)/);
  assert.match(readyz.body, /"sources":\{"ok":true,"reason":"push: 0 instruments, mirror: 0/);
  const listed = await fetch(`${service.url}/especies.json`, { headers: { authorization } });
  const rows = (await listed.json()) as readonly Record<string, unknown>[];
  const row = rows.find(({ especie }) => especie === 'DOLAR BLUE VENTA');
  assert.deepEqual([row?.['fuente'], row?.['demoraMinutos']], ['dolar', 5]);
  await service.logged('"msg":"feed failed, restarting"');
  // A crossed quote, a missing side and an unknown house of the recording.
  await service.logged('"msg":"feed sent data that was rejected"');
  assert.equal(await service.stop(), 0);
});

test('a fault in the configuration of a source stops the start, and has its line and column', async () => {
  await using directory = await temporaryDirectory();
  const config = join(directory.path, 'pizarra.yaml');
  await writeFile(config, 'feeds:\n  - name: dolar\n    type: dolarapi\n    pollSecond: 60\n');
  const data = join(directory.path, 'data');
  const { code, stderr } = await runPizarra(['serve', '--store', data, '--config', config]);
  assert.notEqual(code, 0);
  assert.ok(stderr.includes(`${config}:4:5: feeds[0].pollSecond is not a known field`), stderr);
});
