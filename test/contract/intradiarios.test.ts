import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import type { Bar } from '../../src/domain/quotes/minute-bar.ts';
import { makeQuote } from '../../src/domain/quotes/quote.ts';
import type { PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { barAt } from '../support/market/bar-samples.ts';
import { openStream, type EventStream } from '../support/http/event-stream.ts';
import { assertSchemaOf } from '../support/http/contract.ts';
import { sampleUniverse } from '../support/market/sample-market.ts';
import { startTestServer, type TestAnswer } from '../support/http/start-test-server.ts';
import { fieldsIn } from '../support/fields-in.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

const al30 = 'AL30' as Ticker;
const nyse = 'AAPL_US' as Ticker;

type Prices = Parameters<typeof barAt>[2];

const stored: readonly (readonly [Ticker, Bar])[] = [
  [al30, barAt('2026-11-19', '16:59', [91_000, 91_100, 90_900, 91_050], 500)],
  [al30, barAt('2026-11-20', '10:58', [91_200, 91_250, 91_200, 91_250], 100)],
  [al30, barAt('2026-11-20', '11:00', [91_240, 91_300.5, 91_240, 91_260], 40)],
  [al30, barAt('2026-11-20', '11:03', [91_260, 91_270, 91_100, 91_110], 60.25)],
  // 15:59 in New York.
  [nyse, barAt('2026-11-19', '17:59', [300, 301, 299, 300.5], 7)],
];
await server.store.quotes.commit({
  quotes: [],
  closes: [],
  bars: stored.map(([ticker, bar]) => ({ ticker, bar })),
});

let version = 1_000;

/** Publishes a quote with a minute under way. */
function show(ticker: Ticker, bar: Bar): void {
  version += 1;
  const session = { sessionDate: '2026-11-20' as PlainDate, last: bar.last, volume: 1 };
  const instrument = sampleUniverse.get(ticker);
  server.board.adopt([makeQuote(instrument, { version, session, references: {}, bar })]);
}

show(al30, barAt('2026-11-20', '11:04', [91_110, 91_120, 91_110, 91_120], 9));

function get(query: string, headers: Readonly<Record<string, string>> = {}): Promise<TestAnswer> {
  return server.get(`/intradiarios?${query}`, { headers });
}

async function rows(query: string): Promise<readonly string[]> {
  const answer = await get(query);
  assert.equal(answer.status, 200, answer.body);
  return (answer.json() as readonly Record<string, unknown>[]).map((row) =>
    Object.values(row).slice(1).join(' '),
  );
}

test('contract 4.9.2: a row has the fields of 2.9, and the minute under way is the last', async () => {
  const answer = await get('especie=al30&intervalo=1m');
  assert.equal(
    answer.body,
    '[{"especie":"AL30","fecha":"2026-11-20","hora":"10:58:00","apertura":91200,"maximo":91250,"minimo":91200,"ultimo":91250,"volumen":100},' +
      '{"especie":"AL30","fecha":"2026-11-20","hora":"11:00:00","apertura":91240,"maximo":91300.5,"minimo":91240,"ultimo":91260,"volumen":40},' +
      '{"especie":"AL30","fecha":"2026-11-20","hora":"11:03:00","apertura":91260,"maximo":91270,"minimo":91100,"ultimo":91110,"volumen":60.25},' +
      '{"especie":"AL30","fecha":"2026-11-20","hora":"11:04:00","apertura":91110,"maximo":91120,"minimo":91110,"ultimo":91120,"volumen":9}]',
  );
});

/** A stored minute of 12:00, as its row is from its prices on. */
async function rowOf(ticker: string, prices: Prices, volume: number | null): Promise<string> {
  const one = { ticker: ticker as Ticker, bar: barAt('2026-11-18', '12:00', prices, volume) };
  await server.store.quotes.commit({ quotes: [], closes: [], bars: [one] });
  const day = 'desde=2026-11-18&hasta=2026-11-18';
  const { body } = await get(`especie=${ticker}&intervalo=1m&${day}`);
  return body.replace(/.*"hora":"12:00:00",/, '');
}

test('contract 2.9: prices have the decimals of the instrument, a small one is never 0, and a volume has 8 decimals at most', async () => {
  assert.equal(
    await rowOf('AAPL', [91_250.123_456, 91_300, 91_200.5, 91_250], 0.3 - 0.1),
    '"apertura":91250.1235,"maximo":91300,"minimo":91200.5,"ultimo":91250,"volumen":0.2}]',
  );
  assert.match(
    await rowOf('BTC', [0.000_000_001_234, 2e-9, 1e-9, 1e-9], 0.123_456_789),
    /"apertura":0\.00000000123,"maximo":0\.000000002,.*"volumen":0\.12345679\}/,
  );
  assert.match(await rowOf('COME', [1, 1, 1, 1], 5e9), /"volumen":5000000000\}/);
  assert.match(await rowOf('MERVAL', [1, 1, 1, 1], null), /"volumen":null\}/);
});

test('contract 4.9.1: bars of each interval start at its full multiples; 5m is the default', async () => {
  const five = [
    '2026-11-20 10:55:00 91200 91250 91200 91250 100',
    '2026-11-20 11:00:00 91240 91300.5 91100 91120 109.25',
  ];
  assert.deepEqual(await rows('especie=AL30'), five);
  assert.deepEqual(await rows('especie=AL30&intervalo=5m'), five);
  assert.deepEqual(await rows('especie=AL30&intervalo=15m'), [
    '2026-11-20 10:45:00 91200 91250 91200 91250 100',
    '2026-11-20 11:00:00 91240 91300.5 91100 91120 109.25',
  ]);
  assert.deepEqual(await rows('especie=AL30&intervalo=60m'), [
    '2026-11-20 10:00:00 91200 91250 91200 91250 100',
    '2026-11-20 11:00:00 91240 91300.5 91100 91120 109.25',
  ]);
});

test('contract 4.9.1: both dates are included, and each is the last session where it is absent', async () => {
  const first = '2026-11-19 16:55:00 91000 91100 90900 91050 500';
  const last = await rows('especie=AL30');
  assert.deepEqual(await rows('especie=AL30&desde=2026-11-19'), [first, ...last]);
  assert.deepEqual(await rows('especie=AL30&desde=2026-11-19&hasta=2026-11-19'), [first]);
  assert.deepEqual(await rows('especie=AL30&desde=2026-11-20&hasta=2026-12-31'), last);
  assert.deepEqual(await rows('especie=AL30&hasta=2026-11-20'), last);
  assert.deepEqual(await rows('especie=AL30&desde=&hasta='), last);
  assert.deepEqual(await rows('especie=AL30&hasta=2026-11-19'), []);
});

test('contract 2.9.1: hora is Buenos Aires time in every market', async () => {
  assert.deepEqual(await rows('especie=AAPL_US&intervalo=60m'), [
    '2026-11-19 17:00:00 300 301 299 300.5 7',
  ]);
});

test('contract 4.9.3: an unknown ticker and a range without bars get 200 with an empty array', async () => {
  const unknown = await get('especie=no+%C3%91');
  assert.equal(unknown.body, '[]');
  assert.equal(unknown.header('missing-especies'), 'no%20%C3%91');
  const without = await get('especie=GGAL');
  assert.equal(without.body, '[]');
  assert.equal(without.header('missing-especies'), undefined);
});

test('contract 4.5.3 and 4.5.7: the rows are CSV for a client that requests it', async () => {
  const header = 'especie,fecha,hora,apertura,maximo,minimo,ultimo,volumen\r\n';
  const row = 'AL30,2026-11-20,11:00:00,91240,91300.5,91100,91120,109.25\r\n';
  const csv = await get('especie=AL30', { accept: 'text/csv' });
  assert.ok(csv.body.startsWith(header) && csv.body.endsWith(row), csv.body);
  const comma = await get('especie=AL30&formato=csv&decimal=coma');
  assert.ok(comma.body.endsWith('AL30;2026-11-20;11:00:00;91240;91300,5;91100;91120;109,25\r\n'));
});

test('contract 4.5.4: the ETag is the same until a bar changes', async () => {
  const ticker = 'BTC' as Ticker;
  show(ticker, barAt('2026-11-20', '03:00', [1, 1, 1, 1], 1));
  const first = await get('especie=BTC');
  assert.equal(first.status, 200);
  const etag = first.header('etag') ?? '';
  assert.equal((await get('especie=BTC', { 'if-none-match': etag })).status, 304);
  show(al30, barAt('2026-11-20', '11:04', [91_110, 91_120, 91_110, 91_120], 9));
  assert.equal((await get('especie=BTC', { 'if-none-match': etag })).status, 304);
  show(ticker, barAt('2026-11-20', '03:00', [1, 2, 1, 2], 2));
  assert.equal((await get('especie=BTC', { 'if-none-match': etag })).status, 200);
});

async function open(
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const url = `http://127.0.0.1:${server.port}/cotizaciones/stream?${query}`;
  return openStream(url, { authorization: `Bearer ${server.key}`, ...headers });
}

const barsOf = ({ events }: EventStream): readonly string[] =>
  events.filter(({ event }) => event === 'barra').map(({ data }) => data);

const shows =
  (text: string) =>
  (stream: EventStream): boolean =>
    barsOf(stream).some((data) => data.includes(text));

test('contract 4.9.5: a stream with barras has the bars under way, then each change, as rows of /intradiarios', async () => {
  const ticker = 'GD30' as Ticker;
  show(ticker, barAt('2026-11-20', '12:00', [10, 10, 10, 10], 1));
  using stream = await open('especie=GD30&barras=5m');
  await stream.until(shows('"ultimo":10,'));
  assert.deepEqual(barsOf(stream), [(await get('especie=GD30')).body.slice(1, -1)]);
  show(ticker, barAt('2026-11-20', '12:00', [10, 12, 10, 11], 2));
  await stream.until(shows('"ultimo":11,'));
  // The minute is finished, and the next one is in the next bar.
  const bar = barAt('2026-11-20', '12:00', [10, 14, 9, 13], 3);
  await server.store.quotes.commit({ quotes: [], closes: [], bars: [{ ticker, bar }] });
  show(ticker, barAt('2026-11-20', '12:05', [13, 13, 13, 13], 4));
  await stream.until(shows('"hora":"12:05:00"'));
  const { body } = await get('especie=GD30');
  assert.equal(`[${barsOf(stream).slice(-2).join(',')}]`, body);
  for (const data of barsOf(stream)) assertSchemaOf('Barra', JSON.parse(data));
  const bars = stream.events.filter(({ event }) => event === 'barra');
  assert.ok(bars.every(({ id }) => id === undefined));
  const quotes = stream.events.filter(({ event }) => event === 'cotizacion');
  assert.equal(quotes.length, 3, 'the quotes are sent as without bars');
});

test('contract 4.9.5: a client that reconnects gets the bars under way again', async () => {
  const ticker = 'COME' as Ticker;
  show(ticker, barAt('2026-11-20', '12:00', [10, 10, 10, 10], 1));
  using stream = await open('especie=COME&barras=1m', { 'last-event-id': String(version) });
  await stream.until(shows('"ultimo":10,'));
  assert.deepEqual(fieldsIn(stream.events, 'event'), ['barra']);
});

test('contract 4.9.5: a stream without barras has no bar', async () => {
  const ticker = 'YPFD' as Ticker;
  show(ticker, barAt('2026-11-20', '12:00', [10, 10, 10, 10], 1));
  using plain = await open('especie=YPFD');
  using other = await open('especie=YPFD&barras=60m');
  await other.until(shows('"ultimo":10,'));
  show(ticker, barAt('2026-11-20', '12:00', [10, 10, 10, 10.5], 1));
  await other.until(shows('"ultimo":10.5,'));
  await plain.until(({ events }) => events.length === 2);
  assert.deepEqual(fieldsIn(plain.events, 'event'), ['cotizacion', 'cotizacion']);
});
