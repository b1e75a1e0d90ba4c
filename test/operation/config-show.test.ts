import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { resolveSettings } from '../../src/config/settings/resolve-settings.ts';
import { settingNames } from '../../src/config/settings/settings.ts';
import { runPizarra, temporaryDirectory } from '../support/program/program.ts';
import { fieldsIn } from '../support/fields-in.ts';

interface Shown {
  readonly file: { readonly name: string; readonly namedBy: string | null } | null;
  readonly settings: readonly (Readonly<Record<string, unknown>> & { readonly setting: string })[];
  readonly feeds: readonly unknown[];
}

test('config show names the value in force of every setting, and where it comes from', async () => {
  await using directory = await temporaryDirectory();
  const config = `# the file
port: 9000
logLevel: debug
behindProxy: 10.0.0.7,192.168.0.0/16
store: /tmp/here
plans:
  free: 60/min
feeds:
  - name: desk
    type: push
  - { name: bcra, type: bcra, pollSeconds: 600 }
`;
  await writeFile(join(directory.path, 'pizarra.yaml'), config);
  const env = { PIZARRA_LOG_LEVEL: 'warn', PIZARRA_MARKET: 'argentina', PIZARRA_PORT: '9001' };
  const args = ['config', 'show', '--port', '9002'];
  const json = await runPizarra([...args, '--json'], { cwd: directory.path, env });
  assert.deepEqual([json.code, json.stderr], [0, '']);
  const { file, settings, feeds } = JSON.parse(json.stdout) as Shown;
  assert.deepEqual(file, { name: 'pizarra.yaml', namedBy: null });
  assert.deepEqual(fieldsIn(settings, 'setting'), settingNames);
  const of = (name: string): unknown => settings.find(({ setting }) => setting === name);
  assert.deepEqual(of('port'), { setting: 'port', value: 9002, from: 'flag', name: '--port' });
  assert.deepEqual(of('logLevel'), {
    setting: 'logLevel',
    value: 'warn',
    from: 'environment',
    name: 'PIZARRA_LOG_LEVEL',
  });
  assert.deepEqual(of('store'), {
    setting: 'store',
    value: '/tmp/here',
    from: 'file',
    name: 'store',
    file: 'pizarra.yaml',
    line: 5,
  });
  assert.deepEqual(of('behindProxy'), {
    setting: 'behindProxy',
    value: ['10.0.0.7', '192.168.0.0/16'],
    from: 'file',
    name: 'behindProxy',
    file: 'pizarra.yaml',
    line: 4,
  });
  assert.deepEqual((of('plans') as { value: unknown }).value, { free: '60/min' });
  assert.deepEqual(of('failuresPerAddress'), {
    setting: 'failuresPerAddress',
    value: '60/min burst 120',
    from: 'default',
  });
  assert.deepEqual(feeds.slice(0, 3), [
    { feed: 'desk', type: 'push', from: 'file', name: 'feeds[0]', file: 'pizarra.yaml', line: 9 },
    { feed: 'bcra', type: 'bcra', from: 'file', name: 'feeds[1]', file: 'pizarra.yaml', line: 11 },
    { feed: 'argentinadatos', type: 'argentinadatos', from: 'preset', name: 'argentina' },
  ]);
  const text = await runPizarra(args, { cwd: directory.path, env });
  assert.match(
    text.stdout,
    /^File: pizarra\.yaml\n\nSETTING +VALUE +FROM\nstore +\/tmp\/here +piz/,
  );
  assert.match(text.stdout, /\nport +9002 +--port\n/);
  assert.match(text.stdout, /\nlogLevel +warn +PIZARRA_LOG_LEVEL\n/);
  assert.match(text.stdout, /\nworkers +1 +default\n/);
  assert.match(text.stdout, /\ndesk +push +pizarra\.yaml:9\n/);
  assert.match(text.stdout, /\nkraken +kraken +market argentina\n$/);
});

test('config show prints no secret, whatever sets it', async () => {
  await using directory = await temporaryDirectory();
  const secret = 'tr0ub4dor';
  const store = `postgres://pizarra:${secret}@db.example/quotes?schema=prod`;
  const config = `store: ${store}
tlsKey: /etc/${secret}.pem
feeds:
  - name: own
    type: http
    url: https://h.example/x?token=${secret}
    expression: $
    key: { env: ${secret.toUpperCase()} }
`;
  await writeFile(join(directory.path, 'pizarra.yaml'), config);
  const cwd = directory.path;
  const env = { PGPASSWORD: secret, TR0UB4DOR: secret };
  const runs = await Promise.all([
    runPizarra(['config', 'show'], { cwd, env }),
    runPizarra(['config', 'show', '--json'], { cwd, env }),
    runPizarra(['config', 'show', '--store', store], { cwd, env }),
    runPizarra(['config', 'show'], { cwd, env: { ...env, PIZARRA_STORE: `${store}&unknown=1` } }),
    runPizarra(['config', 'show'], {
      cwd,
      env: { ...env, PIZARRA_STORE: `mysql://a:${secret}@b` },
    }),
  ]);
  for (const { stdout, stderr } of runs) {
    assert.equal((stdout + stderr).toLowerCase().includes(secret), false, stdout + stderr);
  }
  assert.deepEqual(fieldsIn(runs, 'code'), [0, 0, 0, 0, 2]);
  const [text, json] = runs;
  assert.match(text?.stdout ?? '', /\nstore +PostgreSQL at db\.example.* pizarra\.yaml:1\n/);
  assert.match(text?.stdout ?? '', /\ntlsKey +\(set, not shown\) +pizarra\.yaml:2\n/);
  const { settings } = JSON.parse(json?.stdout ?? '') as Shown;
  const tlsKey = settings.find(({ setting }) => setting === 'tlsKey');
  assert.deepEqual([tlsKey?.['value'], tlsKey?.['isSecret']], [null, true]);
});

test('config show without a file shows the defaults, and a fault of the configuration ends it with 2', async () => {
  await using directory = await temporaryDirectory();
  const { code, stdout } = await runPizarra(['config', 'show'], { cwd: directory.path });
  assert.equal(code, 0);
  assert.match(stdout, /^No configuration file\.\n/);
  assert.match(stdout, /\nNo feeds\.\n$/);
  const { port } = resolveSettings({ flags: {}, environment: {} });
  assert.match(stdout, new RegExp(`\\nport +${port} +default\\n`));
  const wrong = await runPizarra(['config', 'show', '--port', 'x'], { cwd: directory.path });
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /--port cannot be "x"/);
});
