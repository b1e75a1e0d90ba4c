import assert from 'node:assert/strict';
import { statusWith } from '../support/http/ask-service.ts';
import { execFile } from 'node:child_process';
import { stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { writeFlatUniverse } from '../faults/flat-universe.ts';
import { lacks, runPizarra, startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { once, until } from '../support/wait.ts';

/** Repeats a request until it gets a status. Fails after the maximum time. */
async function becomes(status: number, ask: () => Promise<number>): Promise<void> {
  const hasStatus = async (): Promise<boolean> => (await ask()) === status;
  await until(`the status is ${status}`, hasStatus);
}

async function makeKey(
  data: string,
  ...options: readonly string[]
): Promise<{ id: string; key: string; stderr: string }> {
  const args = ['keys', 'create', '--store', data, '--json', '--name', 'test', ...options];
  const { code, stdout, stderr } = await runPizarra(args);
  assert.equal(code, 0, stderr);
  return { ...(JSON.parse(stdout) as { id: string; key: string }), stderr };
}

/** The data directory and the service that several tests share. */
const shared = await temporaryDirectory();
const sharedService = await startPizarra(['--store', shared.path]);
after(async () => {
  await sharedService[Symbol.asyncDispose]();
  await shared[Symbol.asyncDispose]();
});

test('the first start prints a key once, and the curl line beside it works in a shell', async (t) => {
  await using directory = await temporaryDirectory();
  {
    await using service = await startPizarra(['--store', directory.path]);
    const key = await service.firstKey();
    const curl = /^ *(curl .*)$/m.exec(service.stdout())?.[1] ?? assert.fail('no curl line');
    await t.test('the curl line', { skip: lacks('curl') }, async () => {
      const { stdout } = await promisify(execFile)('sh', ['-c', `${curl} -sS`]);
      assert.ok(Array.isArray(JSON.parse(stdout)));
    });
    assert.ok(!service.stderr().includes(key), 'the log does not contain the key');
    assert.equal(await service.stop(), 0);
  }
  await using again = await startPizarra(['--store', directory.path]);
  assert.equal(again.stdout(), '');
});

test('an expired key, a key of another scope and a mistyped key are refused', async () => {
  const expired = await makeKey(shared.path, '--expires', '2020-01-01');
  assert.match(
    expired.stderr,
    /has expired already, because 2020-01-02T03:00:00\.000Z is past.* set-expiry/,
  );
  const other = await makeKey(shared.path, '--scope', 'metrics');
  const good = await makeKey(shared.path, '--expires', '2999-12-31');
  // It was created last, so the service knows the others too when it accepts this one.
  await becomes(200, () => statusWith(`${sharedService.url}/especies.txt`, good.key));
  const mistyped = good.key.slice(0, -1) + (good.key.endsWith('a') ? 'b' : 'a');
  for (const key of [expired.key, other.key, mistyped]) {
    assert.equal(await statusWith(`${sharedService.url}/especies.txt`, key), 401);
  }
});

test('keys list shows all keys without their secret', async () => {
  await using directory = await temporaryDirectory();
  const { id, key } = await makeKey(directory.path);
  await runPizarra(['keys', 'revoke', id, '--store', directory.path]);
  const table = await runPizarra(['keys', 'list', '--store', directory.path]);
  assert.match(table.stdout, new RegExp(`^${id} +test +read +revoked`, 'm'));
  const json = await runPizarra(['keys', 'list', '--store', directory.path, '--json']);
  assert.deepEqual(
    (JSON.parse(json.stdout) as Record<string, unknown>[]).map((one) => [one['id'], one['state']]),
    [[id, 'revoked']],
  );
  assert.ok(!`${table.stdout}${json.stdout}`.includes(key.slice(3, 20)));
});

test('only their owner can access the data directory and the files in it', async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'new', 'data');
  // A demonstration of few instruments, because this test does not look at them.
  const universe = join(directory.path, 'universe');
  await writeFlatUniverse(universe);
  const flags = ['--demonstration', 'auto', '--universe', universe];
  await using service = await startPizarra(['--store', data, ...flags]);
  for (const name of ['', 'pizarra.db', 'serve.lock', 'demo', 'demo/pizarra.db']) {
    const { mode } = await stat(join(data, name));
    assert.equal(mode & 0o077, 0, name);
  }
  assert.ok(service.url);
});

test('a start that fails prints one line on standard error and exits with 1', async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, 'file');
  await writeFile(file, '');
  await using busy = createServer();
  busy.listen(0, '127.0.0.1');
  await once(busy, 'listening');
  const { port } = busy.address() as AddressInfo;
  const data = join(directory.path, 'data');
  const cases: readonly [string[], RegExp][] = [
    [
      ['--store', data, '--port', String(port)],
      /^pizarra: Cannot listen on 127\.0\.0\.1, port \d+: the port is in use\. [^\n]+ with --port\.\n$/,
    ],
    [
      ['--store', data, '--port', '0', '--host', '192.0.2.1', '--behind-proxy', '127.0.0.1'],
      /this machine does not have the address/,
    ],
    [['--store', join(file, 'below')], /^pizarra: cannot use [^\n]+: not a directory\n$/],
    [
      ['--store', data, '--universe', directory.path],
      /^pizarra: The universe in [^\n]+ has faults:\n(?:[^\n]+\n)*instruments\.csv: /,
    ],
  ];
  for (const [args, message] of cases) {
    const quiet = ['--log-level', 'error', '--demonstration', 'off'];
    const { code, stderr } = await runPizarra(['serve', ...quiet, ...args]);
    assert.match(stderr, message);
    assert.equal(code, 1, stderr);
  }
});

test('a second service on one data directory is refused', async () => {
  const { code, stderr } = await runPizarra(['serve', '--port', '0', '--store', shared.path]);
  assert.equal(code, 1);
  assert.match(stderr, /^pizarra: Another pizarra serve runs on the data directory/);
  assert.ok(sharedService.url);
});

test('a usage error exits with 2 and says what is valid', async () => {
  const cases: readonly [string[], RegExp][] = [
    [
      ['serve', '--port', '99999'],
      /--port cannot be "99999". Valid: a whole number from 0 to 65535/,
    ],
    [['serve', '--no-such-flag'], /unknown option/],
    [['no-such-command'], /unknown command[^]*"pizarra --help"/],
    [['keys', 'create'], /--name/],
    [['keys', 'create', '--name', 'x', '--expires', 'tomorrow'], /2027-01-31/],
    [['keys', 'create', '--name', 'x', '--scope', 'all'], /read/],
    [['serve', '--config', '/no/such/file.yaml'], /Cannot read the configuration file/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await runPizarra(args);
    assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, message);
  }
});

test('settings can be in a file and in the environment', async () => {
  await using directory = await temporaryDirectory();
  const config = join(directory.path, 'my.yaml');
  await writeFile(config, 'basePath: /v5\n');
  await using service = await startPizarra([
    '--store',
    join(directory.path, 'd'),
    '--config',
    config,
  ]);
  assert.match(service.url, /\/v5$/);
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
});

test('--version and --help print to standard output and exit with 0', async () => {
  const version = await runPizarra(['--version']);
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
  const help = await runPizarra(['serve', '--help']);
  assert.match(help.stdout, /--port <PORT> .*PIZARRA_PORT/s);
  assert.deepEqual([version.code, help.code], [0, 0]);
});
