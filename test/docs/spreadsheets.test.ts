/** What docs/spreadsheets.md shows, with docs/pizarra.gs and docs/pizarra.pq: the code runs against a real listener, as far as it can outside a spreadsheet. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MessageChannel, Worker } from 'node:worker_threads';

import { DefaultSettings, TaskUtils } from '@microsoft/powerquery-parser';

import { startTestServer } from '../support/http/start-test-server.ts';
import { once } from '../support/wait.ts';
import { blocksIn, textOf } from './blocks.ts';

const page = 'docs/spreadsheets.md';
const blocks = blocksIn(page);
const code = textOf('docs/pizarra.gs');

const cleanUp = new AsyncDisposableStack();
after(() => cleanUp.disposeAsync());
const server = cleanUp.use(await startTestServer());

interface Ran {
  readonly value: unknown;
  readonly cells: readonly string[];
  readonly triggers: number;
}

/** A spreadsheet with the code of the document, whose requests go to the listener of this test. */
function openSheet(properties: Readonly<Record<string, string>> = {}) {
  const { port1, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const given = { PIZARRA_URL: 'https://pizarra.test/', PIZARRA_CLAVE: server.key, ...properties };
  const worker = new Worker(new URL('apps-script-worker.ts', import.meta.url), {
    workerData: { code, properties: given, requests: port2, answered },
    transferList: [port2],
  });
  cleanUp.defer(async () => void (await worker.terminate()));
  const targets: string[] = [];
  port1.on(
    'message',
    async ({ url, options }: { url: string; options: { headers: Record<string, string> } }) => {
      const target = url.replace('https://pizarra.test', '');
      targets.push(target);
      const response = await fetch(`http://127.0.0.1:${server.port}${target}`, options);
      port1.postMessage({ status: response.status, body: await response.text() });
      Atomics.store(answered, 0, 1);
      Atomics.notify(answered, 0);
    },
  );
  const run = async (name: string, ...args: readonly unknown[]): Promise<Ran> => {
    const done = once(worker, 'message');
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage({ name, args });
    const [ran] = (await done) as [Ran];
    return ran;
  };
  return { run, targets };
}

const sheet = openSheet();

test('Google Sheets: a range of tickers is one request, and each row has the fields that were asked for', async () => {
  const range = [['GGAL'], ['xxx'], [''], [' dolar  mep ']];
  const { value } = await sheet.run('PIZARRA', range, 'ultimo; variacion; anterior');
  assert.deepEqual(value, [
    [7410, 1.37, 7310],
    ['sin datos', 'sin datos', 'sin datos'],
    ['', '', ''],
    [1502.35, 0.12, 1500.55],
  ]);
  assert.deepEqual(sheet.targets.splice(0), ['/cotizaciones?especie=GGAL,XXX,DOLAR%20MEP']);
});

test('Google Sheets: another formula reuses the quotes, and only requests the missing ones', async () => {
  const { value } = await sheet.run('PIZARRA', [['GGAL'], ['XXX'], ['AL30']]);
  assert.deepEqual(value, [[7410], ['sin datos'], [91_250.5]]);
  assert.deepEqual(sheet.targets.splice(0), ['/cotizaciones?especie=AL30']);
});

test('Google Sheets: many tickers are split into requests that Google accepts', async () => {
  const many = Array.from({ length: 400 }, (_, at) => [`FALTA ${at}`]);
  const { value } = await sheet.run('PIZARRA', many);
  assert.equal((value as unknown[]).length, 400);
  assert.ok(sheet.targets.length > 1);
  assert.equal(sheet.targets.splice(0).flatMap((one) => one.split(',')).length, 400);
});

test('Google Sheets: a panel and a series have a heading, and an absent value is an empty cell', async () => {
  const panel = await sheet.run('PIZARRA_PANEL', 'LID', 'especie;ultimo;apertura');
  assert.deepEqual(panel.value, [
    ['especie', 'ultimo', 'apertura'],
    ['YPFD', 41_250, ''],
    ['GGAL', 7410, 7330],
  ]);
  const from = new Date('2024-02-29T03:00:00Z');
  const series = await sheet.run('PIZARRA_HISTORICO', 'AL30', from, '2024-03-01');
  assert.deepEqual(series.value, [
    ['fecha', 'ultimo', 'volumen'],
    ['2024-02-29', 46_950, 2_345_678],
    ['2024-03-01', 47_000, ''],
  ]);
  const none = await sheet.run('PIZARRA_HISTORICO', 'XXX', from, '2024-03-01');
  assert.equal(none.value, 'sin datos');
  sheet.targets.splice(0);
});

test('Google Sheets: an error is a text in the cell, and is not cached', async () => {
  const wrong = await sheet.run('PIZARRA_PANEL', 'lid');
  assert.match(String(wrong.value), /^Error: El panel «lid» no existe/);
  const date = await sheet.run('PIZARRA_HISTORICO', 'AL30', '2024-02-30', '2024-03-01');
  assert.match(String(date.value), /^Error: .*2024-02-30/);

  const refused = await openSheet({ PIZARRA_CLAVE: 'pz_otra' }).run('PIZARRA', 'GGAL');
  assert.match(String(refused.value), /^Error: La clave de acceso no es válida/);
  const plain = await openSheet({ PIZARRA_URL: 'http://pizarra.test' }).run('PIZARRA', 'GGAL');
  assert.match(String(plain.value), /^Error: PIZARRA_URL debe empezar con https/);
  const unset = await openSheet({ PIZARRA_CLAVE: '' }).run('PIZARRA', 'GGAL');
  assert.match(String(unset.value), /^Error: Faltan las propiedades/);
});

test('Google Sheets: the menu renews the cell on which the formulas depend, with one trigger', async () => {
  await sheet.run('actualizarCadaMinuto');
  const { cells, triggers } = await sheet.run('actualizarCadaMinuto');
  assert.deepEqual(cells, ['A1', 'B1']);
  assert.equal(triggers, 1);
});

test('Excel: every query of the document, and docs/pizarra.pq, is valid Power Query', async () => {
  const shown = blocks.filter(({ language }) => language === 'powerquery');
  assert.equal(shown.length, 4);
  const queries = [...shown.map(({ text }) => text), textOf('docs/pizarra.pq')];
  for (const query of queries) {
    const task = await TaskUtils.tryLexParse(DefaultSettings, query);
    assert.ok(TaskUtils.isParseStageOk(task), `${query}: ${JSON.stringify(task)}`);
  }
  const broken = await TaskUtils.tryLexParse(DefaultSettings, 'let a = in a');
  assert.ok(!TaskUtils.isParseStageOk(broken));
});

test('Excel: the paths and parameters of the queries are valid', async () => {
  for (const target of [
    '/cotizaciones?panel=LID&formato=csv',
    '/cotizaciones?especie=AL30,GD30,DOLAR%20MEP&formato=csv',
    '/historicos?especie=GGAL,YPFD,DOLAR%20MEP&forma=ancha&desde=2026-01-01&hasta=2026-11-20&ajuste=splits&formato=csv',
  ]) {
    const answer = await server.get(target);
    assert.equal(answer.status, 200, target);
    assert.match(answer.header('content-type') ?? '', /^text\/csv/);
  }
});
