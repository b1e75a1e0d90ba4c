import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { runPizarra, startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { until } from '../support/wait.ts';
import { fieldsIn } from '../support/fields-in.ts';

/** Creates an installation: a data directory, and a configuration with plans. */
async function makeInstallation() {
  const directory = await temporaryDirectory();
  const config = join(directory.path, 'pizarra.yaml');
  await writeFile(config, 'plans:\n  free: 60/h burst 3\n  inside: unlimited\n');
  const where = ['--store', join(directory.path, 'data'), '--config', config];
  return {
    where,
    config,
    keys: async (...args: readonly string[]): Promise<Record<string, unknown>> => {
      const { code, stdout, stderr } = await runPizarra(['keys', ...args, ...where, '--json']);
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout) as Record<string, unknown>;
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

/** The installation and the service that tests of single keys share. */
const shared = await makeInstallation();
const sharedService = await startPizarra(shared.where);
after(async () => {
  await sharedService[Symbol.asyncDispose]();
  await shared[Symbol.asyncDispose]();
});

async function ask(url: string, key: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${String(key)}` };
  const response = await fetch(`${url}/especies.txt`, { headers });
  await response.body?.cancel();
  return response;
}

async function becomes(status: number, url: string, key: unknown): Promise<void> {
  const hasStatus = async (): Promise<boolean> => (await ask(url, key)).status === status;
  await until(`the status is ${status}`, hasStatus);
}

test('after a rotation a running server accepts both keys, until the old one expires', async () => {
  const { keys } = shared;
  const old = await keys('create', '--name', 'desk', '--label', 'team=desk');
  const next = await keys('rotate', String(old['id']), '--overlap', '24h');
  assert.equal(next['replaces'], old['id']);
  await becomes(200, sharedService.url, next['key']);
  assert.equal((await ask(sharedService.url, old['key'])).status, 200);
  const shown = await keys('show', String(next['id']));
  assert.deepEqual(shown['labels'], { team: 'desk' });

  const last = await keys('rotate', String(next['id']), '--overlap', '0');
  await becomes(200, sharedService.url, last['key']);
  assert.equal((await ask(sharedService.url, next['key'])).status, 401);
});

test('a replaced, disabled or revoked key cannot be rotated, and the error says why', async () => {
  await using installation = await makeInstallation();
  const { keys, where } = installation;
  const id = String((await keys('create', '--name', 'desk'))['id']);
  const rotate = () => runPizarra(['keys', 'rotate', id, '--overlap', '1h', ...where]);
  await keys('disable', id);
  assert.match((await rotate()).stderr, /is disabled\. Only an active key can be rotated/);
  await keys('enable', id);
  const next = await keys('rotate', id, '--overlap', '1h');
  const again = await rotate();
  assert.equal(again.code, 1);
  assert.ok(again.stderr.includes(`was already replaced by ${String(next['id'])}`));
  await keys('revoke', String(next['id']));
  assert.equal((await rotate()).code, 0);
});

test('a disabled key is refused within two seconds, and accepted again once it is enabled', async () => {
  const { keys } = shared;
  const { id, key } = await keys('create', '--name', 'desk');
  assert.equal((await ask(sharedService.url, key)).status, 200);
  await keys('disable', String(id));
  await becomes(401, sharedService.url, key);
  await keys('enable', String(id));
  await becomes(200, sharedService.url, key);
});

test('a running server applies a new plan of a key within two seconds', async () => {
  const { keys, where } = shared;
  const { id, key } = await keys('create', '--name', 'desk');
  assert.equal((await ask(sharedService.url, key)).headers.get('ratelimit-policy'), null);
  await keys('set-plan', String(id), 'free');
  await becomes(429, sharedService.url, key);
  const refused = await ask(sharedService.url, key);
  assert.equal(refused.headers.get('ratelimit-policy'), '"free";q=3;w=180');
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
  const wrong = await runPizarra(['keys', 'set-plan', String(id), 'gold', ...where]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /no plan "gold"\. Configured plans: free, inside/);
  await keys('set-limit', String(id), 'unlimited');
  await becomes(200, sharedService.url, key);
});

test('plans can be changed while the server runs, and a default plan that does not exist changes nothing', async () => {
  await using installation = await makeInstallation();
  const { keys, where, config } = installation;
  const { key } = await keys('create', '--name', 'desk', '--plan', 'free');
  await using service = await startPizarra(where);
  const policy = async () => (await ask(service.url, key)).headers.get('ratelimit-policy');
  assert.equal(await policy(), '"free";q=3;w=180');
  await writeFile(config, 'plans: {free: 10/s}\n');
  service.child.kill('SIGHUP');
  await service.logged('"msg":"configuration reloaded"');
  assert.equal(await policy(), '"free";q=10;w=1');
  await writeFile(config, 'plans: {free: 20/s}\ndefaultPlan: gold\n');
  service.child.kill('SIGHUP');
  await service.logged('which is not a plan. Configured plans: free.');
  assert.equal(await policy(), '"free";q=10;w=1');
});

test('a rotation does not double the limit of a client', async () => {
  await using installation = await makeInstallation();
  const { keys, where } = installation;
  const old = await keys('create', '--name', 'desk', '--limit', '1/h burst 3');
  const next = await keys('rotate', String(old['id']), '--overlap', '24h');
  await using service = await startPizarra(where);
  const statuses: number[] = [];
  for (const key of [old, next, old, next, old].map((one) => one['key'])) {
    statuses.push((await ask(service.url, key)).status);
  }
  assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
});

test('the hour of the last use is stored when the service stops', async () => {
  await using installation = await makeInstallation();
  const { keys, where } = installation;
  const { id, key } = await keys('create', '--name', 'desk');
  const before = new Date().toISOString().slice(0, 13);
  {
    await using service = await startPizarra(where);
    await ask(service.url, key);
  }
  const later = new Date().toISOString().slice(0, 13);
  const used = (await keys('show', String(id)))['lastUsedHour'];
  assert.ok(used === `${before}h` || used === `${later}h`, String(used));
});

test('the audit log has who did what, including the service, and contains no key', async () => {
  await using installation = await makeInstallation();
  const { keys, where } = installation;
  {
    // The first start creates a key.
    await using service = await startPizarra(where);
    await service.firstKey();
  }
  const { id, key } = await keys('create', '--name', 'desk', '--as', 'ana');
  await keys('revoke', String(id), '--as', 'josé');
  const alone = await runPizarra(['keys', 'create', '--name', 'x', '--key-only', ...where]);
  assert.match(alone.stdout, /^pz_[0-9A-Za-z]{36}\n$/);
  const wrong = await runPizarra(['keys', 'disable', String(id), '--as', 'a b', ...where]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /'a b' is invalid\. Valid: 1 to 64 letters/);
  const events = (await keys('audit')) as unknown as readonly Record<string, string>[];
  assert.deepEqual(fieldsIn(events, 'what'), ['create', 'create', 'revoke', 'create']);
  assert.equal(events[0]?.['who'], 'serve');
  for (const { who = '' } of events.slice(1)) assert.ok(who.includes(`@${hostname()} cli[`), who);
  assert.deepEqual(
    events.slice(1, 3).map(({ who }) => who?.split(' via ')[0]),
    ['ana', 'josé'],
  );
  const table = await runPizarra(['keys', 'audit', ...where]);
  assert.match(table.stdout, new RegExp(`${String(id)} +revoke`));
  assert.ok(!`${table.stdout}${JSON.stringify(events)}`.includes(String(key).slice(3, 20)));
});

/**
 * A date in Buenos Aires, some days from the start of this file. The commands may run on the day after it; the
 * exact bounds are in `src/domain/access/url-key.test.ts`.
 */
const today = Temporal.Now.plainDateISO('America/Argentina/Buenos_Aires');
const dayIn = (days: number): string => today.add({ days }).toString();

test('a key for URLs needs an expiry of at most 366 days, keeps one, and is never unlimited', async () => {
  await using installation = await makeInstallation();
  const { keys, where } = installation;
  const create = (...flags: readonly string[]) =>
    runPizarra(['keys', 'create', '--name', 'sheet', '--scope', 'url', ...flags, ...where]);
  for (const [flags, message] of [
    [[], /A key for URLs needs an expiry\./],
    [['--expires', dayIn(368)], new RegExp(`too late.*until (${dayIn(366)}|${dayIn(367)})`)],
    [['--expires', dayIn(30), '--limit', 'unlimited'], /always has a limit/],
  ] as const) {
    const refused = await create(...flags);
    assert.equal(refused.code, 2, flags.join(' '));
    assert.match(refused.stderr, message);
  }
  assert.deepEqual(await keys('list'), []);

  const made = await create('--expires', dayIn(366));
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /\n {2}\/clave\/pzc_[0-9A-Za-z]{36}\/cotizaciones\?panel=LID\n/);
  assert.match(made.stderr, /^No service runs on .*"urlKeys: on".*"--url-keys on"/s);
  const [listed] = (await keys('list')) as unknown as readonly Record<string, string>[];
  assert.equal(listed?.['scope'], 'url');
  const id = listed?.['id'] ?? assert.fail();
  for (const change of [
    ['set-expiry', id],
    ['set-expiry', id, dayIn(400)],
    ['set-limit', id, 'unlimited'],
  ]) {
    const refused = await runPizarra(['keys', ...change, ...where]);
    assert.equal(refused.code, 1, change.join(' '));
    assert.match(refused.stderr, /cannot be changed\. /);
  }
  assert.deepEqual(await keys('set-expiry', id, dayIn(5)), { id, changed: true });
  const { expiresAt } = await keys('show', id);
  const next = await keys('rotate', id, '--overlap', '1h');
  assert.match(String(next['key']), /^pzc_/);
  assert.equal((await keys('show', String(next['id'])))['expiresAt'], expiresAt);
});

test('the URL of a key is that of the running service, whose settings are not those of the command', async () => {
  await using installation = await makeInstallation();
  const { where, config } = installation;
  const flags = ['--name', 'sheet', '--scope', 'url', '--expires', dayIn(2)];
  const own = [...where, '--config', `${config}.command`];
  const create = () => runPizarra(['keys', 'create', ...flags, ...own]);
  const doctor = async () => (await runPizarra(['doctor', ...own])).stdout;
  await writeFile(`${config}.command`, 'basePath: /other\n');
  await writeFile(config, 'basePath: /v5\nurlKeys: on\n');
  await using service = await startPizarra(where);
  assert.match(service.url, /\/v5$/);
  const made = await create();
  assert.equal(made.stderr, '');
  const url = /\n {2}(http:\S+)\n/.exec(made.stdout)?.[1] ?? assert.fail(made.stdout);
  assert.ok(url.startsWith(`${service.url}/clave/pzc_`), url);
  assert.equal((await fetch(url.replace(/cotizaciones.*/, 'especies.txt'))).status, 200);
  assert.doesNotMatch(await doctor(), /urlKeys is off/);

  await writeFile(config, 'basePath: /v6\n');
  service.child.kill('SIGHUP');
  await service.logged('"msg":"configuration reloaded"');
  const refused = await create();
  assert.match(refused.stderr, /^The service refuses keys for URLs, .* urlKeys is off/);
  assert.match(refused.stdout, new RegExp(`${new URL(service.url).origin}/v6/clave/pzc_`));
  assert.match(await doctor(), /2 keys for URLs are refused: urlKeys is off/);
});

test('a service with keys in URLs switched on accepts one, and refuses it within two seconds of its revocation', async () => {
  await using installation = await makeInstallation();
  const { keys, where } = installation;
  const shown = ['--scope', 'url', '--expires', dayIn(2)];
  const { id, key } = await keys('create', '--name', 'sheet', ...shown);
  await using service = await startPizarra([...where, '--url-keys', 'on', '--access-log', 'all']);
  const statusOf = async (): Promise<number> => {
    const response = await fetch(`${service.url}/clave/${String(key)}/especies.txt`);
    await response.body?.cancel();
    return response.status;
  };
  assert.equal(await statusOf(), 200);
  for (const [command, status] of [
    ['disable', 401],
    ['enable', 200],
    ['revoke', 401],
  ] as const) {
    await keys(command, String(id));
    await until(`${command}: ${status}`, async () => (await statusOf()) === status);
  }
  await service.logged('"path":"/especies.txt"');
  const audit = JSON.stringify(await keys('audit'));
  assert.ok(!`${service.stdout()}${service.stderr()}${audit}`.includes(String(key).slice(4)));
});
