import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImportRefusal, type RefusalCode } from '../refusals/import-refusal.ts';
import { jsonKeysMax, jsonRowCharsMax, jsonRows } from './json.ts';
import type { CellRow } from '../cells/table.ts';

const limits = { headRows: 2, headCharsMax: 1_000 };

// oxlint-disable-next-line require-await
async function* texts(...parts: readonly string[]): AsyncGenerator<string> {
  yield* parts;
}

async function rowsOf(...parts: readonly string[]): Promise<readonly CellRow[]> {
  const rows: CellRow[] = [];
  for await (const batch of jsonRows(texts(...parts), limits)) rows.push(...batch);
  return rows;
}

const messages: Readonly<Partial<Record<RefusalCode, RegExp>>> = {
  unreadable: /^not valid JSON: /,
  'not-prices': /^the JSON has neither one array of rows, nor columns/,
  'too-large':
    /^(?:a row of the JSON is longer than 1048576 characters|the JSON has more than 1048576 characters outside its array of rows|the rows of the JSON have more than 1000 different keys; rows of prices have the same keys)$/,
};

function refuses(code: RefusalCode, ...parts: readonly string[]): Promise<void> {
  return assert.rejects(
    rowsOf(...parts),
    (error) =>
      error instanceof ImportRefusal &&
      error.code === code &&
      messages[code]?.test(error.message) === true,
  );
}

test('an array of objects is a table with the keys as its header', async () => {
  const expected = [
    ['date', 'close'],
    ['2024-01-02', '1.5'],
    ['', '2'],
  ];
  const array = '[{"date":"2024-01-02","close":1.5},{"close":2,"x":null}]';
  const widened = [[...(expected[0] ?? []), 'x'], expected[1], ['', '2', '']];
  assert.deepEqual(await rowsOf(array), widened);
  assert.deepEqual(await rowsOf(`{"status":"ok","body":${array},"count":2}`), widened);
});

test('a key that appears after the header adds a cell at the end of its rows', async () => {
  const rows = await rowsOf('[{"a":1},{"a":2},', '{"b":"late","a":3},{"a":4}]');
  assert.deepEqual(rows, [['a'], ['1'], ['2'], ['3', 'late'], ['4']]);
});

test('the header ends with the run of rows that reaches its number of characters', async () => {
  const run = '{"a":1},{"a":2}';
  for (const [headCharsMax, header] of [
    [run.length, ['a']],
    [run.length + 1, ['a', 'b']],
  ] as const) {
    const batches: (readonly CellRow[])[] = [];
    const rows = jsonRows(texts(`[${run},`, '{"b":3},{"b":4}]'), { headRows: 100, headCharsMax });
    for await (const batch of rows) batches.push(batch);
    assert.deepEqual(batches[0]?.[0], header, `${headCharsMax}`);
    assert.equal(batches.flat().length, 5);
  }
});

test('an element that is not an object is a row without cells, so row numbers do not change', async () => {
  assert.deepEqual(await rowsOf('[{"a":1},null,5,{"a":2}]'), [['a'], ['1'], [], [], ['2']]);
});

test('reading a document of any length keeps only its head and one text in memory', async () => {
  let sent = 0;
  async function* endless(): AsyncGenerator<string> {
    yield '[{"a":0}';
    for (;;) {
      sent += 1;
      yield `,{"a":${sent}}`.repeat(10_000);
    }
  }
  let rows = 0;
  for await (const batch of jsonRows(endless(), limits)) {
    rows += batch.length;
    assert.ok(sent * 10_000 < rows + 20_000, `${sent} texts were read for ${rows} rows`);
    if (rows > 200_000) break;
  }
});

/** An array of rows, each with a key that no other row has. */
function distinctKeys(count: number): string {
  return `[${Array.from({ length: count }, (_, at) => `{"k${at}":1}`).join(',')}]`;
}

test('rows with too many different keys are refused, whatever the number of rows', async () => {
  await refuses('too-large', distinctKeys(jsonKeysMax + 1));
  const allowed = await rowsOf(distinctKeys(jsonKeysMax));
  assert.equal(allowed.length, jsonKeysMax + 1);
});

test('a row that is too long, and an object without an array, are refused at their limits', async () => {
  const long = 'x'.repeat(jsonRowCharsMax);
  await refuses('too-large', '[{"a":"', long, long);
  await refuses('too-large', '{"a":"', long, long);
  await refuses('too-large', '['.repeat(1_000), '['.repeat(jsonRowCharsMax), '[');
});

/** A document of a length, without rows. */
function padded(length: number): string {
  const [head, tail] = ['{"a":"', '","rows":[]}'];
  return `${head}${'x'.repeat(length - head.length - tail.length)}${tail}`;
}

test('a row, and the text around the rows, may be as long as the limit and not longer', async () => {
  assert.deepEqual(await rowsOf(padded(jsonRowCharsMax)), [[]]);
  await refuses('too-large', padded(jsonRowCharsMax + 1));
  const row = `{"a":"${'x'.repeat(jsonRowCharsMax - 8)}"}`;
  assert.equal((await rowsOf(`[${row}`, ']')).length, 2);
  await refuses('too-large', `[ ${row}`, ']');
});

test('JSON that is truncated, damaged, or followed by other text is refused', async () => {
  for (const text of [
    '[{"a":1},{"a":2}',
    '[{"a":1}] x',
    '[{"a":1]}',
    '[{"a":1},]',
    '{"a":[1]',
    '[1}',
  ]) {
    await refuses('unreadable', text);
  }
});

test('an object with no array or with two arrays is refused', async () => {
  await refuses('not-prices', '{"a":1}');
  await refuses('not-prices', '{"a":[{"b":1}],"c":[]}');
});

test('a number that JSON does not have is a missing value, and other texts are refused with their place', async () => {
  const rows = await rowsOf('[{"a":NaN,"b":"NaN \\"NaN"},', '{"a":-Infinity,"b":1}]');
  assert.deepEqual(rows, [
    ['a', 'b'],
    ['', 'NaN "NaN'],
    ['', '1'],
  ]);
  for (const [parts, message] of [
    [['[{"a":1},\n {"a":', 'None}]'], 'unexpected "None}]" at line 2, column 7'],
    [["[{'a':1}]"], `unexpected "'a':1}]" at line 1, column 3`],
    [['[{"a":1,}]'], 'unexpected "}]" at line 1, column 9'],
    [['[{"a":1}', ',\n{"a":1}, \n{"a" 2}]'], 'unexpected "2}]" at line 3, column 6'],
    [['{"rows":[{"a":1}], x: 1}'], 'unexpected "x: 1}" outside its rows'],
    [['[{"a":1}'], 'it ends too early'],
  ] as const) {
    await assert.rejects(rowsOf(...parts), { message: `not valid JSON: ${message}` });
  }
});
