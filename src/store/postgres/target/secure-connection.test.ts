import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { makeCertificate } from '../../../../test/support/program/make-certificate.ts';
import { placeDeps } from '../../../../test/support/postgres/postgres-place.ts';
import { lacksPostgres } from '../../../../test/support/postgres/postgres-programs.ts';
import { startPostgres } from '../../../../test/support/postgres/postgres-server.ts';
import { temporaryDirectory } from '../../../../test/store/temporary-directory.ts';
import { PostgresPlace } from '../postgres-place.ts';
import type { PostgresEnvironment } from './password.ts';

const certificate = lacksPostgres() === false ? makeCertificate() : undefined;
const skip = lacksPostgres() || (certificate === undefined && 'OpenSSL is not installed');

describe('a connection to PostgreSQL', { skip }, () => {
  test('the server and the password are verified, and no message repeats the password', async (t) => {
    assert.ok(certificate !== undefined);
    await using server = await startPostgres({
      certificate,
      hba: [
        // The first user is needed to create the second one.
        'local all pizarra trust',
        'hostssl all keeper all scram-sha-256',
        'host all pizarra 127.0.0.1/32 trust',
        '',
      ].join('\n'),
      settings: { listen_addresses: '127.0.0.1,127.0.0.2' },
    });
    const directory = await temporaryDirectory(t);
    const [own, other] = [join(directory, 'own.pem'), join(directory, 'other.pem')];
    writeFileSync(own, certificate.cert);
    writeFileSync(other, makeCertificate('other')?.cert ?? '');
    const { Client } = await import('pg');
    const administrator = new Client({ connectionString: server.url('x').split('?')[0] });
    await administrator.connect();
    await administrator.query(
      `CREATE USER keeper PASSWORD 'hunter2'; GRANT CREATE ON DATABASE postgres TO keeper`,
    );
    await administrator.end();

    const open = async (
      parameters: Readonly<Record<string, string>>,
      from: { readonly host?: string; readonly environment?: PostgresEnvironment } = {},
    ): Promise<string> => {
      const { host = '127.0.0.1', environment = { PGPASSWORD: 'hunter2' } } = from;
      const url = server.url('kept', parameters).replace('pizarra@127.0.0.1', `keeper@${host}`);
      await using place = new PostgresPlace(url, { ...placeDeps, environment });
      try {
        await using store = await place.open({ mode: 'create' });
        return `revision ${await store.keys.revision()}`;
      } catch (error) {
        assert.ok(error instanceof Error);
        assert.ok(!error.message.includes('hunter'), error.message);
        return error.message;
      }
    };
    const full = { sslmode: 'verify-full', sslrootcert: own };
    assert.equal(await open(full), 'revision 0');
    assert.match(await open({ ...full, sslrootcert: other }), /self-signed|unable to verify/);
    assert.match(await open({ sslmode: 'verify-full' }), /self-signed/);
    assert.match(await open(full, { host: '127.0.0.2' }), /does not match certificate/);
    const byName = { sslmode: 'verify-ca', sslrootcert: own };
    assert.equal(await open(byName, { host: '127.0.0.2' }), 'revision 0');
    assert.equal(await open({ sslmode: 'require-unverified' }), 'revision 0');
    assert.match(await open({ sslmode: 'disable' }), /pg_hba\.conf/);
    assert.match(
      await open(full, { environment: { PGPASSWORD: 'hunter3' } }),
      /password authentication failed.*PGPASSWORD/s,
    );
    assert.match(await open(full, { environment: {} }), /requires a password.*PGPASSWORD/s);
    assert.match(
      await open({ ...full, sslrootcert: join(directory, 'none') }),
      /cannot read the certificate/,
    );

    const passfile = join(directory, 'passfile');
    writeFileSync(passfile, `127.0.0.1:${server.port}:*:keeper:hunter2\n`, { mode: 0o600 });
    assert.equal(await open(full, { environment: { PGPASSFILE: passfile } }), 'revision 0');
  });

  test('a server without TLS is refused where encryption is required', async () => {
    await using server = await startPostgres();
    const url = server.url('s', { sslmode: 'require-unverified' });
    await using place = new PostgresPlace(url, placeDeps);
    await assert.rejects(place.open({ mode: 'create' }), /does not support TLS/);
  });
});
