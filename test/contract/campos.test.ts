import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { plainVersionOf, type Quote } from '../../src/domain/quotes/quote.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { assertSchemaOf } from '../support/http/contract.ts';
import { openStream, type EventStream } from '../support/http/event-stream.ts';
import { sampleUniverse } from '../support/market/sample-market.ts';
import { startTestServer, type TestAnswer } from '../support/http/start-test-server.ts';
import { fieldsIn } from '../support/fields-in.ts';

/** Contract 2.7 and 4.1.7: fields of a quote that clients get only if they request them. */

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

const all = 'compra,venta,cantCompra,cantVenta,monto,operaciones,fuente';
const ggal = sampleUniverse.get('GGAL' as Ticker);
let version = 1_000;

/** The next quote of GGAL, of which only the book has changed unless a price is given. */
function adopt(book: Omit<Quote['book'] & object, 'at'>, last?: number): Quote {
  const before = server.board.quote(ggal) ?? assert.fail('no quote');
  version += 1;
  const source = { name: 'byma', delayMinutes: 20 };
  const quote: Quote = {
    ...before,
    version,
    plainVersion: last === undefined ? plainVersionOf(before) : undefined,
    last: last ?? before.last,
    book: { at: version, ...book },
    source,
  };
  server.board.adopt([quote]);
  return quote;
}

function get(query: string, headers: Readonly<Record<string, string>> = {}): Promise<TestAnswer> {
  return server.get(`/cotizaciones?${query}`, { headers });
}

function open(query: string, headers: Readonly<Record<string, string>> = {}): Promise<EventStream> {
  return openStream(`http://127.0.0.1:${server.port}/cotizaciones/stream?${query}`, {
    authorization: `Bearer ${server.key}`,
    ...headers,
  });
}

const book = {
  bid: 7_405,
  ask: 7_412.5,
  bidSize: 120,
  askSize: 40,
  amount: 15_964_000_000,
  trades: 812,
};

test('contract 2.7.1: a quote has the requested fields after volumen, in the order of the contract', async () => {
  const plain = (await get('especie=GGAL')).body;
  adopt(book, 7_410);
  const { body } = await get(
    'especie=GGAL&campos=fuente,operaciones,monto,cantVenta,cantCompra,venta,compra',
  );
  const added =
    ',"compra":7405,"venta":7412.5,"cantCompra":120,"cantVenta":40,"monto":15964000000,' +
    '"operaciones":812,"fuente":"byma"}]';
  assert.equal(body, plain.slice(0, -2) + added);
  assert.equal(
    (await get('especie=GGAL&campos=venta')).body,
    `${plain.slice(0, -2)},"venta":7412.5}]`,
  );
  const lists = [
    'campos=compra,venta',
    'campos=venta&campos=compra,venta',
    'campos=+venta%20,compra',
  ];
  for (const list of lists) {
    const listed = `${plain.slice(0, -2)},"compra":7405,"venta":7412.5}]`;
    assert.equal((await get(`especie=GGAL&${list}`)).body, listed, list);
  }
});

test('contract 2.7.1: a field that is not known is absent, and in CSV it is an empty column', async () => {
  const quotes = (await get(`especie=COME&campos=${all}`)).json() as readonly object[];
  assert.deepEqual(quotes, (await get('especie=COME')).json());
  const csv = await get('especie=GGAL,COME&campos=compra,fuente', { accept: 'text/csv' });
  const lines = csv.body.split('\r\n');
  assert.match(lines[0] ?? '', /,volumen,compra,fuente$/);
  assert.match(lines[1] ?? '', /^GGAL,.*,2154321,7405,byma$/);
  assert.match(lines[2] ?? '', /^COME,.*,10,,$/);
});

test('contract 2.1.8, 2.7.1: a small price of the book is not rounded to 0, and 0 is a value of what is counted', async () => {
  adopt({ bid: 0.000_000_123_456, ask: 0.000_03, amount: 0, trades: 0 }, 7_410);
  const { body } = await get('especie=GGAL&campos=compra,venta,cantCompra,monto,operaciones');
  const small = '"compra":0.000000123,"venta":0.00003,"monto":0,"operaciones":0}]';
  assert.ok(body.endsWith(`"volumen":2154321,${small}`), body);
  adopt({ bid: 41_249.500_04, ask: 41_250.999_96, amount: 1_234_567.890_1 }, 7_410);
  const comma = await get('especie=GGAL&campos=compra,venta,monto,fuente&formato=csv&decimal=coma');
  const [header = '', row = ''] = comma.body.split('\r\n');
  assert.match(header, /;volumen;compra;venta;monto;fuente$/);
  assert.match(row, /;2154321;41249,5;41251;1234567,8901;byma$/);
  const quotedName = '"byma ""2"""';
  const before = server.board.quote(ggal) ?? assert.fail();
  version += 1;
  server.board.adopt([{ ...before, version, source: { name: 'byma "2"' } }]);
  const quoted = await get('especie=GGAL&campos=fuente&formato=csv');
  assert.ok(quoted.body.endsWith(`,${quotedName}\r\n`), quoted.body);
  assert.match((await get('especie=GGAL&campos=fuente')).body, /"fuente":"byma \\"2\\""\}\]$/);
});

test('contract 4.1.7: without campos, body, ETag and headers do not depend on the book', async () => {
  for (const query of ['especie=GGAL', 'panel=LID', 'panel=LIDGEN&especie=BTC']) {
    for (const accept of ['application/json', 'text/csv']) {
      const before = await get(query, { accept });
      const full = await get(`${query}&campos=compra`, { accept });
      adopt({ ...book, bid: version });
      const later = await get(query, { accept });
      assert.equal(later.body, before.body);
      assert.equal(later.header('etag'), before.header('etag'));
      const etag = before.header('etag') ?? assert.fail('no tag');
      assert.equal((await get(query, { accept, 'if-none-match': etag })).status, 304);
      const fullAfter = await get(`${query}&campos=compra`, { accept });
      assert.notEqual(fullAfter.header('etag'), full.header('etag'));
    }
  }
});

test('contract 4.4.1: a stream sends a change of the book to the clients that get the field, and nothing to others', async () => {
  adopt(book);
  using plain = await open('especie=GGAL');
  using bids = await open('especie=GGAL&campos=compra');
  using totals = await open('especie=GGAL&campos=monto,operaciones');
  for (const stream of [plain, bids, totals]) {
    await stream.until(({ events }) => events.length === 1);
  }
  const before = plain.events[0]?.id;
  const changed = adopt({ ...book, bid: 7_404 });
  await bids.until(({ events }) => events.length === 2);
  assert.equal(bids.events[1]?.id, String(changed.version));
  assert.match(bids.events[1]?.data ?? '', /"volumen":2154321,"compra":7404\}$/);
  assertSchemaOf('Cotizacion', JSON.parse(bids.events[1]?.data ?? ''));
  const priced = adopt({ ...book, bid: 7_404 }, 7_411);
  for (const stream of [plain, totals]) await stream.until(({ events }) => events.length === 2);
  assert.deepEqual(fieldsIn(plain.events, 'id'), [before, String(priced.version)]);
  assert.match(
    totals.events[1]?.data ?? '',
    /"ultimo":7411.*"monto":15964000000,"operaciones":812\}$/,
  );
});

test('contract 4.4.1: a client that resumes gets only changes that it sees', async () => {
  const priced = adopt(book, 7_420);
  const changed = adopt({ ...book, bid: 7_419 });
  const resume = { 'last-event-id': String(priced.version) };
  using plain = await open('especie=GGAL', resume);
  using bids = await open('especie=GGAL&campos=compra', resume);
  await bids.until(({ events }) => events.length === 1);
  assert.equal(bids.events[0]?.id, String(changed.version));
  const next = adopt({ ...book, bid: 7_419 }, 7_430);
  await plain.until(({ events }) => events.length === 1);
  assert.equal(plain.events[0]?.id, String(next.version));
});
