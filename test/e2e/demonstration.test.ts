import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { exchangeRaw } from '../support/http/raw-http.ts';
import { leaders } from '../support/market/default-panels.ts';
import {
  runPizarra,
  startPizarra,
  temporaryDirectory,
  type RunningService,
} from '../support/program/program.ts';
import { until } from '../support/wait.ts';
import { fieldsIn } from '../support/fields-in.ts';

interface Quote {
  readonly especie: string;
  readonly fecha: string;
  readonly hora?: string;
  readonly ultimo: number;
}

async function get(service: RunningService, key: string, target: string): Promise<Response> {
  return fetch(service.url + target, { headers: { authorization: `Bearer ${key}` } });
}

async function quotesOf(service: RunningService, key: string, query: string): Promise<Quote[]> {
  return (await (await get(service, key, `/cotizaciones?${query}`)).json()) as Quote[];
}

/** Waits until a condition is true. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  await until('the condition is true', () => holds().catch(() => false));
}

const rava = [
  'especie,fecha,apertura,maximo,minimo,cierre,volumen,timestamp',
  'GGAL,2024-01-30,1500,1520,1480,1510,1000,1706583600',
  'GGAL,2024-01-31,1510,1600,1500,1585.5,2000,1706670000',
].join('\n');

test('without imported data and feeds, a labelled demonstration runs until real data replaces it', async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  const file = join(directory.path, 'GGAL.csv');
  await writeFile(file, rava);
  await using service = await startPizarra(['--store', data, '--demonstration', 'auto']);
  const key = await service.firstKey();
  assert.match(service.stderr(), /demonstration running/);
  assert.match(service.stderr(), /start with --market argentina/);

  for (const target of ['/cotizaciones?panel=LID', '/historicos', '/nada', '/especies.txt']) {
    const answer = await get(service, key, target);
    assert.equal(answer.headers.get('data-source'), 'simulated', target);
    await answer.body?.cancel();
  }
  // Contract 4.5.9: every response says so, whatever its status and method.
  const authorization = `Bearer ${key}`;
  const tag = (await get(service, key, '/mercados')).headers.get('etag') ?? assert.fail('no tag');
  for (const [status, target, request] of [
    [200, '/', {}],
    [200, '/openapi.json', { method: 'HEAD' }],
    [304, '/mercados', { headers: { authorization, 'if-none-match': tag } }],
    [400, '/cotizaciones', { headers: { authorization } }],
    [401, '/cotizaciones', {}],
    [405, '/cotizaciones', { method: 'POST', headers: { authorization } }],
  ] as const) {
    const response = await fetch(service.url + target, request);
    await response.body?.cancel();
    const said = [response.status, response.headers.get('data-source')];
    assert.deepEqual(said, [status, 'simulated'], target);
  }
  const port = Number(new URL(service.url).port);
  for (const [status, bytes] of [
    [400, 'GET / HTTP/1.1\r\n\r\n'],
    [414, `GET /?${'a'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`],
    [431, `GET / HTTP/1.1\r\nHost: x\r\nx: ${'a'.repeat(70_000)}\r\n\r\n`],
  ] as const) {
    const answer = await exchangeRaw(port, bytes);
    assert.deepEqual([answer.status, answer.headers.get('data-source')], [status, 'simulated']);
  }
  const health = (await (await fetch(`${service.url}/healthz`)).json()) as { datos?: string };
  assert.equal(health.datos, 'simulados');

  const before = await quotesOf(service, key, 'panel=LID');
  assert.equal(before.length, leaders);
  await eventually(async () => {
    const now = await quotesOf(service, key, 'panel=LID');
    return now.some(({ ultimo }, index) => ultimo !== before[index]?.ultimo);
  });
  const range = 'desde=2000-01-01&hasta=2999-12-31';
  const history = (await (
    await get(service, key, `/historicos?especie=GGAL&${range}`)
  ).json()) as Quote[];
  assert.ok(history.length > 450, `${history.length} closes in two years`);

  const valued = await get(service, key, '/bonos?panel=BONOS');
  assert.equal(valued.headers.get('missing-indices'), null);
  const bonds = (await valued.json()) as { especie: string; estado: string; indice: string }[];
  const states = new Set(bonds.map(({ estado }) => estado));
  // One may mature on the day of the test.
  assert.deepEqual(states.difference(new Set(['vencido'])), new Set(['ok']));
  const used = new Set(bonds.map(({ indice }) => indice));
  assert.ok(used.has('CER') && used.has('A3500'), 'bonds use the indices of the demonstration');

  const command = ['import', file, '--store', data, '--ticker', 'GGAL'];
  const trial = await runPizarra([...command, '--dry-run']);
  assert.doesNotMatch(trial.stdout, /demonstration/);
  const { code, stdout, stderr } = await runPizarra(command);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /The demonstration has ended: .*\n.*pizarra serve --store DIR/);
  await eventually(async () => {
    const answer = await get(service, key, '/cotizaciones?especie=GGAL');
    await answer.body?.cancel();
    return answer.status === 200 && answer.headers.get('data-source') === null;
  });
  assert.deepEqual(
    fieldsIn(await quotesOf(service, key, 'panel=LID'), 'especie', 'fecha', 'ultimo'),
    ['GGAL 2024-01-31 1585.5'],
  );
  assert.equal(await service.stop(), 0);
  assert.doesNotMatch((await runPizarra(command)).stdout, /demonstration/, 'it ends once');

  await using again = await startPizarra(['--store', data, '--demonstration', 'auto']);
  assert.ok(
    !again.stderr().includes('demonstration'),
    'the demonstration ended when real data arrived',
  );
});

test('with the demonstration switched off, the market is empty', async () => {
  await using directory = await temporaryDirectory();
  await using service = await startPizarra(['--store', directory.path, '--demonstration', 'off']);
  const answer = await get(service, await service.firstKey(), '/cotizaciones?panel=LID');
  assert.deepEqual(await answer.json(), []);
  assert.equal(answer.headers.get('data-source'), null);
});

test('with a configured feed, its quotes are served from the start, and no demonstration', async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  const config = join(directory.path, 'pizarra.yaml');
  const recorded = [
    { ticker: 'GGAL', at: '2026-11-19T11:00:00-03:00', last: 100 },
    { ticker: 'GGAL', at: '2026-11-19T16:00:00-03:00', last: 110, volume: 50 },
    { ticker: 'GGAL', at: '2026-11-20T11:00:00-03:00', last: 121 },
  ];
  await writeFile(
    join(directory.path, 'recording.ndjson'),
    recorded.map((update) => JSON.stringify(update)).join('\n'),
  );
  await writeFile(
    config,
    'feeds:\n  - {name: tape, type: replay, format: updates, speed: max, files: [recording.ndjson]}\n',
  );
  await using service = await startPizarra(['--store', data, '--config', config]);
  const key = await service.firstKey();
  await eventually(async () => (await quotesOf(service, key, 'especie=GGAL'))[0]?.ultimo === 121);
  const [quote] = await quotesOf(service, key, 'especie=GGAL');
  assert.deepEqual(quote, {
    especie: 'GGAL',
    fecha: '2026-11-20',
    hora: '11:00:00',
    ultimo: 121,
    variacion: 10,
    anterior: 110,
    apertura: 121,
    minimo: 121,
    maximo: 121,
    varMTD: null,
    varYTD: null,
    volumen: 0,
  });
  const history = await get(
    service,
    key,
    '/historicos?especie=GGAL&desde=2026-11-19&hasta=2026-11-20',
  );
  assert.deepEqual(await history.json(), [
    { especie: 'GGAL', fecha: '2026-11-19', ultimo: 110, volumen: 50 },
  ]);
});

test('an invalid feed is refused at the start, with its place and the valid values', async () => {
  await using directory = await temporaryDirectory();
  const config = join(directory.path, 'pizarra.yaml');
  await writeFile(config, 'feeds:\n  - {name: tape, type: reply}\n');
  const { code, stderr } = await runPizarra([
    'serve',
    '--store',
    directory.path,
    '--config',
    config,
  ]);
  assert.equal(code, 2);
  assert.match(stderr, /feeds\[0\].*replay/);
});
