import assert from 'node:assert/strict';
import { pushPrice } from '../support/http/ask-service.ts';
import { test } from 'node:test';

import { createKey, type NewKey } from '../../src/node/keys/keys.ts';
import { openStream, type EventStream } from '../support/http/event-stream.ts';
import {
  runPizarra,
  startPizarra,
  temporaryDirectory,
  type RunningService,
} from '../support/program/program.ts';
import { until } from '../support/wait.ts';
import { storeAt } from '../support/program/test-store.ts';

async function push(service: RunningService, { key }: NewKey, last: number): Promise<void> {
  const response = await pushPrice(service, key, last);
  assert.equal(response.status, 200, await response.text());
}

function open(
  { url }: RunningService,
  { key }: NewKey,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const target = `${url}/cotizaciones/stream?especie=BTC`;
  return openStream(target, { authorization: `Bearer ${key}`, ...headers });
}

const lasts = ({ events }: EventStream): number[] =>
  events
    .filter(({ event }) => event === 'cotizacion')
    .map(({ data }) => (JSON.parse(data) as { readonly ultimo: number }).ultimo);

test('a client that reconnects after a restart misses no quote and receives none twice', async () => {
  await using directory = await temporaryDirectory();
  const data = directory.path;
  const source = await createKey(storeAt(data), { name: 'ingest', scope: 'ingest' });
  const reader = await createKey(storeAt(data), { name: 'read', scope: 'read' });
  let lastId = '';
  {
    await using service = await startPizarra(['--store', data]);
    await push(service, source, 7_410);
    using stream = await open(service, reader);
    await stream.until(({ events }) => events.length === 1);
    assert.deepEqual(lasts(stream), [7_410]);
    lastId = stream.events[0]?.id ?? '';
    assert.equal(await service.stop(), 0);
    await stream.ended();
    assert.match(stream.events.at(-1)?.data ?? '', /"motivo":"detencion"/);
  }
  await using service = await startPizarra(['--store', data]);
  using stream = await open(service, reader, { 'last-event-id': lastId });
  await push(service, source, 7_420);
  await stream.until(({ events }) => events.length === 1);
  assert.deepEqual(lasts(stream), [7_420]);
  assert.ok(Number(stream.events[0]?.id) > Number(lastId));
});

test('revoking a key with the command line ends its streams in a running service', async () => {
  await using directory = await temporaryDirectory();
  const data = directory.path;
  const source = await createKey(storeAt(data), { name: 'ingest', scope: 'ingest' });
  const reader = await createKey(storeAt(data), { name: 'read', scope: 'read' });
  await using service = await startPizarra(['--store', data]);
  await push(service, source, 7_410);
  using stream = await open(service, reader);
  await stream.until(({ events }) => events.length === 1);
  const { code, stderr } = await runPizarra(['keys', 'revoke', reader.id, '--store', data]);
  assert.equal(code, 0, stderr);
  await stream.ended();
  assert.match(stream.events.at(-1)?.data ?? '', /"motivo":"clave"/);
  assert.equal((await open(service, reader)).status, 401);
});

test('a source that pushes ends a demonstration, and only gets 401 or 503 until then', async () => {
  await using directory = await temporaryDirectory();
  await using service = await startPizarra(['--store', directory.path]);
  const source = await createKey(storeAt(directory.path), { name: 'ingest', scope: 'ingest' });
  await until('the update is accepted', async () => {
    const response = await pushPrice(service, source.key, 1);
    const answer = (await response.json()) as { readonly accepted?: number };
    if (response.status === 200) {
      assert.equal(answer.accepted, 1);
      return true;
    }
    // 401: the service does not know the key yet. 503: the demonstration is still being replaced.
    assert.ok(response.status === 401 || response.status === 503, `${response.status}`);
    return false;
  });
  const reader = await createKey(storeAt(directory.path), { name: 'read', scope: 'read' });
  using stream = await until('the new key opens a stream', async () => {
    const opened = await open(service, reader);
    if (opened.status === 200) return opened;
    // The service does not know the key yet, or refuses the address because of earlier attempts.
    opened[Symbol.dispose]();
    return undefined;
  });
  await stream.until(({ events }) => events.length === 1);
  assert.equal(stream.header('data-source'), undefined);
  assert.deepEqual(lasts(stream), [1]);
});
