import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';

import { parse } from 'yaml';

import { environmentName, settingNames } from '../../src/config/settings/settings.ts';
import { packagedFiles } from '../../scripts/package/stage.ts';
import { temporaryDirectory } from '../support/program/program.ts';

const project = resolve(import.meta.dirname, '../..');
const deploy = join(project, 'deploy');

/** Runs a tool. When it is not installed, skips the test and returns undefined. */
function run(
  t: TestContext,
  { tool, args, cwd }: { readonly tool: string; readonly args: string[]; readonly cwd?: string },
): { readonly status: number | null; readonly output: string } | undefined {
  const { error, status, stdout, stderr } = spawnSync(tool, args, {
    encoding: 'utf8',
    ...(cwd === undefined ? {} : { cwd }),
  });
  if (error === undefined) return { status, output: stdout + stderr };
  t.skip(`${tool} is not installed`);
  return undefined;
}

/** The metrics that docs/metrics.md lists. Another test checks that the list is correct. */
async function knownMetrics(): Promise<ReadonlySet<string>> {
  const page = await readFile(join(project, 'docs/metrics.md'), 'utf8');
  return new Set(Array.from(page.matchAll(/`(pizarra_[a-z_]+)`/g), (match) => match[1] ?? ''));
}

async function assertMetricsAreKnown(text: string): Promise<void> {
  const known = await knownMetrics();
  const used = new Set(Array.from(text.matchAll(/\bpizarra_[a-z_]+/g), ([name]) => name));
  assert.ok(used.size > 5);
  for (const name of used) {
    assert.ok(
      known.has(name.replace(/_(?:bucket|count|sum)$/, '')),
      `the metric ${name} does not exist`,
    );
  }
}

interface Dashboard {
  readonly uid: string;
  readonly panels: readonly { id: number; type: string; targets?: { expr: string }[] }[];
}

async function readDashboards(): Promise<readonly Dashboard[]> {
  const folder = join(deploy, 'grafana');
  const texts = (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8'));
  return (await Promise.all(texts)).map((text) => JSON.parse(text) as Dashboard);
}

/** The files with the tests of the alert rules. */
const ruleTests = ['pizarra.rules.test.yml', 'pizarra.rules.days.test.yml'];

interface RuleTests {
  readonly tests: readonly {
    readonly alert_rule_test?: readonly {
      readonly alertname: string;
      readonly exp_alerts: readonly unknown[];
    }[];
  }[];
}

test('promtool accepts the alert rules, and each one fires on its condition', (t) => {
  const cwd = join(deploy, 'prometheus');
  const check = run(t, { tool: 'promtool', args: ['check', 'rules', 'pizarra.rules.yml'], cwd });
  if (check === undefined) return;
  assert.equal(check.status, 0, check.output);
  const tested = run(t, {
    tool: 'promtool',
    args: ['test', 'rules', ...ruleTests],
    cwd,
  });
  assert.equal(tested?.status, 0, tested?.output ?? '');
});

test('alerts and dashboard only use existing metrics, and each alert says what to do', async () => {
  const rules = await readFile(join(deploy, 'prometheus/pizarra.rules.yml'), 'utf8');
  await assertMetricsAreKnown(rules);
  const { groups } = parse(rules) as {
    groups: { rules: { alert: string; annotations: Record<string, string> }[] }[];
  };
  for (const { alert, annotations } of groups.flatMap((group) => group.rules)) {
    assert.ok(annotations['summary'] !== undefined && annotations['action'] !== undefined, alert);
  }
  const dashboards = await readDashboards();
  for (const dashboard of dashboards) {
    await assertMetricsAreKnown(JSON.stringify(dashboard));
    const { panels } = dashboard;
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    for (const { type, targets } of panels) assert.equal(type === 'row', targets === undefined);
  }
  // Grafana replaces a dashboard by one with the same uid.
  assert.equal(new Set(dashboards.map(({ uid }) => uid)).size, dashboards.length);
});

test('every alert has a test in which it fires', async () => {
  const rules = await readFile(join(deploy, 'prometheus/pizarra.rules.yml'), 'utf8');
  const texts = ruleTests.map((file) => readFileSync(join(deploy, 'prometheus', file), 'utf8'));
  const cases = texts.flatMap((text) => (parse(text) as RuleTests).tests);
  const fired = new Set(
    cases
      .flatMap(({ alert_rule_test: checks = [] }) => checks)
      .filter(({ exp_alerts: expected }) => expected.length > 0)
      .map(({ alertname }) => alertname),
  );
  const alerts = Array.from(rules.matchAll(/^ *- alert: (\w+)$/gm), ([, name = '']) => name);
  assert.deepEqual(
    alerts.filter((name) => !fired.has(name)),
    [],
  );
});

test('promtool accepts every expression of the dashboards', async (t) => {
  const dashboards = await readDashboards();
  await using directory = await temporaryDirectory();
  const rules = dashboards
    .flatMap(({ panels }) => panels)
    .flatMap(({ targets = [] }) => targets)
    .map(({ expr }, at) => ({
      record: `panel:${at}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$(?:job|instance|feed)/g, 'x'),
    }));
  const file = join(directory.path, 'rules.yml');
  await writeFile(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
  const check = run(t, { tool: 'promtool', args: ['check', 'rules', file] });
  if (check !== undefined) assert.equal(check.status, 0, check.output);
});

test('systemd accepts the unit and rates its exposure as low', async (t) => {
  await using directory = await temporaryDirectory();
  const unit = join(directory.path, 'pizarra.service');
  const text = await readFile(join(deploy, 'systemd/pizarra.service'), 'utf8');
  // The test runs in another folder than the installation.
  await writeFile(unit, text.replaceAll('=/opt/pizarra/bin', `=${project}/bin`));
  const verified = run(t, { tool: 'systemd-analyze', args: ['verify', unit] });
  if (verified === undefined) return;
  assert.equal(verified.output.includes('pizarra.service'), false, verified.output);
  const args = ['security', '--offline=true', '--threshold=20', unit];
  const secured = run(t, { tool: 'systemd-analyze', args });
  assert.equal(secured?.status, 0, secured?.output ?? '');
});

test('the limits of the unit are those that docs/operating.md gives, and enough for eight processes', async () => {
  const unit = await readFile(join(deploy, 'systemd/pizarra.service'), 'utf8');
  const limitOf = (name: string): number =>
    Number(new RegExp(`^${name}=(\\d+)M?$`, 'm').exec(unit)?.[1] ?? assert.fail(name));
  const page = await readFile(join(project, 'docs/operating.md'), 'utf8');
  const limits = /limits the service to ([\d,]+) MiB and (\d+) tasks/.exec(page) ?? assert.fail();
  const [memory, tasks] = [limitOf('MemoryMax'), limitOf('TasksMax')];
  assert.deepEqual(
    limits.slice(1).map((figure) => Number(figure.replace(',', ''))),
    [memory, tasks],
  );
  const rows = [...page.matchAll(/^\| .+ \| +(\d+) MiB +\| +(\d+) \|$/gm)].map((row) => [
    Number(row[1]),
    Number(row[2]),
  ]);
  assert.equal(rows.length, 7);
  const [workerMemory = 0, workerTasks = 0] = rows.at(-1) ?? [];
  const highest = Math.max(...rows.map(([one = 0]) => one));
  assert.ok(highest + 7 * workerMemory <= memory);
  assert.ok(13 + 7 * workerTasks <= tasks);
});

test('the unit starts an existing command with existing options', async () => {
  const text = await readFile(join(deploy, 'systemd/pizarra.service'), 'utf8');
  const start = /^ExecStart=(.*)$/m.exec(text)?.[1] ?? assert.fail();
  const [program = '', command = '', ...options] = start.split(' ');
  const launcher = program.replace('/opt/pizarra', project);
  const help = spawnSync(launcher, [command, '--help'], { encoding: 'utf8' }).stdout;
  for (const option of options.filter((one) => one.startsWith('--'))) {
    assert.ok(help.includes(option), option);
  }
});

test('nginx accepts the example configuration, which does not buffer streams', async (t) => {
  await using directory = await temporaryDirectory();
  const text = await readFile(join(deploy, 'proxy/nginx.conf'), 'utf8');
  assert.match(text, /location = \/cotizaciones\/stream \{[^}]*proxy_buffering off;/s);
  const request = 'req -x509 -newkey rsa:2048 -nodes -subj /CN=x -days 1'.split(' ');
  const files = ['-keyout', join(directory.path, 'key')];
  files.push('-out', join(directory.path, 'certificate'));
  const certificate = spawnSync('openssl', [...request, ...files]);
  if (certificate.error !== undefined) return t.skip('openssl is not installed');
  const example = join(directory.path, 'example.conf');
  await writeFile(
    example,
    text
      .replace(/ssl_certificate .*;/, `ssl_certificate ${join(directory.path, 'certificate')};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${join(directory.path, 'key')};`),
  );
  const main = join(directory.path, 'main.conf');
  await writeFile(
    main,
    `pid ${join(directory.path, 'pid')};\nerror_log stderr;\nevents {}\nhttp { access_log off; include ${example}; }\n`,
  );
  const checked = run(t, { tool: 'nginx', args: ['-t', '-c', main, '-p', directory.path] });
  if (checked !== undefined) assert.match(checked.output, /syntax is ok/);
});

test('the image is built in stages, runs as its own user, and has its base as an argument', async () => {
  const text = await readFile(join(deploy, 'docker/Dockerfile'), 'utf8');
  const lines = text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line));
  const stages = lines.filter((line) => line.startsWith('FROM '));
  // Both stages have the same base without Node, because package-lock.json pins Node.
  assert.deepEqual(stages, ['FROM ${BASE} AS build', 'FROM ${BASE}']);
  const last = lines.slice(lines.lastIndexOf(stages[1] ?? ''));
  const indexOf = (instruction: string): number =>
    last.findIndex((line) => line.startsWith(`${instruction} `));
  assert.ok(indexOf('USER') > 0 && indexOf('USER') < indexOf('ENTRYPOINT'));
  assert.ok(!/^USER (?:root|0)\b/m.test(text));
  assert.ok(indexOf('HEALTHCHECK') > 0);
  const variables = new Set(settingNames.map(environmentName));
  for (const [, variable = ''] of text.matchAll(/\b(PIZARRA_[A-Z_]+)=/g)) {
    assert.ok(variables.has(variable), variable);
  }
});

test('the context of the image has all files from which the package is built, and no tests or data', async () => {
  const ignore = await readFile(join(project, '.dockerignore'), 'utf8');
  const allowed = new Set(Array.from(ignore.matchAll(/^!(.*)$/gm), (match) => match[1] ?? ''));
  const sources = ['src', 'web', 'scripts', 'tsconfig.json', 'tsconfig.build.json'];
  const ofPackages = ['package.json', 'package-lock.json', '.npmrc'];
  for (const path of [...packagedFiles, ...sources, ...ofPackages]) {
    const [top = ''] = path.split('/');
    assert.ok(allowed.has(top), path);
  }
  for (const never of ['data', 'test', 'node_modules', 'build', '.git']) {
    assert.ok(!allowed.has(never), never);
  }
});

test('Caddy accepts the example configurations', (t) => {
  for (const name of ['Caddyfile', 'Caddyfile.cluster']) {
    const config = join(deploy, 'proxy', name);
    const args = ['validate', '--adapter', 'caddyfile', '--config', config];
    const validated = run(t, { tool: 'caddy', args });
    if (validated === undefined) return;
    assert.equal(validated.status, 0, validated.output);
  }
});

test('the Caddyfile of a cluster keeps keys in URLs out of its logs and off port 80 as that of one node does', async () => {
  const [single = '', cluster = ''] = await Promise.all(
    ['Caddyfile', 'Caddyfile.cluster'].map((name) => readFile(join(deploy, 'proxy', name), 'utf8')),
  );
  for (const part of [
    /^\{\n.*?^\}$/ms,
    /^\t@clave path .*\n\tskip_log .*$/m,
    /^\t@key \{\n.*?respond 403\n\t\}$/ms,
  ]) {
    const [text = assert.fail(`${part} is in no part of the Caddyfile`)] = part.exec(single) ?? [];
    assert.ok(cluster.includes(text), text);
  }
});

test('the example of a cluster sets only settings that exist, and mounts only files that exist', async () => {
  const text = await readFile(join(deploy, 'compose.yaml'), 'utf8');
  const { services } = parse(text, { merge: true }) as {
    services: Record<
      string,
      { image: string; environment?: Record<string, string>; volumes?: readonly string[] }
    >;
  };
  const known = new Set<string>(settingNames.map(environmentName));
  const nodes = Object.values(services).filter(({ image }) => image === 'pizarra');
  assert.equal(nodes.length, 2);
  for (const { environment = {} } of nodes) {
    const own = Object.keys(environment).filter((name) => name.startsWith('PIZARRA_'));
    assert.ok(own.includes('PIZARRA_STORE'));
    assert.deepEqual(
      own.filter((name) => !known.has(name)),
      [],
    );
  }
  const mounted = Object.values(services)
    .flatMap(({ volumes = [] }) => volumes)
    .map((volume) => volume.split(':')[0] ?? '')
    .filter((source) => source.startsWith('.'));
  assert.ok(mounted.length > 0);
  for (const source of mounted) assert.ok(existsSync(join(deploy, source)), source);
});
