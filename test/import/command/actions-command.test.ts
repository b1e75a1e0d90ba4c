import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { close, put } from '../../store/close-samples.ts';
import { runPizarra, temporaryDirectory } from '../../support/program/program.ts';
import { openTestStore } from '../../support/program/test-store.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';

test('actions import computes the factor of rights from the stored close, and stores nothing without it', async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  const run = (...args: readonly string[]) => runPizarra(['actions', ...args, '--store', data]);
  const file = join(directory.path, 'actions.csv');
  await writeFile(file, 'ticker,date,type,ratio,price\nYPFD,2026-08-24,rights,1:5,5\n');
  const refused = await run('import', file);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /actions.csv:2: "YPFD 2026-08-24 rights-issue": no close of the 45/);
  {
    await using store = await openTestStore(data);
    await put(store, 'YPFD' as Ticker, [close('2026-08-21', 11), close('2026-08-24', 10.1)]);
  }
  assert.equal(
    (await run('import', file)).stdout,
    'Files: 1. Actions: added 1, changed 0, same 0.\n',
  );
  assert.equal(
    (await run('import', file)).stdout,
    'Files: 1. Actions: added 0, changed 0, same 1.\n',
  );
  assert.match(
    (await run('list')).stdout,
    /YPFD +2026-08-24 +rights-issue +the factor 1.1 +actions/,
  );
});

test('actions import, list and check: all or nothing, a table, and an exit code that reports doubts', async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  const run = (...args: readonly string[]) => runPizarra(['actions', ...args, '--store', data]);
  const file = join(directory.path, 'actions.csv');
  const rows = 'ticker,date,type,factor,source\nYPFD,2026-08-24,split,10:1,CNV\n';
  await writeFile(file, `${rows}NADA,2026-08-24,split,x,\n`);
  const refused = await run('import', file);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.equal(
    refused.stderr,
    `pizarra: Nothing was imported, because of these faults:
${file}:3:1: "NADA": ticker: not in the universe; correct the ticker, or add the instrument to the universe
${file}:3:4: "x": factor: not a number above zero, such as 10, or new units to old units, such as 10:1
`,
  );

  await writeFile(file, rows);
  {
    await using store = await openTestStore(data);
    assert.deepEqual((await store.actions.readAll()).values, []);
    await put(store, 'YPFD' as Ticker, [close('2026-08-21', 45_120), close('2026-08-24', 4_512)]);
  }
  const doubtful = await run('check');
  assert.deepEqual(
    [doubtful.code, doubtful.stdout],
    [
      1,
      'YPFD 2026-08-24: 4512 after 45120 on 2026-08-21 looks like 10 new for 1 old units, and no action is recorded.\n',
    ],
  );
  assert.equal((await run('import', file)).code, 0);
  const listed = await run('list', 'ypfd');
  assert.equal(
    listed.stdout,
    `TICKER  DATE        TYPE   VALUE                   SOURCE
YPFD    2026-08-24  split  10 new for 1 old units  CNV
`,
  );
  const sound = await run('check', 'YPFD');
  assert.deepEqual(
    [sound.code, sound.stdout],
    [0, 'The recorded actions agree with the stored closes, and no action seems to be missing.\n'],
  );
});
