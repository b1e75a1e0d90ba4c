import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import papaparse from 'papaparse';

import { startTestServer } from '../support/start-test-server.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

async function get(target: string, accept: string) {
  return server.get(target, { headers: { accept } });
}

const quotes = '/cotizaciones?panel=IND&especie=GGAL,COME,BTC,NOEXISTE';
const closes = '/historicos?especie=AL30&desde=2023-01-01&hasta=2024-12-31';

for (const target of [quotes, closes]) {
  test(`contract 4.5.3: ${target}: CSV has the same rows and values as JSON, in the same order`, async () => {
    const json = withNumbersAsWritten((await get(target, 'application/json')).body);
    const csv = await get(target, 'text/csv');
    assert.equal(csv.header('content-type'), 'text/csv; charset=utf-8; header=present');
    const { data, errors } = papaparse.parse<Record<string, string>>(csv.body, {
      header: true,
      newline: '\r\n',
      skipEmptyLines: true,
    });
    assert.deepEqual(errors, []);
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
    ] as const;
    for (const [accept, form] of forms) {
      const type = (await get(target, accept)).header('content-type') ?? '';
      assert.ok(type.includes(form), `the response to ${accept} is ${type}`);
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

test('contract 2.3.1: an error is JSON, also for a client that prefers CSV', async () => {
  const answer = await get('/cotizaciones', 'text/csv');
  assert.equal(answer.status, 400);
  assert.equal(answer.header('content-type'), 'application/json; charset=utf-8');
});

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
