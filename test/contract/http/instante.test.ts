import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addDays, toEpochDay, type PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import type { DailyClose } from '../../../src/domain/history/daily-close.ts';
import { MarketCalendars } from '../../../src/domain/instruments/market-calendars.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { makeQuote, plainVersionOf } from '../../../src/domain/quotes/quote.ts';
import { buenosAiresTime } from '../../../src/wire/texts/buenos-aires-time.ts';
import { barAt } from '../../support/market/bar-samples.ts';
import { openStream } from '../../support/http/event-stream.ts';
import { sampleUniverse } from '../../support/market/sample-market.ts';
import { startTestServer, type TestServer } from '../../support/http/start-test-server.ts';
import { fieldsIn } from '../../support/fields-in.ts';

/** `campos=instante`: contract 2.7.7, 4.2.15 and 4.9.6. */

type Row = Readonly<Record<string, string | number | null | undefined>>;

/** Without a regular expression for dates, so that it does not repeat what the service does. */
const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/;

/** Fails unless the CSV of a target has the values of its JSON, with a column for the instant. */
async function assertSameCsv(server: TestServer, target: string): Promise<void> {
  const rows = await server.rows<Row>(target);
  const [header = '', ...lines] = (await server.get(`${target}&formato=csv`)).body.split('\r\n');
  const names = header.split(',');
  assert.ok(names.includes('instante'), header);
  const cells = rows.map((row) => names.map((name) => String(row[name] ?? '')).join(','));
  assert.deepEqual(lines, [...cells, '']);
}

/** Fails unless an instant is that of a date and a time of day in Buenos Aires. */
function assertInstant({ especie, fecha, hora, instante }: Row): void {
  const text = String(instante);
  assert.match(text, rfc3339, String(especie));
  assert.equal(text.slice(0, 10), fecha);
  assert.equal(buenosAiresTime(Date.parse(text)), hora);
}

const asOf = Date.parse('2026-11-20T19:59:58.750Z');
let version = 1_000;

/** Publishes a later quote of each instrument, of every second one without a time. */
function showQuotes({ board }: TestServer): void {
  for (const [at, instrument] of sampleUniverse.instruments.entries()) {
    version += 1;
    const session = {
      sessionDate: '2026-11-20' as PlainDate,
      last: 10,
      volume: 1,
      ...(at % 2 === 0 ? { asOf } : {}),
    };
    board.adopt([makeQuote(instrument, { version, session, references: {} })]);
  }
}

const everything = `especie=${sampleUniverse.instruments.map(({ ticker }) => encodeURIComponent(ticker)).join(',')}`;

test('contract 2.7.7: the instant of a quote is that of its date and time, and absent exactly when the time is', async () => {
  await using server = await startTestServer();
  showQuotes(server);
  const target = `/cotizaciones?${everything}&campos=instante`;
  const rows = await server.rows<Row>(target);
  assert.equal(rows.length, sampleUniverse.instruments.length);
  const [timed, untimed] = [
    rows.filter(({ hora }) => hora !== undefined),
    rows.filter(({ hora }) => hora === undefined),
  ];
  assert.ok(timed.length > 5 && untimed.length > 5);
  for (const row of timed) {
    assertInstant(row);
    assert.equal(Object.keys(row).at(-1), 'instante');
  }
  for (const row of untimed) assert.ok(!('instante' in row), String(row['especie']));
  const offsets = new Set(timed.map(({ instante }) => String(instante).slice(-6)));
  assert.deepEqual([...offsets].toSorted(), ['-03:00', '-05:00']);
  await assertSameCsv(server, target);
  // The first quotes of a panel have it, too.
  const ranking = '/ranking?panel=LIDGEN&por=volumen&campos=instante';
  const ranked = await server.rows<Row>(ranking);
  assert.ok(ranked.some(({ instante }) => instante !== undefined));
  for (const row of ranked) if (row['hora'] !== undefined) assertInstant(row);
  await assertSameCsv(server, ranking);
});

test('contract 4.1.7: without the field no response has an instant, and the ETag is the same as before it was requested', async () => {
  await using server = await startTestServer();
  showQuotes(server);
  const range = 'especie=AL30&desde=2024-01-01&hasta=2024-12-31';
  for (const target of [
    `/cotizaciones?${everything}`,
    `/cotizaciones?${everything}&campos=fuente`,
    `/historicos?${range}`,
    `/historicos?${range}&campos=apertura`,
    '/intradiarios?especie=AL30',
  ]) {
    const before = await server.get(target);
    const fields = target.includes('campos') ? `${target},instante` : `${target}&campos=instante`;
    assert.equal((await server.get(fields)).status, 200);
    const after = await server.get(target);
    assert.ok(!after.body.includes('instante'), target);
    assert.equal(after.header('etag'), before.header('etag'), target);
  }
});

test('contract 4.1.7: a change of the book alone changes neither the response nor its ETag if only the instant is requested', async () => {
  await using server = await startTestServer();
  const target = '/cotizaciones?especie=GGAL&campos=instante';
  const before = await server.get(target);
  const quote = server.board.quote(sampleUniverse.get('GGAL' as Ticker)) ?? assert.fail();
  const book = { at: 1, bid: 7_400 };
  const plainVersion = plainVersionOf(quote);
  server.board.adopt([{ ...quote, version: 2_000, plainVersion, book }]);
  const after = await server.get(target);
  assert.deepEqual([after.body, after.header('etag')], [before.body, before.header('etag')]);
});

/** A close on every day of a month, sessions or not. */
function closesOf(month: string): DailyClose[] {
  return Array.from({ length: 28 }, (_, at) => ({
    day: toEpochDay(addDays(`${month}-01` as PlainDate, at)),
    close: 100 + at,
    volume: null,
  }));
}

const seriesOf = (ticker: string, campos: string): string =>
  `/historicos?especie=${ticker}&desde=2026-01-01&hasta=2026-12-31&campos=${campos}`;

test('contract 4.2.15: the instant of a close is the nominal close of its session, in each market and on both sides of a change of the clock', async () => {
  await using server = await startTestServer();
  const tickers = ['AL30', 'AAPL_US', 'BTC'];
  const closes = ['2026-03', '2026-10', '2026-11', '2026-12'].flatMap(closesOf);
  for (const ticker of tickers) await server.putCloses(ticker, closes);
  const calendars = new MarketCalendars(sampleUniverse);
  for (const ticker of tickers) {
    const rows = await server.rows<Row>(seriesOf(ticker, 'instante'));
    assert.equal(rows.length, 4 * 28);
    const calendar = calendars.of(sampleUniverse.get(ticker as Ticker));
    for (const { fecha, instante } of rows) {
      assert.match(String(instante), rfc3339);
      assert.equal(String(instante).slice(0, 10), fecha);
      const close = calendar.lastInstantOf(fecha as PlainDate);
      assert.equal(Date.parse(String(instante)), Math.floor(close / 1_000) * 1_000);
    }
    await assertSameCsv(server, seriesOf(ticker, 'instante'));
    await assertSameCsv(server, seriesOf(ticker, 'minimo,instante,apertura'));
  }
  const together = seriesOf(tickers.join(','), 'instante') + '&forma=larga';
  const singly = await Promise.all(
    tickers.map((one) => server.rows<Row>(seriesOf(one, 'instante'))),
  );
  assert.deepEqual(await server.rows<Row>(together), singly.flat());
  await assertSameCsv(server, together);
  const instantOf = async (ticker: string, date: string): Promise<unknown> =>
    (await server.rows<Row>(seriesOf(ticker, 'instante'))).find(({ fecha }) => fecha === date)?.[
      'instante'
    ];
  assert.equal(await instantOf('AL30', '2026-12-24'), '2026-12-24T15:00:00-03:00');
  assert.equal(await instantOf('AAPL_US', '2026-11-27'), '2026-11-27T13:00:00-05:00');
  assert.equal(await instantOf('AAPL_US', '2026-03-06'), '2026-03-06T16:00:00-05:00');
  assert.equal(await instantOf('AAPL_US', '2026-03-09'), '2026-03-09T16:00:00-04:00');
  assert.equal(await instantOf('AAPL_US', '2026-11-02'), '2026-11-02T16:00:00-05:00');
  assert.equal(await instantOf('BTC', '2026-11-20'), '2026-11-20T23:59:59-03:00');
});

test('contract 4.2.8: the instant follows minimo, also in the header of a response without rows', async () => {
  await using server = await startTestServer();
  const [row = {}] = await server.rows<Row>(
    seriesOf('AL30', 'instante').replaceAll('2026', '2024'),
  );
  assert.deepEqual(Object.keys(row), ['especie', 'fecha', 'ultimo', 'instante', 'volumen']);
  const all = seriesOf('NADA', 'instante,minimo,maximo,apertura');
  const { body } = await server.get(`${all}&formato=csv`);
  assert.equal(body, 'especie,fecha,ultimo,apertura,maximo,minimo,instante,volumen\r\n');
});

test('contract 4.9.6: the instant of a bar is its start, in each market, interval and style of CSV', async () => {
  await using server = await startTestServer();
  const [al30, nyse] = ['AL30' as Ticker, 'AAPL_US' as Ticker];
  await server.store.quotes.commit({
    quotes: [],
    closes: [],
    bars: [
      { ticker: al30, bar: barAt('2026-11-19', '16:59', [1, 2, 1, 2], 5) },
      { ticker: al30, bar: barAt('2026-11-20', '10:58', [1, 2, 1, 2], 5) },
      // Before and after the end of summer time in New York.
      { ticker: nyse, bar: barAt('2026-10-30', '16:01', [1, 2, 1, 2], 5) },
      { ticker: nyse, bar: barAt('2026-11-02', '16:01', [1, 2, 1, 2], 5) },
    ],
  });
  for (const ticker of [al30, nyse]) {
    for (const interval of ['1m', '5m', '15m', '60m']) {
      const range = `desde=2026-10-01&hasta=2026-11-30&intervalo=${interval}`;
      const target = `/intradiarios?especie=${ticker}&${range}&campos=instante`;
      const rows = await server.rows<Row>(target);
      assert.equal(rows.length, 2);
      for (const row of rows) {
        assertInstant(row);
        assert.equal(Object.keys(row).at(-1), 'instante');
      }
      await assertSameCsv(server, target);
    }
  }
  const nyseRows = await server.rows<Row>(
    '/intradiarios?especie=AAPL_US&desde=2026-10-01&hasta=2026-11-30&intervalo=1m&campos=instante',
  );
  assert.deepEqual(fieldsIn(nyseRows, 'instante'), [
    '2026-10-30T15:01:00-04:00',
    '2026-11-02T14:01:00-05:00',
  ]);
  const wrong = await server.get('/intradiarios?especie=AL30&campos=instante,volumen');
  assert.equal(wrong.status, 400);
  assert.match(wrong.body, /«volumen» no existe\. Los valores válidos .* son: instante\./);
  const { body } = await server.get('/intradiarios?especie=NADA&campos=instante&formato=csv');
  assert.match(body, /,volumen,instante\r\n$/);
});

test('contract 4.4.1: each event of a stream has its instant, and a change of the instant or of the book alone is no event', async () => {
  await using server = await startTestServer();
  const { board } = server;
  const ggal = sampleUniverse.get('GGAL' as Ticker);
  const url = `http://127.0.0.1:${server.port}/cotizaciones/stream?especie=GGAL&barras=1m&campos=instante`;
  using stream = await openStream(url, { authorization: `Bearer ${server.key}` });
  const eventsOf = (name: string): readonly Row[] =>
    stream.events.filter(({ event }) => event === name).map(({ data }) => JSON.parse(data) as Row);
  await stream.until(() => eventsOf('cotizacion').length === 1);
  const before = board.quote(ggal) ?? assert.fail();
  const plainVersion = plainVersionOf(before);
  board.adopt([{ ...before, version: 3_001, plainVersion, asOf: asOf + 60_000 }]);
  board.adopt([{ ...before, version: 3_002, plainVersion, book: { at: 1, bid: 1 } }]);
  const bar = barAt('2026-11-20', '16:59', [7_410, 7_420, 7_400, 7_415], 5);
  const session = { sessionDate: '2026-11-20' as PlainDate, last: 7_415, volume: 1, asOf };
  board.adopt([makeQuote(ggal, { version: 3_003, session, references: {}, bar })]);
  await stream.until(() => eventsOf('cotizacion').length === 2 && eventsOf('barra').length === 1);
  const [, changed] = eventsOf('cotizacion');
  assert.equal(changed?.['ultimo'], 7_415, 'the first two changes are no events');
  for (const row of [...eventsOf('cotizacion'), ...eventsOf('barra')]) assertInstant(row);
});
