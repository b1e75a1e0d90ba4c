import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTable } from './open-table.ts';

const chunk = 65_536;

/** A row of a given length. */
const row = (length: number) => `2026-11-16,1,${'x'.repeat(length - 14)}\n`;

// oxlint-disable-next-line require-await
async function* bytes(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part;
}

test('blank lines before a table are counted and not kept in memory', async () => {
  const blank = Buffer.alloc(chunk, '\r\n \n');
  const blankLines = Math.floor((chunk * 10) / 4) * 2;
  await using table = await openTable(
    'x.csv',
    bytes(...Array.from({ length: 10 }, () => blank), '\n\tGGAL\tALUA\n2026-11-16\t1\t2\n'),
  );
  assert.deepEqual(table.head.rows.slice(0, 2), [
    ['', 'GGAL', 'ALUA'],
    ['2026-11-16', '1', '2'],
  ]);
  assert.equal(table.firstLine, blankLines + 2);
});

test('blank space without a line end is refused at the maximum row length', async () => {
  const blank = Buffer.alloc(chunk, ' ');
  const opened = openTable('x.csv', bytes(...Array.from({ length: 17 }, () => blank)));
  await assert.rejects(opened, {
    code: 'not-prices',
    message: 'a blank line is longer than 1048576 characters',
  });
});

test('a table with long rows is recognised from as many rows as fit the limit, not from 5,000', async () => {
  let sent = 0;
  let isClosed = false;
  async function* rows(): AsyncGenerator<Uint8Array> {
    try {
      const header = 'date,close\n';
      for (;;) {
        sent += 1;
        yield Buffer.from(sent === 1 ? header + row(chunk - header.length) : row(chunk));
      }
    } finally {
      isClosed = true;
    }
  }
  {
    await using table = await openTable('x.csv', rows());
    assert.equal(table.head.rows.length, 257, 'the header, and 16 MiB of rows of 64 KiB');
    assert.equal(sent, 256);
  }
  assert.ok(isClosed, 'the source is closed with its table');
});

test('a first object without a line end is read up to the maximum line length, and no further', async () => {
  let sent = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"a":"');
    for (; sent < 200; sent += 1) yield Buffer.alloc(chunk, 'x');
  }
  await assert.rejects(openTable('x.json', endless()), { code: 'too-large' });
  assert.ok(sent < 40, `${sent} chunks of 64 KiB were read`);
});

test('a table is recognised from its first 5,000 rows, and all of its rows are read', async () => {
  const rows = Array.from({ length: 5_003 }, () => row(600));
  await using table = await openTable('x.csv', bytes(...rows));
  assert.equal(table.head.rows.length, 5_000);
  let count = 0;
  for await (const batch of table.batches) count += batch.length;
  assert.equal(count, 5_003);
});

test('a file of blank lines, and one without bytes, have no rows', async () => {
  for (const text of ['', '\n \n\n']) {
    await using table = await openTable('x.csv', bytes(text));
    assert.deepEqual(table.head.rows, [], JSON.stringify(text));
  }
});
