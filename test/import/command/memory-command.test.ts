import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { al30, close } from '../../store/close-samples.ts';
import { runPizarra, temporaryDirectory } from '../../support/program/program.ts';
import { openTestStore } from '../../support/program/test-store.ts';

test('"history log" shows what was replaced, "history revert" puts it back, and both say what is wrong', async () => {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, 'data');
  const at = Date.UTC(2026, 4, 5, 15);
  {
    await using store = await openTestStore(data);
    for (const [later, value] of [
      [0, 10.5],
      [1, 11],
    ] as const) {
      await store.history.transaction(
        (transaction) => transaction.put(al30, [{ ...close('2026-05-04', value), source: 'byma' }]),
        { origin: 'fetch', now: () => at + later },
      );
    }
  }
  const options = ['--store', data];
  const log = await runPizarra(['history', 'log', 'al30', ...options]);
  assert.deepEqual([log.code, log.stderr], [0, '']);
  const [head = '', line = ''] = log.stdout.split('\n');
  assert.match(head, /^INSTANT +DATE +FIELD +BEFORE +AFTER +SOURCE +ORIGIN$/);
  assert.match(line, /^2026-05-05T15:00:00\.001Z +2026-05-04 +close +10\.5 +11 +byma +fetch$/);

  const reverted = await runPizarra(['history', 'revert', 'AL30', '2026-05-04', ...options]);
  assert.equal(
    reverted.stdout,
    'Put back the close 10.5 of AL30 of 2026-05-04, which replaces 11.\n',
  );
  const json = await runPizarra(['history', 'log', 'AL30', '2026-05-04', '--json', ...options]);
  const rows = JSON.parse(json.stdout) as readonly Record<string, unknown>[];
  assert.deepEqual(
    rows.map(({ field, before, after, source, origin }) => [field, before, after, source, origin]),
    [
      ['close', 11, 10.5, 'confirmed:byma', 'revert'],
      ['source', 'byma', 'confirmed:byma', 'confirmed:byma', 'revert'],
      ['close', 10.5, 11, 'byma', 'fetch'],
      ['close', null, 10.5, 'byma', 'fetch'],
    ],
  );
  const empty = await runPizarra(['history', 'log', '--index', 'cer', ...options]);
  assert.equal(empty.stdout, 'Nothing was replaced.\n');
  for (const [args, message] of [
    [['log'], /Name an instrument, or an index with --index/],
    [['log', '--index', 'CER', '2026-05-04', 'AL30'], /the only argument is the day/],
    [['log', 'AL30', '2026-02-30'], /"2026-02-30" is not a day/],
    [['revert', 'AL30'], /Name the day/],
    [['revert', 'AL30', '2026-05-04', '--to', '2026-05-04'], /an instant such as/],
    [['revert', '--index', 'CER', '2026-05-04'], /has replaced nothing/],
  ] as const) {
    const { code, stderr } = await runPizarra(['history', ...args, ...options]);
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, message);
  }
});
