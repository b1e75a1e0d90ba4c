import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { launcher } from '../support/program/launcher.ts';
import { runPizarra, startPizarra, temporaryDirectory } from '../support/program/program.ts';

async function succeeds(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runPizarra(args);
  assert.equal(code, 0, stderr);
  return stdout;
}

async function refuses(pattern: RegExp, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await runPizarra(args);
  assert.equal(code, 1, stderr);
  assert.match(stderr, pattern);
  assert.equal(stderr.trim().split('\n').length, 1, 'the error is one line');
}

test('an operator backs up a running service, restores elsewhere, and serves the same quotes and keys', async () => {
  await using directory = await temporaryDirectory();
  const [data, elsewhere, file, closes] = ['data', 'elsewhere', 'backup.db', 'closes.csv'].map(
    (name) => join(directory.path, name),
  ) as [string, string, string, string];
  await writeFile(
    closes,
    'ticker,date,close,open,high,low,volume\r\nGGAL,2026-11-19,100.5,,,,7\r\n',
  );
  await succeeds('import', closes, '--store', data);
  const made = await succeeds('keys', 'create', '--name', 'x', '--json', '--store', data);
  const { key } = JSON.parse(made) as { key: string };
  const headers = { authorization: `Bearer ${key}` };
  const ask = async (url: string): Promise<string> =>
    (await fetch(`${url}/cotizaciones?especie=GGAL`, { headers })).text();

  let quotes: string;
  {
    await using service = await startPizarra(['--store', data]);
    quotes = await ask(service.url);
    assert.match(quotes, /100\.5/);
    const said = await succeeds('backup', file, '--store', data);
    assert.match(said, /1 close of 1 instrument, 1 quote, 1 key; verified by reading it back\./);
    await refuses(/already exists/, 'backup', file, '--store', data);
    await refuses(/Another pizarra serve runs/, 'restore', file, '--store', data);
  }
  await refuses(/Move it away/, 'restore', file, '--store', data);
  await refuses(/not a database/, 'restore', closes, '--store', elsewhere);
  assert.match(await succeeds('restore', file, '--store', elsewhere), /Keys are as they were/);
  assert.equal((await stat(join(elsewhere, 'pizarra.db'))).mode & 0o777, 0o600);
  await using restored = await startPizarra(['--store', elsewhere]);
  assert.equal(await ask(restored.url), quotes);
});

test('export writes to a pipe into import, and ends without an error when its reader stops reading', async () => {
  await using directory = await temporaryDirectory();
  const [data, elsewhere, closes] = ['data', 'elsewhere', 'closes.csv'].map((name) =>
    join(directory.path, name),
  ) as [string, string, string];
  const dates = Array.from({ length: 4_000 }, (_, at) =>
    new Date(Date.UTC(2010, 0, 1) + at * 86_400_000).toISOString().slice(0, 10),
  );
  const rows = dates.map((date, at) => `BTC,${date},${at + 0.25},1,2,0.5,7,data912\r\n`);
  const text = `ticker,date,close,open,high,low,volume,source\r\n${rows.join('')}`;
  await writeFile(closes, text);
  await succeeds('import', closes, '--store', data);
  const program = `${process.execPath} ${launcher}`;
  const piped = spawnSync(
    'sh',
    ['-c', `${program} export --store ${data} | ${program} import - --store ${elsewhere}`],
    { encoding: 'utf8' },
  );
  assert.match(piped.stdout, /added 4,000, /);
  const again = join(directory.path, 'again.csv');
  await succeeds('export', '-o', again, '--store', elsewhere);
  assert.equal(await readFile(again, 'utf8'), text);

  const head = spawnSync('sh', ['-c', `${program} export --store ${data} | head -n 1`], {
    encoding: 'utf8',
  });
  assert.doesNotMatch(head.stderr, /defect/);
});
