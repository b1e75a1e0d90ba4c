import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { makeCertificate } from '../../../test/support/program/make-certificate.ts';
import { silentLog } from '../../lib/reports/log.ts';
import { keepCertificate } from './open-transport.ts';
import { once } from '../../../test/support/wait.ts';

test('unreadable files are reported, and again when they become unreadable again', async (t) => {
  const made = ['one', 'two', 'three'].map((name) => makeCertificate(name));
  const [first, ...others] = made.filter((pair) => pair !== undefined);
  if (first === undefined) return t.skip('openssl is not installed');
  const directory = await temporaryDirectory(t);
  const files = { cert: join(directory, 'cert.pem'), key: join(directory, 'key.pem') };
  await writeFile(files.cert, first.cert);
  await writeFile(files.key, first.key);
  const logged = new EventEmitter();
  const log = {
    ...silentLog,
    info: (_: object, message: string) => void logged.emit(message),
    error: () => void logged.emit('fault'),
  };

  await using kept = await keepCertificate(files, log, { pollMs: 1 });
  for (const next of others) {
    const fault = once(logged, 'fault');
    await rm(files.key);
    await fault;
    const renewed = once(logged, 'TLS certificate renewed');
    await writeFile(files.cert, next.cert);
    await writeFile(files.key, next.key);
    await renewed;
    assert.equal(kept.certificate.pair.key, next.key);
  }
});

test('an empty file, as a renewal leaves it for a moment, replaces neither the certificate nor the key', async (t) => {
  const pair = makeCertificate();
  if (pair === undefined) return t.skip('openssl is not installed');
  const directory = await temporaryDirectory(t);
  const files = { cert: join(directory, 'cert.pem'), key: join(directory, 'key.pem') };
  await writeFile(files.cert, pair.cert);
  await writeFile(files.key, '');
  await assert.rejects(keepCertificate(files, silentLog), /the key is empty/);
  await writeFile(files.key, pair.key);
  const logged = new EventEmitter();
  const log = { ...silentLog, error: () => void logged.emit('fault') };
  await using kept = await keepCertificate(files, log, { pollMs: 1 });
  for (const file of [files.key, files.cert]) {
    const fault = once(logged, 'fault');
    await writeFile(file, '');
    await fault;
    assert.deepEqual(kept.certificate.pair, pair);
  }
});
