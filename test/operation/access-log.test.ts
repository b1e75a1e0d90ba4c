import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Log } from '../../src/lib/reports/log.ts';
import { startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { startPrivateServer } from '../support/http/start-private-server.ts';

test('--access-log off logs no response of either listener', async () => {
  await using directory = await temporaryDirectory();
  await using service = await startPizarra(['--store', directory.path, '--access-log', 'off']);
  for (const base of [service.url, service.privateUrl]) {
    for (const path of ['/healthz', '/nada']) await (await fetch(base + path)).text();
  }
  await service.stop();
  assert.doesNotMatch(service.stderr(), /"path":/);
});

test('the private listener logs every response unless the access log is off', async () => {
  for (const [accessLog, expected] of [
    ['off', []],
    ['refused', ['/healthz', '/nada']],
    ['all', ['/healthz', '/nada']],
  ] as const) {
    const paths: unknown[] = [];
    const info = (line: object): void => void paths.push('path' in line && line.path);
    const log: Log = { debug: info, info, warn: info, error: info };
    {
      await using server = await startPrivateServer({ accessLog, log });
      for (const path of ['/healthz', '/nada']) await (await fetch(server.url + path)).text();
    }
    assert.deepEqual(paths, expected);
  }
});
