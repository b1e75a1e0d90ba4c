import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { jsonKeysMax } from './json.ts';
import { ndjsonLineCharsMax, ndjsonRows, startsAsNdjson } from './open-table.ts';
import type { CellRow } from '../cells/table.ts';

const head = { headRows: 5_000, headCharsMax: 1_000_000, blankLines: 0 };

async function rowsOf(text: string, chunkChars = text.length): Promise<readonly CellRow[]> {
  async function* chunks() {
    for (let at = 0; at < text.length; at += chunkChars) yield text.slice(at, at + chunkChars);
  }
  const rows: CellRow[] = [];
  for await (const batch of ndjsonRows(chunks(), head)) rows.push(...batch);
  return rows;
}

async function refusal(text: string): Promise<ImportRefusal> {
  const error: unknown = await rowsOf(text).then(
    () => undefined,
    (one: unknown) => one,
  );
  return error instanceof ImportRefusal ? error : assert.fail('it was not refused');
}

test('one object per line is NDJSON, and a JSON document is not', () => {
  for (const text of [
    '{"date":"2024-01-02","close":1}\n{"date":"2024-01-03","close":2}\n',
    '\n {"a":1}\n\n{"a":2}',
    '{"date":"2024-01-02","close":1}',
    '{"a":[1]}\n{"a":[2]}',
  ]) {
    assert.equal(startsAsNdjson(text), true, text);
  }
  for (const text of [
    '{"body":[{"a":1}]}',
    '{"body":[{"a":1}]}\n',
    '{\n  "a": 1\n}',
    '[{"a":1}]',
    'a,b\n1,2',
    '{"a":1',
  ]) {
    assert.equal(startsAsNdjson(text), false, text);
  }
});

test('the header has all keys, and row numbers equal line numbers, however the text is split', async () => {
  const text = '{"a":1,"b":"x"}\n\n{"b":"y","c":2.5}\n{"a":null,"d":{"e":1}}';
  for (const chunkChars of [1, 2, 7, text.length]) {
    assert.deepEqual(await rowsOf(text, chunkChars), [
      ['a', 'b', 'c', 'd'],
      ['1', 'x'],
      [],
      ['', 'y', '2.5'],
      ['', '', '', ''],
    ]);
  }
});

test('rows come in batches, so memory does not grow with the file', async () => {
  const lines = Array.from({ length: 20_001 }, (_, at) => `{"a":${at}}\n`);
  const sizes: number[] = [];
  for await (const batch of ndjsonRows(lines[Symbol.iterator]() as never, head))
    sizes.push(batch.length);
  assert.ok(Math.max(...sizes) <= 5001, '5,000 rows and the header');
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    20_002,
  );
});

test('a few long lines are a batch as soon as they take as much memory as many short ones', async () => {
  const line = `{"a":"${'x'.repeat(400_000)}"}\n`;
  const lines = Array.from({ length: 40 }, () => line);
  const sizes: number[] = [];
  for await (const batch of ndjsonRows(lines[Symbol.iterator]() as never, head)) {
    sizes.push(batch.length);
  }
  assert.deepEqual(sizes, [4, 11, 11, 11, 4], 'the head is three rows and the header');
});

test('the blank lines before the first row are counted', async () => {
  const rows = ndjsonRows(['{"a":1}\n', 'x\n'][Symbol.iterator]() as never, {
    ...head,
    blankLines: 3,
  });
  await assert.rejects(async () => {
    for await (const batch of rows) assert.ok(batch.length > 0);
  }, /^ImportRefusal: not valid JSON: unexpected "x" at line 5, column 1$/);
});

test('a line that is not an object is refused with its number', async () => {
  const { code, message } = await refusal('{"a":1}\n{"a":2}\n{"a":\n');
  assert.equal(code, 'unreadable');
  assert.equal(message, 'not valid JSON: it ends too early at line 3, column 6');
  for (const line of ['5', '"x"', 'true', 'null', '[1]']) {
    assert.equal((await refusal(`{"a":1}\n${line}\n`)).message, 'line 2 is not a JSON object');
  }
});

test('a line that is too long and too many keys are refused', async () => {
  const long = await refusal(`{"a":1}\n{"a":"${'x'.repeat(ndjsonLineCharsMax)}`);
  assert.equal(long.code, 'too-large');
  assert.equal(long.message, 'a line is longer than 1048576 characters');
  const keys = Array.from({ length: jsonKeysMax + 1 }, (_, at) => `{"k${at}":1}`).join('\n');
  assert.equal((await refusal(keys)).code, 'too-large');
});
