import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { SourceCheck } from '../../src/operator/sources/judge-source.ts';
import { launcher } from '../support/program/launcher.ts';
import { runPizarra, startPizarra, temporaryDirectory } from '../support/program/program.ts';
import { fixed, hang, healthy, SourceServer } from '../support/http/source-server.ts';
import { deferred, once } from '../support/wait.ts';

/** The dollars, published a minute ago. */
const dollars = JSON.stringify([
  {
    moneda: 'USD',
    casa: 'blue',
    compra: 1_540,
    venta: 1_560,
    fechaActualizacion: new Date(Date.now() - 60_000).toISOString(),
  },
]);

/** A configuration with a source that works, one that limits, and one that pushes. */
async function configure(directory: string, good: SourceServer, limiting: SourceServer) {
  const include = 'instruments: { include: [DOLAR BLUE VENTA, DOLAR BLUE COMPRA] }';
  await writeFile(
    join(directory, 'pizarra.yaml'),
    `
feeds:
  - { name: dolar, type: dolarapi, url: '${good.url}', userAgent: Mesa/1.0, ${include} }
  - { name: mirror, type: dolarapi, url: '${limiting.url}' }
  - { name: desk, type: push }
`,
  );
}

test('beside a running service, a check names what works and what fails, and writes nothing but what it saves', async () => {
  await using directory = await temporaryDirectory();
  await using good = await SourceServer.start();
  await using limiting = await SourceServer.start();
  good.respond = healthy(() => ({ body: dollars }));
  limiting.respond = fixed(429, { 'retry-after': '90' });
  const cwd = directory.path;
  await configure(cwd, good, limiting);
  await using service = await startPizarra(['--store', join(cwd, 'data')], undefined, { cwd });
  const before = await readdir(cwd);
  const all = await runPizarra(['sources', 'check'], { cwd });
  assert.equal(all.code, 1, all.stderr);
  assert.match(all.stdout, /^SOURCE +STATE +INSTRUMENTS +ROWS +UNDERSTOOD +NEWEST ROW +DELAY\n/);
  assert.match(
    all.stdout,
    /^dolar +fine +2 of 2 +1 +1 +(?:(?:6\d|[7-9]\d|1\d\d) s|\d+ min) old +0 min$/m,
  );
  assert.match(all.stdout, /^mirror +WRONG +0 of \d+ +0 +0 +– +0 min$/m);
  assert.match(all.stdout, /^desk +–/m);
  assert.match(all.stdout, /^ {2}→ Wait 90 s before the next check\./m);
  assert.deepEqual(await readdir(cwd), before);

  const args = ['sources', 'check', 'dolar', '--json', '--save', 'saved'];
  const one = await runPizarra(args, { cwd });
  assert.equal(one.code, 0, one.stdout);
  const [check] = JSON.parse(one.stdout) as readonly SourceCheck[];
  assert.deepEqual([check?.name, check?.state, check?.understood], ['dolar', 'fine', 1]);
  assert.deepEqual(await readdir(join(cwd, 'saved')), ['dolar', 'sources.json']);
  assert.equal(good.requests.at(-1)?.headers['user-agent'], 'Mesa/1.0');

  const unknown = await runPizarra(['sources', 'check', 'dolares'], { cwd });
  assert.equal(unknown.code, 2);
  assert.match(
    unknown.stderr,
    /No configured feed is called dolares\. Valid: dolar, mirror, desk\./,
  );
  assert.equal(await service.stop(), 0);
});

test('Ctrl-C ends a check at once with 130, and what is known is printed', async () => {
  await using directory = await temporaryDirectory();
  await using good = await SourceServer.start();
  await using hanging = await SourceServer.start();
  good.respond = healthy(() => ({ body: dollars }));
  const asked = deferred<void>();
  hanging.respond = (...exchange) => {
    hang(...exchange);
    asked.resolve();
  };
  await configure(directory.path, good, hanging);
  const child = spawn(process.execPath, [launcher, 'sources', 'check', 'mirror'], {
    cwd: directory.path,
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const output = text(child.stdout);
  await asked.promise;
  child.kill('SIGINT');
  assert.deepEqual(await closed, [130, null]);
  assert.match(await output, /^mirror: WRONG\. interrupted$/m);
});

test('an authority that cannot be read stops the command, with the place in the configuration', async () => {
  await using directory = await temporaryDirectory();
  const config = join(directory.path, 'pizarra.yaml');
  await writeFile(config, 'feeds:\n  - { name: dolar, type: dolarapi, ca: gone.pem }\n');
  for (const command of [
    ['sources', 'check'],
    ['serve', '--store', join(directory.path, 'data')],
  ]) {
    const { code, stderr } = await runPizarra([...command, '--config', config]);
    assert.equal(code, 2, stderr);
    assert.match(
      stderr,
      /pizarra\.yaml:2:40: feeds\[0\]\.ca must be a PEM file .*gone\.pem is not: ENOENT/,
    );
  }
});
