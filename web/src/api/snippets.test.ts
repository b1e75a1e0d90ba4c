import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { findPython } from '../../../test/support/program/python.ts';
import { PizarraClient } from '../../../clients/typescript/src/client.ts';
import { operationsOf, type OpenapiDocument } from './openapi.ts';
import {
  clientMethods,
  indexMethods,
  pythonName,
  snippetsOf,
  type Snippet,
  type SnippetRequest,
} from './snippets.ts';

const project = new URL('../../../', import.meta.url);

const request: SnippetRequest = {
  url: 'http://127.0.0.1:8080/cotizaciones?especie=DOLAR%20MEP,GGAL',
  service: 'http://127.0.0.1:8080',
  path: '/cotizaciones',
  parameters: [{ name: 'especie', value: 'DOLAR MEP,GGAL', isList: true }],
  key: 'pz_abc',
  fields: ['especie', 'ultimo'],
  isTable: true,
};
const history: SnippetRequest = {
  ...request,
  url: 'http://127.0.0.1:8080/historicos?especie=GGAL&desde=2026-01-01&hasta=2026-01-31',
  path: '/historicos',
  parameters: [
    { name: 'especie', value: 'GGAL', isList: false },
    { name: 'desde', value: '2026-01-01', isList: false },
    { name: 'hasta', value: '2026-01-31', isList: false },
  ],
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
  for (const sent of [request, history, { ...request, isStream: true }]) {
    for (const { text } of snippetsOf({ ...sent, key: undefined }))
      assert.ok(!text.includes('pz_'));
  }
});

test('the clients of the project are called with the parameters of the contract', () => {
  assert.match(
    textOf('typescript', request),
    /await client\.quotes\(\{ especie: \["DOLAR MEP", "GGAL"\] \}\);\nconsole\.table/,
  );
  assert.match(textOf('typescript', request), /key: "pz_abc"/);
  assert.match(textOf('typescript', { ...request, key: undefined }), /process\.env\.PIZARRA_KEY/);
  assert.match(
    textOf('python', history),
    /in client\.history\(especie="GGAL", desde="2026-01-01", hasta="2026-01-31"\):/,
  );
  assert.match(textOf('python', { ...history, key: undefined }), /os\.environ\["PIZARRA_KEY"\]/);
  const search = { name: 'buscar', value: 'galicia', isList: false };
  const found: SnippetRequest = { ...request, path: '/especies.json', parameters: [search] };
  assert.match(textOf('typescript', found), /client\.search\("galicia"\)/);
  const panel = { name: 'panel', value: 'LID', isList: false };
  const other: SnippetRequest = { ...request, path: '/otra', parameters: [panel] };
  assert.match(textOf('typescript', other), /client\.table\("\/otra", \{ panel: "LID" \}\)/);
  assert.match(textOf('python', other), /client\.table\("\/otra", panel="LID"\)/);
});

test('both clients have the methods of the snippets, and one for any other table', () => {
  const contract = JSON.parse(
    readFileSync(new URL('contract/openapi.json', project), 'utf8'),
  ) as OpenapiDocument;
  const source = readFileSync(
    new URL('clients/python/src/pizarra_client/client.py', project),
    'utf8',
  );
  const paths = operationsOf(contract)
    .filter(({ isTried }) => isTried)
    .map(({ path }) => path);
  const wrong = Object.keys(clientMethods).filter((path) => !paths.includes(path));
  assert.deepEqual(wrong, []);
  const others = paths.filter((path) => clientMethods[path] === undefined);
  assert.deepEqual(
    others.filter((path) => contract.paths[path]?.get?.['x-csv'] === undefined),
    [],
  );
  const named = [clientMethods, indexMethods].flatMap((methods) => Object.values(methods));
  for (const name of [...named, 'table', 'csv', 'search']) {
    assert.ok(name in PizarraClient.prototype, name);
    assert.ok(source.includes(`    def ${pythonName(name)}(`), name);
  }
});

const interpreter = findPython();
const skip = 'skip' in interpreter && interpreter.skip;

test('Python reads every snippet, whatever the user typed', { skip }, () => {
  const { python } = interpreter as { readonly python: string };
  const typed = fc.string({ unit: 'grapheme-ascii' });
  fc.assert(
    fc.property(typed, fc.boolean(), (value, isList) => {
      const parameters = [{ name: 'especie', value, isList }];
      const program = textOf('python', { ...request, parameters, key: undefined });
      execFileSync(python, ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], {
        input: program,
      });
    }),
    { numRuns: 10 },
  );
});

test('a spreadsheet has the functions of its guide', () => {
  assert.equal(
    textOf('google', request),
    '=PIZARRA({"DOLAR MEP";"GGAL"}; "ultimo;variacion;fecha;hora")',
  );
  const panel = { name: 'panel', value: 'LID', isList: false };
  assert.equal(
    textOf('google', { ...request, parameters: [panel] }),
    '=PIZARRA_PANEL("LID"; "especie;ultimo;variacion;fecha;hora")',
  );
  assert.equal(textOf('google', history), '=PIZARRA_HISTORICO("GGAL"; "2026-01-01"; "2026-01-31")');
  const code = readFileSync(new URL('docs/pizarra.gs', project), 'utf8');
  for (const name of ['PIZARRA', 'PIZARRA_PANEL', 'PIZARRA_HISTORICO'])
    assert.ok(code.includes(`function ${name}(`), name);
  assert.equal(textOf('google', { ...request, path: '/mercados', parameters: [] }), '');
});

test('a spreadsheet gets a column for every field, also for fields that a response leaves out', () => {
  assert.ok(textOf('excel', request).endsWith('{"especie", "ultimo"}, MissingField.UseNull)'));
  assert.match(
    textOf('excel', { ...request, key: undefined }),
    /Authorization = "Bearer " & PIZARRA_KEY\]/,
  );
  assert.match(
    textOf('libreoffice', { ...request, url: `${request.url}&formato=json` }),
    /GGAL&formato=csv&decimal=coma' --fail -o pizarra\.csv$/,
  );
});

test('a CSV is read as text by programs, and as a table with its separator by a spreadsheet', () => {
  const csv: SnippetRequest = { ...request, csvSeparator: ';' };
  const call = 'client.csv("/cotizaciones", { especie: ["DOLAR MEP", "GGAL"], decimal: "coma" })';
  assert.ok(textOf('typescript', csv).includes(`${call};\nconsole.log(data);`));
  assert.match(textOf('python', csv), /print\(client\.csv\("\/cotizaciones", .*decimal="coma"\)\)/);
  const sheet = textOf('excel', csv);
  assert.ok(sheet.startsWith('= Table.PromoteHeaders(Csv.Document(Web.Contents("'));
  assert.ok(sheet.endsWith('[Delimiter = ";", Encoding = 65001]))'));
});

test('a stream is read as it comes, and a spreadsheet is not offered', () => {
  const path = '/cotizaciones/stream';
  const snippets = snippetsOf({ ...request, path, fields: [], isTable: false, isStream: true });
  assert.deepEqual(
    snippets.map(({ id }) => id),
    ['curl', 'typescript', 'python'],
  );
  const [line, typescript, python] = snippets.map(({ text }) => text);
  assert.ok(line?.startsWith('curl -sSN -H '));
  assert.match(typescript ?? '', /for await \(const event of client\.stream\(/);
  assert.match(python ?? '', /with client\.stream\(.*\) as stream:\n {8}for event in stream:\n/);
});
