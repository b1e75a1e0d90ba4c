import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { snippetsOf } from './snippets.ts';
import type { Snippet, SnippetRequest } from './snippets.ts';

const request: SnippetRequest = {
  url: 'http://127.0.0.1:8080/cotizaciones?especie=DOLAR%20MEP',
  key: 'pz_abc',
  fields: ['especie', 'ultimo'],
};

function textOf(id: Snippet['id'], from: SnippetRequest): string {
  return snippetsOf(from).find((one) => one.id === id)?.text ?? '';
}

test('a curl line contains the request, with the key included or read from the environment', () => {
  assert.equal(
    textOf('curl', request),
    `curl -sS -H 'Authorization: Bearer pz_abc' '${request.url}'`,
  );
  assert.equal(
    textOf('curl', { ...request, key: undefined }),
    `curl -sS -H "Authorization: Bearer $PIZARRA_KEY" '${request.url}'`,
  );
});

test('a shell reads the exact URL from the curl line, whatever the user typed', () => {
  const typed = fc.string().filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(typed, (text) => {
      const line = textOf('curl', { ...request, url: `http://x/${text}` });
      const words = execFileSync('sh', ['-c', line.replace('curl', "printf '%s\\n'")]);
      assert.equal(
        words.toString().trimEnd().split('\n').slice(3).join('\n'),
        `http://x/${text}`.trimEnd(),
      );
    }),
    { numRuns: 30 },
  );
});

test('no snippet contains the key unless requested', () => {
  for (const { text } of snippetsOf({ ...request, key: undefined }))
    assert.ok(!text.includes('pz_'));
});

test('a spreadsheet gets a column for every field, also for fields that a response leaves out', () => {
  assert.ok(textOf('sheet', request).endsWith('{"especie", "ultimo"}, MissingField.UseNull)'));
});

test('a CSV is read as text by programs, and as a table with its separator by a spreadsheet', () => {
  const csv: SnippetRequest = { ...request, csvSeparator: ';' };
  assert.match(textOf('javascript', csv), /console\.log\(await response\.text\(\)\)/);
  assert.match(textOf('python', csv), /text = response\.read\(\)\.decode\(\)/);
  const sheet = textOf('sheet', csv);
  assert.ok(sheet.startsWith('= Table.PromoteHeaders(Csv.Document(Web.Contents("'));
  assert.ok(sheet.endsWith('[Delimiter = ";", Encoding = 65001]))'));
});

test('a stream is read as it comes, and a spreadsheet is not offered', () => {
  const snippets = snippetsOf({ ...request, fields: [], isStream: true });
  assert.deepEqual(
    snippets.map(({ id }) => id),
    ['curl', 'javascript', 'python'],
  );
  const [line, javascript, python] = snippets.map(({ text }) => text);
  assert.ok(line?.startsWith('curl -sSN -H '));
  assert.match(javascript ?? '', /for await \(const text of response\.body/);
  assert.doesNotMatch(javascript ?? '', /console/);
  assert.match(python ?? '', /for line in response:\n/);
  assert.doesNotMatch(python ?? '', /read\(\)/);
});
