import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPlace } from '../../../src/node/place/open-place.ts';
import { runPizarra, temporaryDirectory } from '../../support/program/program.ts';
import { fixed, healthy, SourceServer } from '../../support/http/source-server.ts';
import { storeAt } from '../../support/program/test-store.ts';

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
  return ['--config', config, '--store', join(directory, 'data')];
}

test('"history fetch" stores the closes of a source, says what is missing, and asks no second time', async () => {
  await using place = await temporaryDirectory();
  await using server = await SourceServer.start();
  server.respond = healthy(({ url }) => (url === riskPath ? { body } : undefined));
  const options = await configure(place.path, server.url);
  const args = ['history', 'fetch', 'riesgo pais', '--from', '2024-03-04', ...options];
  const first = await runPizarra(args);
  assert.deepEqual([first.code, first.stderr], [0, '']);
  assert.match(first.stdout, /^datos: 1 request, added 3 closes of 1 instrument, rejected 1\n/);
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
  assert.match(stdout, /^datos: 1 request, added 0 .*; stopped: .*403.*Run the command again/);
  assert.match(stdout, /Without any close:\n/);
});

test('"history fetch" without a source with history, with an unknown source or instrument says what to do', async () => {
  await using place = await temporaryDirectory();
  const data = ['--store', join(place.path, 'data')];
  const none = await runPizarra(['history', 'fetch', ...data], { cwd: place.path });
  assert.equal(none.code, 2);
  assert.match(none.stderr, /--market argentina/);
  const options = await configure(place.path, 'http://localhost:9');
  const source = await runPizarra(['history', 'fetch', '--source', 'nobody', ...options]);
  assert.equal(source.code, 2);
  assert.match(source.stderr, /nobody\. Valid: datos\./);
  const instrument = await runPizarra(['history', 'fetch', 'NADA', ...options]);
  assert.equal(instrument.code, 2);
  assert.match(instrument.stderr, /has no instrument NADA/);
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
datos: 1 request, compared 2 closes of 1 instrument, different 2, only stored 0, only at the source 0, rejected 1
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
  assert.match(csv.stderr, /^datos: 1 request, compared 1 close of 1 instrument, different 1/);

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

/** The bars of a response of data912. */
function data912Bars(bars: Readonly<Record<string, object>>): string {
  const rows = Object.entries(bars).map(([date, bar]) => ({ date, v: 1_000, ...bar }));
  return JSON.stringify(rows);
}

/** The columns of a response of BYMA. A bar begins at 00:00 in Buenos Aires. */
function bymaColumns(closes: Readonly<Record<string, number>>): string {
  const t = Object.keys(closes).map((date) => Date.parse(`${date}T00:00:00-03:00`) / 1_000);
  const c = Object.values(closes);
  return JSON.stringify({ s: 'ok', t, o: c, h: c, l: c, c, v: c.map(() => 5) });
}

function feed(name: string, url: string): string {
  return `  - { name: ${name}, type: ${name}, url: "${url}", instruments: { include: [GGAL] } }\n`;
}

async function configureBoth(
  directory: string,
  { data912, byma }: { readonly data912: string; readonly byma: string },
): Promise<readonly string[]> {
  const config = join(directory, 'pizarra.yaml');
  await writeFile(config, `feeds:\n${feed('data912', data912)}${feed('byma', byma)}`);
  return ['--config', config, '--store', join(directory, 'data')];
}

test('after an outage of data912, "history fetch" replaces the closes of BYMA with those of data912, and reports it', async () => {
  await using place = await temporaryDirectory();
  await using data912 = await SourceServer.start();
  await using byma = await SourceServer.start();
  byma.respond = healthy(() => ({
    body: bymaColumns({ '2024-03-04': 1_500.5, '2024-03-05': 1_510.5, '2024-03-06': 1_520.5 }),
  }));
  const options = await configureBoth(place.path, { data912: data912.url, byma: byma.url });
  const args = ['history', 'fetch', 'GGAL', '--from', '2024-03-04', ...options];
  data912.respond = fixed(403);
  const outage = await runPizarra(args);
  assert.equal(outage.code, 1);
  assert.match(outage.stdout, /^data912: .*stopped: .*\nbyma: 1 request, added 3 closes/);

  const bars = {
    '2024-03-04': { c: 1_500 },
    '2024-03-05': { c: 1_510 },
    '2024-03-06': { c: 1_520 },
  };
  data912.respond = healthy(() => ({ body: data912Bars(bars) }));
  const after = await runPizarra(args);
  assert.equal(after.code, 0);
  assert.match(
    after.stdout,
    /^data912: 1 request, added 0 closes of 1 instrument, replaced 3 of later sources, rejected 0\n/,
  );
  assert.match(
    after.stdout,
    /after it in the configuration:\n {2}GGAL 2024-03-04: stored 1500\.5 of byma, data912 has 1500 /,
  );
  const exported = await runPizarra(['export', 'GGAL', ...options]);
  assert.deepEqual(exported.stdout.split('\r\n').slice(1, -1), [
    'GGAL,2024-03-04,1500,,,,1000,data912',
    'GGAL,2024-03-05,1510,,,,1000,data912',
    'GGAL,2024-03-06,1520,,,,1000,data912',
  ]);
});

test('"history fetch" does not store a close of 541000 in a bar of 5651 to 5765, and names every rejected row with --verbose', async () => {
  await using place = await temporaryDirectory();
  await using data912 = await SourceServer.start();
  await using byma = await SourceServer.start();
  byma.respond = healthy(() => ({ body: bymaColumns({}) }));
  const usual = { o: 5_700, h: 5_760, l: 5_650 };
  data912.respond = healthy(() => ({
    body: data912Bars({
      '2024-03-04': { ...usual, c: 5_700 },
      '2024-03-05': { ...usual, c: 5_710 },
      '2024-03-06': { ...usual, c: null },
      '2024-03-07': { o: 5_708.22, h: 5_765.3, l: 5_651.14, c: 541_000 },
      '2024-03-09': { ...usual, c: 5_710 },
    }),
  }));
  const options = await configureBoth(place.path, { data912: data912.url, byma: byma.url });
  const args = ['history', 'fetch', 'GGAL', '--from', '2024-03-04', ...options];
  const { stdout } = await runPizarra([...args, '--verbose']);
  assert.match(stdout, /^data912: 1 request, added 2 closes of 1 instrument, rejected 3\n/);
  const doubtful =
    'data912: GGAL 2024-03-07 {"open":5708.22,"high":5765.3,"low":5651.14,"close":541000,"volume":1000}: the close is outside its own low and high';
  assert.ok(stdout.includes(`Doubtful closes, not stored:\n  ${doubtful}\n`), stdout);
  assert.match(
    stdout,
    /Other rows that are not stored:\n {2}data912: GGAL 2024-03-06 \{.*"close":null.*\}: no price\n {2}data912: GGAL 2024-03-09 \{.*\}: a day on which the market does not trade/,
  );
  const exported = await runPizarra(['export', 'GGAL', ...options]);
  assert.doesNotMatch(exported.stdout, /541000/);
});
