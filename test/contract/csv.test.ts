import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import papaparse from 'papaparse';

import { contractPaths } from '../support/http/contract-paths.ts';
import { startTestServer } from '../support/http/start-test-server.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

async function get(target: string, accept: string) {
  return server.get(target, { headers: { accept } });
}

const types = { json: 'application/json', csv: 'text/csv', ndjson: 'application/x-ndjson' };

const quotes = '/cotizaciones?panel=IND&especie=GGAL,COME,BTC,NOEXISTE';
const closes = '/historicos?especie=AL30&desde=2023-01-01&hasta=2024-12-31';

const instruments = '/especies.json?panel=IND';

for (const target of [quotes, closes, instruments, `${instruments}&campos=precioPor`]) {
  test(`contract 4.5.3: ${target}: CSV has the same rows and values as JSON, in the same order`, async () => {
    const json = withNumbersAsWritten((await get(target, 'application/json')).body);
    const csv = await get(target, 'text/csv');
    assert.equal(csv.header('content-type'), 'text/csv; charset=utf-8; header=present');
    const data = rowsOf(csv.body, ',');
    assert.ok(json.length > 0);
    const fields = Object.keys(data[0] ?? {});
    const expected = json.map((row) => {
      const values = new Map(Object.entries(row));
      return Object.fromEntries(fields.map((name) => [name, textOf(values.get(name))]));
    });
    assert.deepEqual(data, expected);
  });

  test(`contract 4.5.3: ${target}: every line ends with CRLF, including the last`, async () => {
    const { body } = await get(target, 'text/csv');
    assert.match(body, /^(?:[^\r\n]+\r\n)+$/);
  });

  test(`contract 4.5.3: ${target}: JSON is the default, also for a wildcard`, async () => {
    const forms = [
      ['*/*', 'json'],
      ['application/*', 'json'],
      ['text/csv;q=0.5, application/json', 'json'],
      ['text/csv;q=0.5, */*', 'json'],
      ['text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8', 'json'],
      ['text/csv;q=0', 'json'],
      ['image/png', 'json'],
      ['text/csv', 'csv'],
      ['TEXT/CSV', 'csv'],
      ['text/csv; charset=utf-8', 'csv'],
      ['text/*', 'csv'],
      ['application/json;q=0.1, text/csv;q=0.2', 'csv'],
      ['application/x-ndjson', 'ndjson'],
      ['text/csv;q=0.5, application/x-ndjson', 'ndjson'],
      ['application/x-ndjson, */*', 'ndjson'],
    ] as const;
    for (const [accept, form] of forms) {
      const type = (await get(target, accept)).header('content-type') ?? '';
      assert.ok(type.startsWith(`${types[form]};`), `the response to ${accept} is ${type}`);
    }
  });
}

test('contract 4.5.3: an empty selection gives a CSV with only the line of field names', async () => {
  const answer = await get('/cotizaciones?especie=NOEXISTE', 'text/csv');
  assert.equal(answer.body.split('\r\n').length, 2);
  assert.equal(answer.header('missing-especies'), 'NOEXISTE');
  const range = 'desde=1999-01-01&hasta=1999-12-31';
  for (const ticker of ['NOEXISTE', 'NUEVA', 'AL30']) {
    const { body } = await get(`/historicos?especie=${ticker}&${range}`, 'text/csv');
    assert.equal(body, 'especie,fecha,ultimo,volumen\r\n');
  }
});

for (const target of [quotes, closes, instruments]) {
  test(`contract 4.5.7: ${target}: formato=csv selects what Accept: text/csv selects, and wins over Accept`, async () => {
    const csv = await get(target, 'text/csv');
    const json = await get(target, 'application/json');
    for (const accept of ['application/json', '*/*', 'text/csv']) {
      const chosen = await get(`${target}&formato=csv`, accept);
      assert.equal(chosen.body, csv.body);
      for (const name of ['content-type', 'etag', 'vary']) {
        assert.equal(chosen.header(name), csv.header(name), name);
      }
      assert.equal((await get(`${target}&formato=json`, accept)).body, json.body);
    }
    assert.equal((await get(`${target}&%66ormato=%63sv`, '*/*')).body, csv.body);
    assert.equal((await get(`${target}&x=formato&y=csv`, '*/*')).body, json.body);
  });

  test(`contract 4.5.7: ${target}: decimal=coma changes the separators of a CSV and nothing else`, async () => {
    const csv = rowsOf((await get(target, 'text/csv')).body, ',');
    const answer = await get(`${target}&formato=csv&decimal=coma`, 'application/json');
    assert.equal(answer.header('content-type'), 'text/csv; charset=utf-8; header=present');
    const comma = rowsOf(answer.body, ';');
    const isText = new Set(['especie', 'nombre', 'fuente']);
    const expected = csv.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, text]) => [
          name,
          isText.has(name) ? text : text.replace('.', ','),
        ]),
      ),
    );
    assert.deepEqual(comma, expected);
    const accepted = await get(`${target}&decimal=coma`, 'text/csv');
    assert.equal(accepted.body, answer.body);
    assert.equal((await get(`${target}&%64ecimal=com%61`, 'text/csv')).body, answer.body);
    const json = await get(target, 'application/json');
    assert.equal((await get(`${target}&decimal=coma`, 'application/json')).body, json.body);
    assert.equal(new Set([csv, comma].map((rows) => rows.length)).size, 1);
  });

  test(`contract 4.5.7: ${target}: each format has its own tag, and a client that has it gets 304`, async () => {
    const tags = new Set<string>();
    for (const query of ['', '&formato=csv', '&formato=csv&decimal=coma', '&formato=ndjson']) {
      const tag = (await get(target + query, '*/*')).header('etag') ?? '';
      tags.add(tag);
      const again = await server.get(target + query, { headers: { 'if-none-match': tag } });
      assert.equal(again.status, 304, query);
      const head = await server.get(target + query, { method: 'HEAD' });
      assert.equal(head.header('etag'), tag);
    }
    assert.equal(tags.size, 4);
  });

  test(`contract 4.5.7: ${target}: any other value of formato or decimal gets 400 and names the valid ones`, async () => {
    const cases = [
      ['formato=xml', '«xml» del parámetro «formato» no es válido', 'json, csv, ndjson.'],
      ['formato=CSV', '«CSV» del parámetro «formato» no es válido', 'json, csv, ndjson.'],
      ['formato=', '«» del parámetro «formato» no es válido', 'json, csv, ndjson.'],
      ['formato', '«» del parámetro «formato» no es válido', 'json, csv, ndjson.'],
      ['formato=%20csv', '« csv» del parámetro «formato» no es válido', ''],
      ['formato=csv,json', '«csv,json» del parámetro «formato» no es válido', ''],
      ['formato=%zz', '«%zz»', '«formato»'],
      ['decimal=%zz', '«%zz»', '«decimal»'],
      ['decimal=', '«» del parámetro «decimal» no es válido', 'son: coma.'],
      ['decimal=Coma', '«Coma» del parámetro «decimal» no es válido', 'son: coma.'],
      ['decimal=,', '«,» del parámetro «decimal» no es válido', 'son: coma.'],
      ['decimal=punto', '«punto» del parámetro «decimal» no es válido', 'son: coma.'],
      ['formato=csv&formato=csv', '«formato» se envió más de una vez', ''],
      ['decimal=coma&decimal=coma', '«decimal» se envió más de una vez', ''],
    ] as const;
    for (const [query, ...texts] of cases) {
      const answer = await get(`${target}&${query}`, 'text/csv');
      assert.equal(answer.status, 400, query);
      const { error } = answer.json() as { readonly error: string };
      for (const text of texts) assert.ok(error.includes(text), error);
    }
  });
}

test('contract 4.5.7: what is no table ignores formato and decimal', async () => {
  const list = await server.get('/especies.txt');
  assert.equal((await server.get('/especies.txt?formato=xml&decimal=x')).body, list.body);
});

test('contract 2.3.1: an error is JSON, also for a client that prefers CSV', async () => {
  const answer = await get('/cotizaciones', 'text/csv');
  assert.equal(answer.status, 400);
  assert.equal(answer.header('content-type'), 'application/json; charset=utf-8');
});

/** A request of each table with its required parameters, and of each form of the tables that have several. */
const tables = [
  ...contractPaths.filter(({ isTable }) => isTable).map(({ target }) => target),
  quotes,
  closes,
  '/cotizaciones?especie=NOEXISTE',
  '/historicos?especie=NOEXISTE&desde=2023-01-01&hasta=2024-12-31',
  '/historicos?especie=GGAL,AL30&desde=2020-01-01&hasta=2026-12-31&forma=larga&campos=apertura,instante',
  '/historicos?especie=GGAL,AL30&desde=2020-01-01&hasta=2026-12-31&forma=ancha',
  '/historicos?especie=AL30&desde=2020-01-01&hasta=2026-12-31&conocido=2026-11-20T19:00:00Z',
];

test('contract 4.5.10: every table is also NDJSON, each line an object of the JSON with the same digits', async () => {
  for (const target of tables) {
    const json = await get(target, 'application/json');
    const lines = await get(target, 'application/x-ndjson');
    assert.equal(lines.header('content-type'), 'application/x-ndjson; charset=utf-8', target);
    assert.match(lines.body, /^(?:\{[^\r\n]*\}\n)*$/, target);
    const objects = lines.body.split('\n').slice(0, -1);
    assert.equal(`[${objects.join(',')}]`, json.body, target);
    const separator = target.includes('?') ? '&' : '?';
    const chosen = await get(`${target}${separator}formato=ndjson&decimal=coma`, 'text/csv');
    assert.equal(chosen.body, lines.body, target);
    assert.equal(chosen.header('etag'), lines.header('etag'), target);
    const headers = { accept: 'application/x-ndjson', 'if-none-match': lines.header('etag') ?? '' };
    assert.equal((await server.get(target, { headers })).status, 304, target);
    for (const name of ['missing-especies', 'vary', 'conocido-desde']) {
      assert.equal(lines.header(name), json.header(name), `${target} ${name}`);
    }
  }
});

/** The rows of a CSV, read by a parser that is not the service's. */
function rowsOf(body: string, delimiter: ',' | ';'): readonly Record<string, string>[] {
  const options = { header: true, newline: '\r\n', skipEmptyLines: true, delimiter } as const;
  const { data, errors } = papaparse.parse<Record<string, string>>(body, options);
  assert.deepEqual(errors, []);
  return data;
}

/** The rows of a body, with each number as the digits that the body has. */
function withNumbersAsWritten(body: string): readonly object[] {
  return JSON.parse(body, asWritten) as readonly object[];
}

function asWritten(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? context?.source : value;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
