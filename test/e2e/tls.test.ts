import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';

import type { CertificatePair } from '../../src/http/carriers/connection/certificate.ts';
import { makeCertificate } from '../support/program/make-certificate.ts';
import { runPizarra, startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { once } from '../support/wait.ts';

const made = makeCertificate();

async function writePair(directory: string, { cert, key }: CertificatePair): Promise<void> {
  await writeFile(join(directory, 'cert.pem'), cert);
  await writeFile(join(directory, 'key.pem'), key);
}

async function open(url: string): Promise<TLSSocket> {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return socket;
}

/** The name in the certificate that a new connection gets. */
async function nameShown(url: string): Promise<unknown> {
  const socket = await open(url);
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return subject.CN;
}

async function refusalOf(...args: readonly string[]): Promise<string> {
  await using directory = await temporaryDirectory();
  const ports = ['--port', '0', '--private-port', '0', '--store', directory.path];
  const { code, stderr } = await runPizarra(['serve', ...ports, ...args]);
  assert.equal(code, 2, stderr);
  return stderr;
}

test('contract 5.3: the service does not start when keys would cross a network over plain HTTP', async () => {
  assert.match(await refusalOf('--host', '0.0.0.0'), /--tls-cert and --tls-key.*--behind-proxy/);
  assert.match(await refusalOf('--host', '::'), /unencrypted/);
  const behind = ['--behind-proxy', '10.0.0.1'];
  assert.match(
    await refusalOf('--private-host', '0.0.0.0', ...behind),
    /--private-host 0\.0\.0\.0/,
  );
});

test('with a named proxy, the service listens for plain HTTP on every address', async () => {
  await using directory = await temporaryDirectory();
  const args = ['--store', directory.path, '--host', '0.0.0.0', '--behind-proxy', '127.0.0.1'];
  await using service = await startPizarra(args);
  const response = await fetch(`${service.url.replace('0.0.0.0', '127.0.0.1')}/healthz`);
  assert.equal(response.status, 200);
});

test('a certificate without its key, a missing file and a file that is not a certificate give an error of one line', async () => {
  assert.match(await refusalOf('--tls-cert', 'cert.pem'), /only one of them is set/);
  await using directory = await temporaryDirectory();
  const file = join(directory.path, 'x.pem');
  const run = (cert: string) =>
    runPizarra(['serve', '--store', directory.path, '--tls-cert', cert, '--tls-key', cert]);
  assert.match((await run(file)).stderr, /^pizarra: Cannot read \S+x\.pem: ENOENT\.\n$/);
  await writeFile(file, 'no certificate');
  assert.match((await run(file)).stderr, /^pizarra: Cannot use the certificate [^\n]+\n$/);
});

suite('with a certificate', { skip: made === undefined && 'openssl is not installed' }, () => {
  test('a running service uses a renewed certificate but not a broken one, and no connection drops', async () => {
    await using directory = await temporaryDirectory();
    const { path } = directory;
    await writePair(path, made ?? assert.fail());
    const files = ['--tls-cert', join(path, 'cert.pem'), '--tls-key', join(path, 'key.pem')];
    await using service = await startPizarra(['--store', join(path, 'data'), ...files]);
    assert.match(service.url, /^https:/);
    const before = await open(service.url);
    assert.equal(await nameShown(service.url), 'localhost');

    await writeFile(join(path, 'cert.pem'), 'half of a certificate');
    await service.logged('new TLS certificate not usable');
    assert.equal(await nameShown(service.url), 'localhost');
    await writePair(path, makeCertificate('renewed') ?? assert.fail());
    await service.logged('TLS certificate renewed');
    // The line is logged just after new connections get the certificate.
    assert.equal(await nameShown(service.url), 'renewed');

    before.setEncoding('utf8').write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    assert.match(String(await once(before, 'data')), /^HTTP\/1\.1 200 /);
    before.destroy();
    assert.doesNotMatch(service.stderr(), /PRIVATE KEY/);
  });
});
