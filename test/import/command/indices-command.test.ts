import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { runPizarra, temporaryDirectory } from '../../support/program/program.ts';
import { openTestStore } from '../../support/program/test-store.ts';

const header = 'indice,fecha,valor\n';

test('indices import, list and check: all or nothing, changes that are kept, and CSV that is read back', async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  const run = (...args: readonly string[]) => runPizarra(['indices', ...args, '--store', data]);
  const file = join(directory.path, 'indices.csv');
  await writeFile(file, `${header}CER,2026-11-26,758.5\nIPIM,2026-11-27,x\n`);
  const refused = await run('import', file);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.equal(
    refused.stderr,
    `pizarra: Nothing was imported, because of these faults:
${file}:3:1: "IPIM": indice: not an index; the indices are CER, UVA, A3500, TAMAR, BADLAR, ICL, IPC
${file}:3:3: "x": valor: not a number above zero; correct it, or delete the row
`,
  );

  await writeFile(
    file,
    `${header}CER,2026-11-26,758.5\nCER,2026-11-27,759\nCER,2026-11-29,75900\nTAMAR,2026-11-25,31.25\n`,
  );
  const dry = await run('import', file, '--dry-run');
  assert.match(dry.stdout, /^Dry run, nothing stored\. Files: 1\. Values: added 4, changed 0/);
  const imported = await run('import', file);
  assert.equal(
    imported.stdout,
    `Files: 1. Values: added 4, changed 0, same 0, suspicious 1.
suspicious  CER 2026-11-29: 75900 is far from the values around it
`,
  );
  const again = await run('import', file, '--json');
  assert.deepEqual(JSON.parse(again.stdout), {
    files: 1,
    added: 0,
    changed: 0,
    same: 4,
    suspicious: [],
    dryRun: false,
  });

  const checked = await run('check', 'cer');
  assert.equal(checked.code, 1);
  assert.match(
    checked.stdout,
    /^CER 2026-11-28: no value\.\nCER 2026-11-29: 75900 after 759 on 2026-11-27\.$/m,
  );

  const right = join(directory.path, 'right.csv');
  await writeFile(right, `${header}CER,2026-11-28,759.5\nCER,2026-11-29,760\n`);
  assert.match((await run('import', right)).stdout, /added 1, changed 1, same 0, suspicious 0\./);
  const changes = await run('list', 'CER', '--changes');
  assert.match(
    changes.stdout,
    /^INDEX {2}DATE .*\nCER {4}2026-11-29 {2}75900 {2}import:indices\.csv {2}\d{4}-\S+Z {2}\d{4}-\S+Z\n$/,
  );
  const [change] = JSON.parse((await run('list', '--changes', '--json')).stdout) as [object];
  assert.deepEqual(Object.keys(change), [
    'indice',
    'fecha',
    'valor',
    'source',
    'stored',
    'replaced',
  ]);

  const summary = (await run('list')).stdout.split('\n');
  assert.match(summary[0] ?? '', /^INDEX +FROM +TO +VALUES +MISSING +LAST +SOURCE$/);
  assert.match(summary[1] ?? '', /^CER +2026-11-26 +2026-11-29 +4 +0 +760 +import:right\.csv$/);
  assert.match(summary[2] ?? '', /^UVA +- +- +0 +0 +- +-$/);
  const listed = await run('list', 'CER', '--desde', '2026-11-29');
  assert.match(listed.stdout, /^INDEX +DATE .*\nCER +2026-11-29 +760 +import:right\.csv +\S+Z\n$/);
  const unknown = await run('list', 'IPIM');
  assert.equal(unknown.code, 2);
  assert.match(
    unknown.stderr,
    /There is no index IPIM\. Valid: CER, UVA, A3500, TAMAR, BADLAR, ICL, IPC\./,
  );

  const csv = (await run('list', '--csv')).stdout;
  assert.equal(
    csv,
    'indice,fecha,valor,fuente\r\n' +
      'CER,2026-11-26,758.5,import:indices.csv\r\n' +
      'CER,2026-11-27,759,import:indices.csv\r\n' +
      'CER,2026-11-28,759.5,import:right.csv\r\n' +
      'CER,2026-11-29,760,import:right.csv\r\n' +
      'TAMAR,2026-11-25,31.25,import:indices.csv\r\n',
  );
  const other = join(directory.path, 'other');
  const exported = join(directory.path, 'exported.csv');
  await writeFile(exported, csv);
  assert.equal((await runPizarra(['indices', 'import', exported, '--store', other])).code, 0);
  assert.equal((await runPizarra(['indices', 'list', '--csv', '--store', other])).stdout, csv);
  await using store = await openTestStore(other, { mode: 'read' });
  assert.equal((await store.indices.readReplaced()).length, 0);
});

test('indices check of an installation without values says how to get them, and exits with 1', async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  await using _ = await openTestStore(data);
  const { code, stdout } = await runPizarra(['indices', 'check', '--store', data]);
  assert.equal(code, 1);
  assert.match(stdout, /^No values of any index are stored\. .*"pizarra indices import"/);
});
