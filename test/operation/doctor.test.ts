import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { appendFile, chmod, cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

import { checkService } from '../../src/operator/doctor/check-service.ts';
import type { Finding } from '../../src/lib/reports/finding.ts';
import { openPlace } from '../../src/node/place/open-place.ts';
import { resolveSettings } from '../../src/config/settings/resolve-settings.ts';
import { makeCertificate } from '../support/program/make-certificate.ts';
import { runPizarra, startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { once } from '../support/wait.ts';
import { storeAt } from '../support/program/test-store.ts';

/** Port 0, at which no service listens. */
const anyPorts = ['--port', '0', '--private-port', '0'];

async function examined(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly of: (check: string) => Finding | undefined }> {
  const { code, stdout, stderr } = await runPizarra(['doctor', '--json', ...args]);
  assert.equal(stderr, '');
  const findings = JSON.parse(stdout) as readonly Finding[];
  for (const { state, todo } of findings) {
    assert.equal(todo === undefined, state === 'fine', 'a check that is not fine says what to do');
  }
  return { code, of: (check) => findings.find((one) => one.check === check) };
}

/** The checks of the doctor about the service, with these settings. */
async function checksOfService(
  flags: Readonly<Record<string, string>>,
  now = Date.now(),
): Promise<(check: string) => Finding | undefined> {
  const settings = resolveSettings({ flags, environment: {} });
  await using place = openPlace(storeAt(settings.store));
  const findings = await checkService(place, settings, now);
  return (check) => findings.find((one) => one.check === check);
}

test('doctor reports that a new data directory is ready for a start, and creates nothing in it', async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  const { code, of } = await examined('--store', data, ...anyPorts);
  assert.equal(code, 0);
  assert.equal(of('data')?.state, 'warning');
  assert.equal(of('universe')?.state, 'fine');
  await assert.rejects(readFile(data), { code: 'ENOENT' });
});

test('doctor and universe check warn of an instrument that has matured and is still in a panel', async () => {
  await using directory = await temporaryDirectory();
  const universe = join(directory.path, 'universe');
  await cp(resolve(import.meta.dirname, '../../universe'), universe, { recursive: true });
  const rows = [
    'OLDBILL,Letra vencida,bill,BYMA,ARS,,,BONOS,,,2020-10-30',
    'OLDBOND,Bono vencido,bond,BYMA,ARS,,,,,,2020-10-30',
  ];
  await appendFile(join(universe, 'instruments.csv'), `${rows.join('\n')}\n`);
  const { code, stdout } = await runPizarra(['universe', 'check', universe]);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /: \d+ instruments, .* no faults\.\n/);
  assert.match(stdout, /^WARN +maturities .* OLDBOND \(2020-10-30\)\.$/m);
  assert.match(stdout, /^ +- OLDBILL \(2020-10-30\): matured, in BONOS$/m);

  const data = join(directory.path, 'data');
  const doctor = await examined('--store', data, '--universe', universe, ...anyPorts);
  assert.equal(doctor.code, 0);
  const finding = doctor.of('maturities');
  assert.equal(finding?.state, 'warning');
  assert.ok(finding.cases?.includes('OLDBILL (2020-10-30): matured, in BONOS'));
});

test('doctor finds the running service by its data directory, ignores other services, and shows no key', async () => {
  await using directory = await temporaryDirectory();
  const [data, elsewhere] = [join(directory.path, 'data'), join(directory.path, 'other')];
  const config = join(directory.path, 'pizarra.yaml');
  await writeFile(config, 'basePath: /v5\n');
  const closes = join(directory.path, 'closes.csv');
  await writeFile(closes, 'ticker,date,close,open,high,low,volume\nGGAL,2026-11-19,100,,,,\n');
  assert.equal((await runPizarra(['import', closes, '--store', data])).code, 0);
  await using service = await startPizarra(['--store', data, '--config', config]);
  const key = await service.firstKey();
  // Another installation listens on the ports in the settings of this one.
  await using other = await startPizarra(['--store', elsewhere, '--workers', '2']);
  const [port = '', privatePort = ''] = [other.url, other.privateUrl].map(
    (url) => new URL(url).port,
  );
  const flags = { port, privatePort };
  const told = ['--port', port, '--private-port', privatePort];
  const people = await runPizarra(['doctor', '--store', data, ...told]);
  assert.equal(people.code, 0, people.stdout);
  for (const check of ['service', 'healthz', 'readyz', 'database', 'keys', 'data', 'disk']) {
    assert.match(people.stdout, new RegExp(`^fine +${check} `, 'm'));
  }
  assert.ok(people.stdout.includes(` runs on ${data}, process ${service.child.pid}.\n`));
  assert.ok(people.stdout.includes(` ${service.url}/healthz reports no fault.\n`));
  assert.ok(people.stdout.includes(` ${service.privateUrl}/readyz reports no fault.\n`));
  assert.match(service.url, /\/v5$/);
  assert.ok(!people.stdout.includes(key.slice(0, 12)));

  // A reload changes the base path, and doctor uses the new one.
  await writeFile(config, 'basePath: /v6\n');
  service.child.kill('SIGHUP');
  await service.logged('"msg":"configuration reloaded"');
  const reloaded = await checksOfService({ store: data, ...flags });
  assert.match(reloaded('healthz')?.says ?? '', /\/v6\/healthz reports no fault\.$/);

  const record = join(data, 'serve.json');
  assert.equal((await stat(record)).mode & 0o777, 0o600);
  const written = JSON.parse(await readFile(record, 'utf8')) as object;
  const { url, privateUrl } = other;
  await writeFile(record, JSON.stringify({ ...written, url, privateUrl }));
  const misled = await checksOfService({ store: data });
  const closed = 'http://127.0.0.1:1';
  await writeFile(record, JSON.stringify({ ...written, url: closed, privateUrl: closed }));
  const silent = await checksOfService({ store: data });
  for (const check of ['healthz', 'readyz']) {
    assert.match(misled(check)?.says ?? '', /is served by another program than process \d+\.$/);
    assert.match(silent(check)?.says ?? '', /does not respond within 3000 ms\.$/);
    assert.deepEqual([misled(check)?.state, silent(check)?.state], ['wrong', 'wrong']);
  }
  await writeFile(record, '{"url":');
  const unwritten = await checksOfService({ store: data });
  assert.equal(unwritten('service')?.state, 'warning');
  assert.equal(unwritten('healthz'), undefined);

  // The record of a killed service is ignored.
  await writeFile(record, JSON.stringify(written));
  await service.stop('SIGKILL');
  const killed = await checksOfService({ store: data, ...flags });
  assert.equal(killed('service')?.says, `No service runs on ${data}, which has data.`);
  assert.match(killed('port')?.says ?? '', /EADDRINUSE/);

  // All processes of a service are the same instance. The service removes the file when it stops.
  const ofOther = await checksOfService({ store: elsewhere });
  assert.equal(ofOther('healthz')?.state, 'fine', JSON.stringify(ofOther('healthz')));
  assert.equal(await other.stop(), 0);
  await assert.rejects(stat(join(elsewhere, 'serve.json')), { code: 'ENOENT' });
});

test('doctor compares the served certificate with the configured one, and recognises a self-signed one', async (t) => {
  const [pair, another] = [makeCertificate(), makeCertificate('another')];
  if (pair === undefined || another === undefined) return t.skip('openssl is not installed');
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  const [cert, key] = [join(directory.path, 'cert.pem'), join(directory.path, 'key.pem')];
  await writeFile(cert, pair.cert);
  await writeFile(key, pair.key);
  await using _ = await startPizarra(['--store', data, '--tls-cert', cert, '--tls-key', key]);
  const atDay = async (days: number): Promise<Finding | undefined> => {
    const of = await checksOfService({ store: data }, Date.now() + days * 86_400_000);
    assert.match(of('healthz')?.says ?? '', /^https:\S+ reports no fault\.$/);
    return of('certificate');
  };
  const now = await atDay(0);
  assert.equal(now?.state, 'fine', JSON.stringify(now));
  assert.match(now.says, /DNS:localhost.*; self-signed[^;]*$/);
  assert.match((await atDay(-2))?.says ?? '', /^The certificate is valid from/);
  assert.equal((await atDay(80))?.state, 'warning');
  const over = await atDay(91);
  assert.deepEqual([over?.state, over?.says.slice(0, 23)], ['wrong', 'The certificate expired']);

  // A certificate that does not match its key is never served.
  await writeFile(cert, another.cert);
  const kept = await atDay(0);
  assert.equal(kept?.state, 'warning');
  assert.match(kept.says, /is not that of \S+cert\.pem/);
});

/** Whether every user may enter the folders above a file. Those that `mktemp -d` makes are closed to others. */
function isOpenToAll(file: string): boolean {
  const folder = dirname(file);
  if ((statSync(folder).mode & 0o001) === 0) return false;
  return folder === '/' || isOpenToAll(folder);
}

test('doctor, run by another user, names the owner of the data and reports nothing that it cannot check', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can become another user');
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  await mkdir(data, { mode: 0o700 });
  await chmod(directory.path, 0o755);
  if (!isOpenToAll(process.execPath)) return t.skip('the project is closed to other users');
  const asNobody = await runPizarra(['doctor', '--json', '--store', data, ...anyPorts], {
    uid: 65_534,
  });
  if (asNobody.stdout === '')
    return t.skip(`another user cannot run this program: ${asNobody.stderr}`);
  const findings = JSON.parse(asNobody.stdout) as readonly Finding[];
  const of = (check: string) => findings.find((one) => one.check === check);
  assert.match(
    of('data')?.says ?? '',
    /^User 65534 may not read and write \S+, which belongs to user 0\./,
  );
  assert.match(of('data')?.todo ?? '', /sudo -u '#0'/);
  assert.match(of('service')?.says ?? '', /^Cannot determine whether a service runs on/);
  assert.equal(of('database'), undefined);
  assert.equal(asNobody.code, 1);
});

test('doctor reports each fault with what to do, and exits with 1', async () => {
  await using directory = await temporaryDirectory();
  const data = directory.path;
  const made = await runPizarra(['keys', 'create', '--store', data, '--name', 'x']);
  assert.equal(made.code, 0, made.stderr);

  await chmod(data, 0o755);
  const open = await examined('--store', data, ...anyPorts);
  assert.equal(open.of('data')?.todo, `chmod 700 ${data}`);
  assert.equal(open.code, 0, 'a warning does not change the exit code');

  await using busy = createServer();
  busy.listen(0, '127.0.0.1');
  await once(busy, 'listening');
  const { port } = busy.address() as AddressInfo;
  const taken = await examined('--store', data, '--port', String(port), '--private-port', '0');
  assert.match(taken.of('port')?.says ?? '', /EADDRINUSE/);
  assert.equal(taken.code, 1);

  const noUniverse = await examined('--store', data, '--universe', data, ...anyPorts);
  assert.equal(noUniverse.of('universe')?.state, 'wrong');
  assert.ok((noUniverse.of('universe')?.cases ?? []).length > 0);

  const config = join(data, 'my.yaml');
  await writeFile(config, 'feeds: [{ name: x, type: telepathy }]\n');
  const feeds = await examined('--store', data, '--config', config, ...anyPorts);
  assert.match(feeds.of('configuration')?.says ?? '', /telepathy|type/);
  await writeFile(config, 'port: many\n');
  const settings = await examined('--config', config);
  assert.match(settings.of('configuration')?.says ?? '', /cannot be "many"/);
  assert.equal(settings.code, 1);

  const path = join(data, 'pizarra.db');
  const bytes = await readFile(path);
  bytes.fill(0xff, 4096, 4160);
  await writeFile(path, bytes);
  const damaged = await examined('--store', data, ...anyPorts);
  assert.equal(damaged.of('database')?.state, 'wrong');
  assert.match(damaged.of('database')?.todo ?? '', /restore/);
  assert.equal(damaged.code, 1);
});
