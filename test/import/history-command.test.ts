import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPlace } from '../../src/app/place/open-place.ts';
import { runPizarra, temporaryDirectory } from '../support/program.ts';
import { fixed, healthy, SourceServer } from '../support/source-server.ts';
import { storeAt } from '../support/test-store.ts';

const riskPath = '/v1/finanzas/indices/riesgo-pais';
const body = JSON.stringify([
  { valor: 1490, fecha: '2024-03-04' },
  { valor: 1500, fecha: '2024-03-05' },
  { valor: 1520, fecha: '2024-03-07' },
  { valor: null, fecha: '2024-03-08' },
]);

async function configure(directory: string, url: string): Promise<readonly string[]> {
  const config = join(directory, 'pizarra.yaml');
  await writeFile(config, `feeds: [{ type: argentinadatos, name: datos, url: "${url}" }]\n`);
  return ['--config', config, '--data', join(directory, 'data')];
}

test('"history fetch" stores the closes of a source, says what is missing, and asks no second time', async () => {
  await using place = await temporaryDirectory();
  await using server = await SourceServer.start();
  server.respond = healthy(({ url }) => (url === riskPath ? { body } : undefined));
  const options = await configure(place.path, server.url);
  const args = ['history', 'fetch', 'riesgo pais', '--from', '2024-03-04', ...options];
  const first = await runPizarra(args);
  assert.deepEqual([first.code, first.stderr], [0, '']);
  assert.match(first.stdout, /^datos: 1 requests, added 3 closes of 1 instruments, rejected 1\n/);
  assert.match(
    first.stdout,
    /Session days without a close:\n {2}RIESGO PAIS: [\d,]+, the last is /,
  );
  const exported = await runPizarra(['export', 'RIESGO PAIS', ...options]);
  assert.match(exported.stdout, /RIESGO PAIS,2024-03-05,1500,/);
  assert.doesNotMatch(exported.stdout, /2024-03-08/);
  // The days of the last week may still come; all others are known to be lacking.
  await using data = openPlace(storeAt(join(place.path, 'data')));
  assert.match(
    (await data.notes.read('history-fetch')) ?? '',
    /"from":"2024-03-06","to":"2024-03-06"/,
  );
});

test('"history fetch" ends with 1 when a source fails, names the cause, and shows no query of a URL', async () => {
  await using place = await temporaryDirectory();
  await using server = await SourceServer.start();
  server.respond = fixed(403);
  const options = await configure(place.path, server.url);
  const { code, stdout } = await runPizarra(['history', 'fetch', ...options]);
  assert.equal(code, 1);
  assert.match(stdout, /^datos: 1 requests, added 0 .*; stopped: .*403.*Run the command again/);
  assert.match(stdout, /Without any close:\n/);
});

test('"history fetch" without a source with history, with an unknown source or instrument says what to do', async () => {
  await using place = await temporaryDirectory();
  const data = ['--data', join(place.path, 'data')];
  const none = await runPizarra(['history', 'fetch', ...data], { cwd: place.path });
  assert.equal(none.code, 2);
  assert.match(none.stderr, /--market argentina/);
  const options = await configure(place.path, 'http://localhost:9');
  const source = await runPizarra(['history', 'fetch', '--source', 'nobody', ...options]);
  assert.equal(source.code, 2);
  assert.match(source.stderr, /nobody\. Valid: datos\./);
  const instrument = await runPizarra(['history', 'fetch', 'NADA', ...options]);
  assert.equal(instrument.code, 2);
  assert.match(instrument.stderr, /not in the universe: NADA/);
});

test('"history compare" lists the closes that differ, "history fetch" keeps them, and an export has their sources', async () => {
  await using place = await temporaryDirectory();
  await using server = await SourceServer.start();
  server.respond = healthy(({ url }) => (url === riskPath ? { body } : undefined));
  const options = await configure(place.path, server.url);
  const file = join(place.path, 'riesgo.csv');
  const rows = ['2024-03-05,1505', '2024-03-07,1500'].map((row) => `RIESGO PAIS,${row}\n`);
  await writeFile(file, `ticker,date,close\n${rows.join('')}`);
  assert.equal((await runPizarra(['import', file, ...options.slice(2)])).code, 0);

  const text = await runPizarra(['history', 'compare', 'riesgo pais', ...options]);
  assert.deepEqual(
    [text.code, text.stderr, text.stdout],
    [
      0,
      '',
      `RIESGO PAIS 2024-03-05: stored 1505 of import:riesgo.csv, datos has 1500 (-0.3322 %)
RIESGO PAIS 2024-03-07: stored 1500 of import:riesgo.csv, datos has 1520 (+1.3333 %)
datos: 1 requests, compared 2 closes of 1 instruments, different 2, only stored 0, only at the source 0, rejected 1
`,
    ],
  );
  const range = ['--from', '2024-03-05', '--to', '2024-03-06'];
  const csv = await runPizarra(['history', 'compare', '--csv', ...range, ...options]);
  assert.equal(
    csv.stdout,
    'ticker,date,stored,storedSource,other,otherSource,differencePct\r\n' +
      'RIESGO PAIS,2024-03-05,1505,import:riesgo.csv,1500,datos,-0.3322\r\n',
  );
  assert.match(csv.stderr, /^datos: 1 requests, compared 1 closes of 1 instruments, different 1/);

  const fetched = await runPizarra(['history', 'fetch', 'riesgo pais', ...options]);
  assert.match(
    fetched.stdout,
    /which are kept:\n {2}RIESGO PAIS 2024-03-05: stored 1505 of import:riesgo\.csv, datos has 1500 \(-0\.3322 %\)\n/,
  );
  const exported = await runPizarra(['export', 'RIESGO PAIS', ...options]);
  assert.deepEqual(exported.stdout.split('\r\n').slice(1, -1), [
    'RIESGO PAIS,2024-03-04,1490,,,,,datos',
    'RIESGO PAIS,2024-03-05,1505,,,,,import:riesgo.csv',
    'RIESGO PAIS,2024-03-07,1500,,,,,import:riesgo.csv',
  ]);
});
