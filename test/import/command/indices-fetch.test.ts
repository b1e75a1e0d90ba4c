import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { runPizarra, temporaryDirectory } from '../../support/program/program.ts';
import { SourceServer, type Responder } from '../../support/http/source-server.ts';

const variables: Readonly<Record<string, number>> = { CER: 30, UVA: 31, A3500: 5, TAMAR: 44 };

/** The central bank with these rows of each index, newest first, in pages of two rows. */
function bank(series: Readonly<Record<string, readonly (readonly [string, number])[]>>): Responder {
  return ({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://x');
    const index = Object.keys(variables).find((name) =>
      pathname.endsWith(`/Monetarias/${variables[name]}`),
    );
    const rows = index === undefined ? undefined : series[index];
    if (rows === undefined) return void response.writeHead(404).end();
    const offset = Number(searchParams.get('offset'));
    const detalle = rows.slice(offset, offset + 2).map(([fecha, valor]) => ({ fecha, valor }));
    const metadata = { resultset: { count: rows.length, offset, limit: 3_000 } };
    const results = [{ idVariable: variables[index ?? ''], detalle }];
    response.end(JSON.stringify({ status: 200, metadata, results }));
  };
}

test('"indices fetch" stores what the bank publishes, keeps what it corrects, and names what it does not store', async () => {
  await using directory = await temporaryDirectory();
  await using server = await SourceServer.start();
  const config = join(directory.path, 'pizarra.yaml');
  await writeFile(config, `feeds: [{ type: bcra, name: banco, url: "${server.url}" }]\n`);
  const options = ['--config', config, '--store', join(directory.path, 'data')];
  const run = (...args: readonly string[]) => runPizarra(['indices', ...args, ...options]);

  server.respond = bank({
    CER: [
      ['2026-11-28', 759.5],
      ['2026-11-27', 759],
      ['2026-11-25', 758],
    ],
    A3500: [['2026-11-25', 1_523.0868]],
  });
  const first = await run('fetch', 'CER', 'a3500');
  assert.deepEqual([first.code, first.stderr], [0, '']);
  assert.equal(
    first.stdout,
    'CER (banco): added 3, changed 0, rejected 0, missing 1\n' +
      'A3500 (banco): added 1, changed 0, rejected 0, missing 0\n',
  );

  // A correction, the missing day, a value that is a hundred times off, and an index that fails.
  server.respond = bank({
    CER: [
      ['2026-11-29', 7.6],
      ['2026-11-28', 759.6],
      ['2026-11-26', 758.5],
    ],
  });
  const second = await run('fetch', 'CER', 'UVA', '--desde', '2026-11-20', '--hasta', '2026-11-30');
  assert.equal(second.code, 1);
  const lines = second.stdout.split('\n');
  assert.deepEqual(lines.slice(0, 3), [
    'CER (banco): added 1, changed 1, rejected 0, missing 0',
    '  changed  CER 2026-11-28: it was 759.5 (banco)',
    '  doubtful  CER 2026-11-29: 7.6 contradicts the stored values; not stored, unless with --accept-doubtful',
  ]);
  assert.match(lines[3] ?? '', /^UVA: not fetched\. banco: .*404/);
  const changes = await run('list', 'CER', '--changes', '--json');
  const [change] = JSON.parse(changes.stdout) as readonly Readonly<Record<string, unknown>>[];
  assert.deepEqual(
    [change?.['fecha'], change?.['valor'], change?.['source']],
    ['2026-11-28', 759.5, 'banco'],
  );
  const csv = await run('list', 'CER', '--csv');
  assert.equal(csv.stdout.split('\r\n').length, 6);

  const accepted = await run('fetch', 'CER', '--accept-doubtful');
  assert.equal(accepted.code, 0);
  assert.match(accepted.stdout, /CER 2026-11-29: 7\.6 contradicts the stored values; stored/);
  const reversed = await run('fetch', '--desde', '2026-02-02', '--hasta', '2026-02-01');
  assert.equal(reversed.code, 2);
  assert.match(reversed.stderr, /--desde 2026-02-02 is after --hasta 2026-02-01/);
});
