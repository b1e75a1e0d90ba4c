import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import type { PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import type { Bar } from '../../src/domain/quotes/minute-bar.ts';
import { makeQuote } from '../../src/domain/quotes/quote.ts';
import { startTestServer, type TestAnswer } from '../support/http/start-test-server.ts';
import { barAt } from '../support/market/bar-samples.ts';
import { sampleUniverse } from '../support/market/sample-market.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

const date = '2026-11-20';

/** A bar of one price at a Buenos Aires time. */
function at(time: string, price: number): Bar {
  return barAt(date, time, [price, price, price, price], 1);
}

const stored: readonly (readonly [string, Bar])[] = [
  ['AL30', barAt('2026-11-19', '16:59', [9, 9, 9, 91_000], 1)],
  ['AL30', at('10:32', 91_100)],
  ['AL30', at('10:34', 91_200.5)],
  ['AL30', at('10:46', 91_300)],
  // 9:31 in New York, which opens at 11:30 in Buenos Aires.
  ['AAPL_US', at('11:31', 300)],
];
await server.store.quotes.commit({
  quotes: [],
  closes: [],
  bars: stored.map(([ticker, bar]) => ({ ticker: ticker as Ticker, bar })),
});

let version = 1_000;

/** Publishes a quote with a minute under way. */
function show(ticker: string, bar: Bar): void {
  version += 1;
  const session = { sessionDate: date as PlainDate, last: bar.last, volume: 1 };
  const instrument = sampleUniverse.get(ticker as Ticker);
  server.board.adopt([makeQuote(instrument, { version, session, references: {}, bar })]);
}

show('AL30', at('10:51', 91_320));
show('AAPL_US', at('11:36', 301));
show('BTC', at('00:20', 68_000));

function get(query: string, headers: Readonly<Record<string, string>> = {}): Promise<TestAnswer> {
  return server.get(`/recorridos?${query}`, { headers });
}

test('contract 2.10.1 and 2.10.2: a path has the last price of each step of the session of its quote', async () => {
  const answer = await get('especie=al30,AAPL_US,BTC');
  assert.equal(answer.status, 200);
  assert.equal(
    answer.body,
    '[{"especie":"AL30","fecha":"2026-11-20","desde":"10:30:00","pasoMinutos":5,"valores":[91200.5,null,null,91300,91320]},' +
      '{"especie":"AAPL_US","fecha":"2026-11-20","desde":"11:30:00","pasoMinutos":5,"valores":[300,301]},' +
      '{"especie":"BTC","fecha":"2026-11-20","desde":"00:00:00","pasoMinutos":15,"valores":[null,68000]}]',
  );
});

/** The prices of the only path of a response, as text. */
async function values(query: string): Promise<string> {
  return (await get(query)).body.replace(/.*"valores"/, '');
}

test('contract 2.10.3: the last price changes, and the others do not', async () => {
  show('GD30', at('10:31', 10));
  assert.equal(await values('especie=GD30'), ':[10]}]');
  show('GD30', at('10:33', 11));
  assert.equal(await values('especie=GD30'), ':[11]}]');
  const bars = [{ ticker: 'GD30' as Ticker, bar: at('10:33', 12) }];
  await server.store.quotes.commit({ quotes: [], closes: [], bars });
  show('GD30', at('10:41', 13));
  assert.equal(await values('especie=GD30'), ':[12,null,13]}]');
});

/** The instruments of a response, with their sessions. */
function tickersOf({ body }: TestAnswer): readonly string[] {
  return (JSON.parse(body) as readonly { especie: string; fecha: string }[]).map(
    ({ especie, fecha }) => `${especie} ${fecha}`,
  );
}

test('contract 4.13.2: there is a path for each quote of /cotizaciones, in its order, also without bars', async () => {
  for (const query of ['panel=LID', 'especie=GGAL,AL30,no&panel=LID', 'especie=TSLA']) {
    const quotes = await server.get(`/cotizaciones?${query}`);
    const paths = await get(query);
    assert.deepEqual(tickersOf(paths), tickersOf(quotes), query);
    assert.equal(paths.header('missing-especies'), quotes.header('missing-especies'), query);
  }
  assert.match((await get('especie=GGAL')).body, /"valores":\[\]\}\]$/);
});

test('contract 4.13.1: the errors of the selection are those of /cotizaciones', async () => {
  const many = Array.from({ length: 501 }, (_, number) => `X${number}`).join();
  for (const query of ['', 'especie=', 'panel=lid', 'panel=LID&panel=GEN', `especie=${many}`]) {
    const paths = await get(query);
    assert.equal(paths.status, 400, query.slice(0, 20));
    assert.equal(paths.body, (await server.get(`/cotizaciones?${query}`)).body);
  }
});

test('contract 4.13.3: the response is JSON in every case, and its ETag is the same until a path changes', async () => {
  const first = await get('especie=AL30&formato=csv', { accept: 'text/csv' });
  assert.equal(first.status, 200);
  assert.match(first.header('content-type') ?? '', /^application\/json/);
  const etag = { 'if-none-match': first.header('etag') ?? assert.fail('no tag') };
  show('BTC', at('00:21', 68_100));
  assert.equal((await get('especie=AL30', etag)).status, 304);
  show('AL30', at('10:52', 91_330));
  assert.equal((await get('especie=AL30', etag)).status, 200);
});
