import assert from 'node:assert/strict';
import { priceAt, pushPrice } from '../support/http/ask-service.ts';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createKey } from '../../src/node/keys/keys.ts';
import type { KeyScope } from '../../src/domain/access/api-key.ts';
import { startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { isInPostgres, storeAt } from '../support/program/test-store.ts';

async function makeKey(data: string, scope: KeyScope): Promise<string> {
  return (await createKey(storeAt(data), { name: scope, scope })).key;
}

test('with least rights, the service does all that it does without, under the same process id', async () => {
  await using directory = await temporaryDirectory();
  const data = directory.path;
  const [read, ingest, metrics] = [
    await makeKey(data, 'read'),
    await makeKey(data, 'ingest'),
    await makeKey(data, 'metrics'),
  ];
  await using service = await startPizarra(['--store', data, '--least-rights']);
  const commandLine = await readFile(`/proc/${service.child.pid}/cmdline`, 'utf8');
  const flags = commandLine.split('\0');
  assert.ok(flags.includes('--permission'), commandLine);
  assert.deepEqual(
    flags.filter((flag) => flag.startsWith('--allow-fs-write')),
    isInPostgres ? [] : [`--allow-fs-write=${data}`],
  );
  assert.ok(!flags.includes('--allow-child-process'));

  const pushed = await pushPrice(service, ingest, 1234);
  assert.equal(pushed.status, 200, await pushed.text());
  assert.equal(await priceAt(service, read), 1234);
  const measured = await fetch(`${service.privateUrl}/metrics`, {
    headers: { authorization: `Bearer ${metrics}` },
  });
  assert.match(await measured.text(), /^process_open_fds \d+/m);

  service.child.kill('SIGHUP');
  await service.logged('reloaded"');
  assert.ok(!service.stderr().includes('not reloaded'), service.stderr());
  assert.equal(await service.stop(), 0);
  const lines = service.stderr().trim().split('\n');
  assert.ok(
    lines.every((line) => line.startsWith('{')),
    'the log has only lines of the program',
  );
});

test('with the least rights compiled code is cached in the data directory for the next start', async () => {
  await using directory = await temporaryDirectory();
  const data = directory.path;
  for (const start of ['first', 'second']) {
    await using service = await startPizarra(['--store', data, '--least-rights']);
    const environment = await readFile(`/proc/${service.child.pid}/environ`, 'utf8');
    assert.ok(environment.split('\0').includes(`NODE_COMPILE_CACHE=${data}/compiled`), start);
    assert.equal(await service.stop(), 0);
    const [cache = ''] = await readdir(join(data, 'compiled'));
    const cached = await readdir(join(data, 'compiled', cache));
    // A bundled program has few modules.
    assert.ok(cached.length > 20, `${cached.length} modules after the ${start} start`);
  }
});
