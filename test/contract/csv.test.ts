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

/** A request of each table with its required parameters, and of each form of the tables that have several. */
const tables = [
  ...contractPaths.filter(({ isTable }) => isTable).map(({ target }) => target),
  '/cotizaciones?panel=IND&especie=GGAL,COME,BTC,NOEXISTE',
  '/historicos?especie=AL30&desde=2023-01-01&hasta=2024-12-31',
  '/especies.json?panel=IND&campos=precioPor',
  '/cotizaciones?especie=NOEXISTE',
  '/historicos?especie=NOEXISTE&desde=2023-01-01&hasta=2024-12-31',
  '/historicos?especie=GGAL,AL30&desde=2020-01-01&hasta=2026-12-31&forma=larga&campos=apertura,instante',
  '/historicos?especie=GGAL,AL30&desde=2020-01-01&hasta=2026-12-31&forma=ancha',
  '/historicos?especie=AL30&desde=2020-01-01&hasta=2026-12-31&conocido=2026-11-20T19:00:00Z',
];

function withQuery(target: string, query: string): string {
  return query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`;
}

/** The rows of a body, with each number as the digits that the body has, and the separator of decimals. */
async function rowsOfJson(target: string, separator: '.' | ','): Promise<readonly object[]> {
  const { body } = await get(target, 'application/json');
  const asCell = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' ? context?.source?.replace('.', separator) : (value ?? '');
  return JSON.parse(body, asCell) as readonly object[];
}

/** Fails unless a CSV has the rows of JSON. Returns their number. The holidays of /mercados are a list, which its own suite shows as a cell. */
async function assertSameRows(target: string, body: string, delimiter: ',' | ';'): Promise<number> {
  assert.match(body, /^(?:[^\r\n]+\r\n)+$/, 'every line ends with CRLF, including the last');
  const options = { header: true, newline: '\r\n', skipEmptyLines: true, delimiter } as const;
  const { data, errors } = papaparse.parse<Record<string, string>>(body, options);
  assert.deepEqual(errors, [], target);
  const fields = Object.keys(data[0] ?? {}).filter((name) => name !== 'feriados');
  const columnsOf = (row: object) => {
    const values = new Map<string, unknown>(Object.entries(row));
    return fields.map((name) => values.get(name) ?? '');
  };
  const json = await rowsOfJson(target, delimiter === ',' ? '.' : ',');
  assert.deepEqual(data.map(columnsOf), json.map(columnsOf), target);
  return data.length;
}

test('contract 4.5.3, 4.5.7: CSV has the rows and values of JSON, by Accept and by formato, also with decimal commas', async () => {
  let withRows = 0;
  for (const target of tables) {
    const csv = await get(target, 'text/csv');
    assert.equal(csv.header('content-type'), 'text/csv; charset=utf-8; header=present', target);
    if ((await assertSameRows(target, csv.body, ',')) > 0) withRows += 1;
    const json = await get(target, 'application/json');
    for (const accept of ['application/json', '*/*', 'text/csv']) {
      const chosen = await get(withQuery(target, 'formato=csv'), accept);
      assert.equal(chosen.body, csv.body, target);
      for (const name of ['content-type', 'etag', 'vary']) {
        assert.equal(chosen.header(name), csv.header(name), `${target} ${name}`);
      }
      assert.equal((await get(withQuery(target, 'formato=json'), accept)).body, json.body);
    }
    const comma = await get(withQuery(target, 'formato=csv&decimal=coma'), 'application/json');
    await assertSameRows(target, comma.body, ';');
    for (const [query, accept, body] of [
      ['decimal=coma', 'text/csv', comma.body],
      ['%64ecimal=com%61', 'text/csv', comma.body],
      ['decimal=coma', 'application/json', json.body],
      ['%66ormato=%63sv', '*/*', csv.body],
      ['x=formato&y=csv', '*/*', json.body],
    ] as const) {
      assert.equal((await get(withQuery(target, query), accept)).body, body, `${target} ${query}`);
    }
  }
  // The server of this test has no bars, actions, changes or bonds: their suites show a row as CSV.
  assert.ok(withRows > 10, `only ${withRows} tables with rows`);
});

test('contract 4.5.3: JSON is the default, also for a wildcard', async () => {
  for (const [accept, form] of [
    ['text/csv;q=0.5, */*', 'json'],
    ['text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8', 'json'],
    ['image/png', 'json'],
    ['text/csv; charset=utf-8', 'csv'],
    ['application/x-ndjson', 'ndjson'],
    ['text/csv;q=0.5, application/x-ndjson', 'ndjson'],
    ['application/x-ndjson, */*', 'ndjson'],
  ] as const) {
    const type = (await get(tables[0] ?? '', accept)).header('content-type') ?? '';
    assert.ok(type.startsWith(`${types[form]};`), `the response to ${accept} is ${type}`);
  }
});

test('contract 4.5.7: each format has its own tag, and a client that has it gets 304', async () => {
  for (const target of tables) {
    const tags = new Set<string>();
    for (const query of ['', 'formato=csv', 'formato=csv&decimal=coma', 'formato=ndjson']) {
      const one = withQuery(target, query);
      const tag = (await get(one, '*/*')).header('etag') ?? assert.fail(one);
      tags.add(tag);
      assert.equal((await server.get(one, { headers: { 'if-none-match': tag } })).status, 304, one);
      assert.equal((await server.get(one, { method: 'HEAD' })).header('etag'), tag, one);
    }
    assert.equal(tags.size, 4, target);
  }
});

test('contract 4.5.7: any other value of formato or decimal gets 400 and names the valid ones', async () => {
  for (const target of tables) {
    for (const [name, valid] of [
      ['formato', 'json, csv, ndjson.'],
      ['decimal', 'coma.'],
    ] as const) {
      for (const wrong of ['', 'xml', 'CSV', ' csv', 'csv,json', 'Coma', ',']) {
        const { status, body } = await get(
          withQuery(target, `${name}=${encodeURIComponent(wrong)}`),
          'text/csv',
        );
        assert.equal(status, 400, `${target} ${name}=${wrong}`);
        assert.ok(body.includes(`«${wrong}» del parámetro «${name}» no es válido`), body);
        assert.ok(body.includes(valid), body);
      }
      const malformed = await get(withQuery(target, `${name}=%zz`), 'text/csv');
      assert.ok(malformed.body.includes(`«%zz» del parámetro «${name}»`), malformed.body);
      const first = valid.split(/[,.]/, 1)[0];
      const twice = await get(withQuery(target, `${name}=${first}&${name}=${first}`), 'text/csv');
      assert.ok(twice.body.includes(`«${name}» se envió más de una vez`), twice.body);
    }
  }
});

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

test('contract 4.5.7: what is no table ignores formato and decimal', async () => {
  const list = await server.get('/especies.txt');
  assert.equal((await server.get('/especies.txt?formato=xml&decimal=x')).body, list.body);
});

test('contract 2.3.1: an error is JSON, also for a client that prefers CSV', async () => {
  const answer = await get('/cotizaciones', 'text/csv');
  assert.equal(answer.status, 400);
  assert.equal(answer.header('content-type'), 'application/json; charset=utf-8');
});

test('contract 4.5.10: every table is also NDJSON, each line an object of the JSON with the same digits', async () => {
  for (const target of tables) {
    const json = await get(target, 'application/json');
    const lines = await get(target, 'application/x-ndjson');
    assert.equal(lines.header('content-type'), 'application/x-ndjson; charset=utf-8', target);
    assert.match(lines.body, /^(?:\{[^\r\n]*\}\n)*$/, target);
    const objects = lines.body.split('\n').slice(0, -1);
    assert.equal(`[${objects.join(',')}]`, json.body, target);
    const chosen = await get(withQuery(target, 'formato=ndjson&decimal=coma'), 'text/csv');
    assert.equal(chosen.body, lines.body, target);
    assert.equal(chosen.header('etag'), lines.header('etag'), target);
    const headers = { accept: 'application/x-ndjson', 'if-none-match': lines.header('etag') ?? '' };
    assert.equal((await server.get(target, { headers })).status, 304, target);
    for (const name of ['missing-especies', 'vary', 'conocido-desde']) {
      assert.equal(lines.header(name), json.header(name), `${target} ${name}`);
    }
  }
});
