import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeCertificate } from '../../../test/support/program/make-certificate.ts';
import { readAuthorities } from './feed-config.ts';

test('of a PEM file, the certificates are read and a key is ignored', (t) => {
  const pair = makeCertificate();
  if (pair === undefined) return t.skip('needs openssl');
  const directory = mkdtempSync(join(tmpdir(), 'pizarra-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'both.pem');
  writeFileSync(path, `# our authority\n${pair.key}${pair.cert}${pair.cert}`);
  const cert = pair.cert.trim();
  assert.deepEqual(readAuthorities(path), { pem: `${cert}\n${cert}` });
});

test('a file that is missing, is no file, has no certificate or a damaged one is named with what is wrong', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'pizarra-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'ca.pem');
  assert.equal(
    faultOf(path),
    `must be a PEM file that this user may read, and ${path} is not: ENOENT`,
  );
  mkdirSync(path);
  assert.match(faultOf(path), /: EISDIR$/);
  rmSync(path, { recursive: true });
  writeFileSync(path, 'ssh-ed25519 AAAA operator@host\n');
  assert.equal(faultOf(path), `must be a PEM file with certificates, and ${path} has none`);
  writeFileSync(path, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
  assert.equal(
    faultOf(path),
    `must be a PEM file with certificates, and certificate 1 of ${path} cannot be read`,
  );
});

function faultOf(file: string): string {
  const read = readAuthorities(file);
  return 'fault' in read ? read.fault : assert.fail('it was read');
}
