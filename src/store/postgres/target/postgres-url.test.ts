import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../../test/store/temporary-directory.ts';
import { passwordFor } from './password.ts';
import { parsePostgresUrl } from './postgres-url.ts';

test('a URL names user, hosts, database and schema', () => {
  const target = parsePostgresUrl(
    'postgresql://an%40a:s%3Acret@db1.example:6000,[2001:db8::1],db3/quo%20tes?schema=prod&sslrootcert=ca.pem',
  );
  assert.deepEqual(target, {
    hosts: [
      { host: 'db1.example', port: 6000 },
      { host: '2001:db8::1', port: 5432 },
      { host: 'db3', port: 5432 },
    ],
    isAnyHost: false,
    user: 'an@a',
    database: 'quo tes',
    password: 's:cret',
    schema: 'prod',
    tls: { mode: 'verify-full', rootCert: 'ca.pem' },
    name: 'PostgreSQL at db1.example:6000,[2001:db8::1]:5432,db3:5432/quo tes, schema prod',
  });
});

test('usual parameters of libpq are used', () => {
  const { connectMs, hosts, user, database, password } = parsePostgresUrl(
    'postgres:///?host=/run/postgresql&port=6432&user=u&password=p&dbname=d&connect_timeout=10',
  );
  assert.deepEqual([user, password, database, connectMs], ['u', 'p', 'd', 10_000]);
  assert.deepEqual(hosts, [{ host: '/run/postgresql', port: 6432 }]);
});

function modeOf(rest: string): string {
  return parsePostgresUrl(`postgres://u@${rest}`).tls.mode;
}

test('only a server on this machine may be reached without encryption, unless the URL says so', () => {
  assert.equal(modeOf('127.0.0.1/d'), 'disable');
  assert.equal(modeOf('localhost,[::1]/d'), 'disable');
  assert.equal(modeOf('%2Fvar%2Frun%2Fpostgresql/d'), 'disable');
  assert.equal(modeOf('/d?host=/var/run/postgresql'), 'disable');
  assert.equal(modeOf('db/d'), 'verify-full');
  assert.equal(modeOf('localhost,db/d'), 'verify-full');
  assert.equal(modeOf('db/d?sslmode=disable'), 'disable');
  assert.equal(modeOf('db/d?sslmode=require-unverified'), 'require-unverified');
});

test('a wrong URL is refused with its mistake, and its password is not repeated', () => {
  const mistakes: readonly (readonly [string, RegExp])[] = [
    ['db/d', /names no user/],
    ['u:hunter2@db', /names no database/],
    ['u:hunter2@/d', /names no host/],
    ['u:hunter2@db:0/d', /port must be/],
    ['u:hunter2@db:x/d', /HOST:PORT/],
    ['u:hunter2@d%zz/d', /host is not percent-encoded/],
    ['u:hunter2@db/d?sslmode=require', /does not verify the server.*require-unverified/],
    ['u:hunter2@db/d?sslmode=prefer', /does not verify the server/],
    ['u:hunter2@db/d?sslmode=maybe', /sslmode must be/],
    ['u:hunter2@db/d?sslmode=disable&sslrootcert=a', /contradicts/],
    ['u:hunter2@db/d?sslcert=a', /sslcert and sslkey/],
    ['u:hunter2@db/d?options=-c', /leave out the parameter options: .*ALTER ROLE/],
    ['u:hunter2@db/d?channel_binding=require', /parameter channel_binding: .*verify-full/],
    ['u:hunter2@db/d?application_name=x', /leave out the parameter application_name/],
    ['u:hunter2@db/d?pgbouncer=true', /leave out the parameter pgbouncer: .*session mode/],
    ['u:hunter2@db/d?constructor=x', /unknown parameter constructor/],
    ['u:hunter2@db/d?connect_timeout=0', /connect_timeout must be from 1 to 60 seconds/],
    ['u:hunter2@db/d?connect_timeout=2s', /connect_timeout must be/],
    ['u:hunter2@db/d?user=v', /user is given twice/],
    ['u:hunter2@db:1/d?port=2', /port is given twice/],
    ['u:hunter2@db/d?port=x', /port must be/],
    ['u:part@hunter2@db/d', /HOST:PORT/],
    ['u:pa?hunter2@db/d', /names no user|unknown parameter;/],
    ['u@db/d?hunter2@x=1', /unknown parameter;/],
    ['u:hunter2@db/d?schema=a&schema=b', /given twice/],
    ['u:hunter2@db/d?schema=pg_catalog', /reserved/],
    [`u:hunter2@db/d?schema=${'a'.repeat(51)}`, /1 to 50 bytes/],
    ['u:hunter2@db/d?target_session_attrs=standby', /read-write or any/],
  ];
  for (const [rest, message] of mistakes) {
    assert.throws(
      () => parsePostgresUrl(`postgres://${rest}`),
      (error) =>
        error instanceof Error && message.test(error.message) && !error.message.includes('hunter2'),
      rest,
    );
  }
});

test('the password is that of the URL, else of the environment, else of the passfile', async (t) => {
  const directory = await temporaryDirectory(t);
  const file = join(directory, 'passfile');
  writeFileSync(
    file,
    ['# comment', 'other:*:*:*:no', 'db:5432:d:u:of\\:d\\\\b', '*:*:*:u:of any', ''].join('\n'),
    { mode: 0o600 },
  );
  const host = { host: 'db', port: 5432 };
  const target = parsePostgresUrl('postgres://u@db/d');
  const withPassword = parsePostgresUrl('postgres://u:own@db/d');
  const all = { PGPASSWORD: 'variable', PGPASSFILE: file };
  assert.equal(passwordFor(withPassword, host, all), 'own');
  assert.equal(passwordFor(target, host, all), 'variable');
  assert.equal(passwordFor(target, host, { PGPASSFILE: file }), 'of:d\\b');
  assert.equal(passwordFor(target, { host: 'x', port: 1 }, { PGPASSFILE: file }), 'of any');
  assert.equal(passwordFor(target, host, {}), undefined);
  assert.equal(passwordFor(target, host, { HOME: directory }), undefined);
  const missing = { PGPASSFILE: join(directory, 'none') };
  assert.throws(() => passwordFor(target, host, missing), /cannot read the passfile/);
  chmodSync(file, 0o644);
  assert.throws(() => passwordFor(target, host, { PGPASSFILE: file }), /chmod 600/);
});
