/** docs/integraciones/beancount.md: the source of prices of the Python client, in bean-price of Debian. */
import assert from 'node:assert/strict';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { project } from '../docs/blocks.ts';
import { outputIsAsShown, stepsOf } from '../docs/transcript.ts';
import { temporaryDirectory } from '../support/program/program.ts';
import { readRecipe } from './support/recipe-page.ts';
import { startRecipeService } from './support/recipe-service.ts';
import { needs, runTool } from './support/run-tool.ts';

const page = readRecipe('beancount.md');
const settings = page.take('sh').join('');
const steps = page.take('console').flatMap(stepsOf);
const [book = ''] = page.take('beancount');

const cleanUp = new AsyncDisposableStack();
after(() => cleanUp.disposeAsync());
const service = cleanUp.use(await startRecipeService({ accessLog: 'all' }));
const home = cleanUp.use(await temporaryDirectory()).path;
await cp(join(project, 'clients/python/src'), join(home, 'pizarra/clients/python/src'), {
  recursive: true,
});
await writeFile(join(home, 'libro.beancount'), book);

const beancount = needs(['bean-price', '--version'], 'beancount');
const ledger = { ...beancount, ...needs(['ledger'], 'ledger'), ...needs(['hledger'], 'hledger') };

/** Runs commands in a shell whose home has the client, the file of the key and the book of the page. */
async function runShell(
  commands: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const prepared = settings.replaceAll('https://cotizaciones.example.com', service.url);
  return runTool(['sh', '-c', `${prepared}\n${commands}`], {
    cwd: home,
    env: { HOME: home, KEY: service.key, PYTHONDONTWRITEBYTECODE: '1', ...env },
  });
}

/** Prices of one expression of bean-price, without repeated spaces. */
async function price(symbol: string, options = '', env: Readonly<Record<string, string>> = {}) {
  const command = `bean-price --no-cache ${options} -e 'ARS:pizarra_client.beanprice/${symbol}'`;
  const { stdout, stderr } = await runShell(command, env);
  assert.equal(stderr, '', command);
  return stdout.trim().replaceAll(/ +/g, ' ');
}

for (const { command, output } of steps) {
  test(`the page shows what this command prints: ${command}`, beancount, async () => {
    const { stdout, stderr } = await runShell(command);
    assert.ok(outputIsAsShown(output, stdout + stderr, new Map()), stdout + stderr);
  });
}

for (const zone of ['Asia/Tokyo', 'America/Los_Angeles', 'Pacific/Kiritimati']) {
  test(`the date is that of the session for a user in ${zone}`, beancount, async () => {
    const env = { TZ: zone };
    assert.equal(await price('GGAL', '', env), '2026-11-20 price GGAL 8340.5 ARS');
    assert.match(
      await price('GGAL', '--date 2026-11-19', env),
      /^2026-11-19 price GGAL [\d.]+ ARS$/,
    );
    assert.equal(await price('GGAL', '--date 2026-11-20', env), '2026-11-20 price GGAL 8340.5 ARS');
  });
}

test(
  'a price of an earlier day is the close as traded, not adjusted for a later split',
  beancount,
  async () => {
    const headers = { authorization: `Bearer ${service.key}` };
    const target = `${service.url}/historicos?especie=AAPL&desde=2026-03-10&hasta=2026-03-10`;
    const [close] = (await (await fetch(target, { headers })).json()) as { ultimo: number }[];
    const found = await price('AAPL', '--date 2026-03-10');
    assert.equal(found, `2026-03-10 price AAPL ${close?.ultimo} ARS`);
    const adjusted = await (await fetch(`${target}&ajuste=splits`, { headers })).json();
    assert.notDeepEqual(adjusted, [close]);
  },
);

test('bean-price caches a price, and finds it again', beancount, async () => {
  const command = "bean-price --cache prices.cache -e 'ARS:pizarra_client.beanprice/GGAL'";
  const env = { TZ: 'Asia/Tokyo' };
  const first = await runShell(command, env);
  const before = service.server.logged.length;
  const again = await runShell(command, env);
  assert.match(first.stdout, /^2026-11-20 price GGAL +8340\.5 ARS\n$/);
  assert.deepEqual(again, first);
  assert.equal(service.server.logged.length, before);
});

test('a failure costs neither the other prices nor the program', beancount, async () => {
  const expressions = ['GGAL', 'NOEXISTE', 'RIESGO:PAIS', 'DOGE']
    .map((symbol) => `'ARS:pizarra_client.beanprice/${symbol}'`)
    .join(' ');
  const { stdout, stderr } = await runShell(`bean-price --no-cache -e ${expressions}`);
  assert.match(
    stdout,
    /^2026-11-20 price DOGE +0\.00000012 ARS\n2026-11-20 price GGAL +8340\.5 ARS\n$/,
  );
  assert.match(stderr, /^ERROR {3}: Pizarra: La especie «NOEXISTE» no existe\.$/m);
  assert.match(
    stderr,
    /^ERROR {3}: Pizarra: «RIESGO PAIS» se expresa en «bp», que no es una moneda/m,
  );
  assert.equal(stderr.match(/Could not fetch for job/g)?.length, 2);
  assert.doesNotMatch(stderr, /Traceback/);
});

test('bean-price rounds to the decimals of the book, as the page warns', beancount, async () => {
  for (const [cost, shown] of [
    ['7000', '8340'],
    ['7000.0000', '8340.5000'],
  ] as const) {
    const written = book.replaceAll(/\d+\.00 ARS/g, `${cost} ARS`);
    await writeFile(join(home, 'otro.beancount'), written);
    const { stdout } = await runShell('bean-price --no-cache otro.beancount');
    assert.match(stdout, new RegExp(`^2026-11-20 price GGAL +${shown} ARS$`, 'm'));
  }
});

test('beancount accepts the book with the prices that it got', beancount, async () => {
  const { stdout, stderr } = await runShell(
    [
      'bean-price --no-cache libro.beancount >precios.beancount',
      `(cat libro.beancount; echo 'include "precios.beancount"') >todo.beancount`,
      'bean-check todo.beancount',
      `bean-query -q todo.beancount 'SELECT sum(convert(position, "ARS")) WHERE account ~ "Bolsa"'`,
    ].join('\n'),
  );
  assert.equal(stderr, '');
  assert.match(stdout, new RegExp(`${100 * 8340.5 + 250 * 1502.35}`.replace('.', String.raw`\.`)));
});

test(
  'ledger and hledger value a holding with the prices that the page writes',
  ledger,
  async () => {
    const write = steps.find(({ command }) => command.includes('precios.ledger'))?.command;
    const holding = '2026-01-05 Tenencia\n  Activo  100 "GGAL"\n  Activo  250 "USD"\n  Apertura\n';
    await writeFile(join(home, 'tenencia.ledger'), `include precios.ledger\n\n${holding}`);
    const values = await runShell(
      [
        `${write} >/dev/null`,
        'ledger -f tenencia.ledger balance Activo --exchange ARS --now 2026-11-30',
        'hledger -f tenencia.ledger balance Activo --value=2026-11-30,ARS',
      ].join('\n'),
    );
    const value = 100 * 8340.5 + 250 * 1502.35;
    assert.equal(
      values.stdout.replaceAll(',', '').match(new RegExp(String(value), 'g'))?.length,
      2,
      values.stdout + values.stderr,
    );
  },
);
