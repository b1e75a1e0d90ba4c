import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { panelCodes } from '../../src/domain/instruments/panel.ts';
import { makeQuote, type SessionState } from '../../src/domain/quotes/quote.ts';
import type { PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { clockAt } from '../support/market/clock-at.ts';
import { closeOn } from '../support/market/close-on.ts';
import { sampleUniverse } from '../support/market/sample-market.ts';
import { startTestServer, testNow, type TestAnswer } from '../support/http/start-test-server.ts';

/** Contract 4.16. */
let now = testNow;
const server = await startTestServer({ clock: clockAt(() => now) });
after(() => server[Symbol.asyncDispose]());

const today = '2026-11-20';
let version = 1_000;

/** Publishes a quote with its previous close. */
function show(
  ticker: string,
  last: number,
  previous: number | null,
  more: Partial<SessionState> = {},
): void {
  version += 1;
  const session = { sessionDate: today as PlainDate, last, volume: null, ...more };
  const references = previous === null ? {} : { previous: closeOn('2026-11-19', previous) };
  const instrument = sampleUniverse.get(ticker as Ticker);
  server.board.adopt([makeQuote(instrument, { version, session, references })]);
}

show('YPFD', 110, 100, { volume: 5, book: { at: 1, amount: 500 } });
show('GGAL', 95, 100, { volume: 9, book: { at: 1, amount: 900 } });
show('NUEVA', 110, 100);
show('COME', 150, 100, { sessionDate: '2026-11-19' as PlainDate, volume: 7 });

function get(query: string, headers: Readonly<Record<string, string>> = {}): Promise<TestAnswer> {
  return server.get(`/ranking${query === '' ? '' : `?${query}`}`, { headers });
}

type Row = Readonly<Record<string, unknown>>;

async function tickers(query: string): Promise<unknown> {
  return ((await get(query)).json() as readonly Row[]).map(({ especie }) => especie);
}

test('contract 4.16.1: the quotes of a panel are sorted, equal ones in the order of the panel', async () => {
  assert.deepEqual(await tickers('panel=LID'), ['YPFD', 'NUEVA', 'GGAL']);
  assert.deepEqual(await tickers('panel=LID&orden=asc'), ['GGAL', 'YPFD', 'NUEVA']);
  assert.deepEqual(await tickers('panel=LID&por=volumen&limite=1'), ['GGAL']);
  assert.deepEqual(await tickers('panel=LID&por=monto'), ['GGAL', 'YPFD']);
});

test('contract 4.16.2: each panel and value gives what sorting /cotizaciones gives, without nulls, other sessions and points', async () => {
  const markets = (await server.get('/mercados')).json() as readonly Row[];
  const sessionOf = new Map(markets.map(({ mercado, rueda }) => [mercado, rueda]));
  const instruments = (await server.get('/especies.json')).json() as readonly Row[];
  const instrumentOf = new Map(instruments.map((row) => [row['especie'], row]));
  for (const panel of panelCodes) {
    const answer = await server.get(`/cotizaciones?panel=${panel}&campos=monto`);
    const quotes = answer.json() as readonly Row[];
    for (const por of ['variacion', 'varMTD', 'varYTD', 'volumen', 'monto']) {
      const ranked = quotes.filter((row) => {
        const { mercado, unidadVariacion } = instrumentOf.get(row['especie']) ?? {};
        const isComparable = por !== 'variacion' || unidadVariacion === 'por-ciento';
        return (
          typeof row[por] === 'number' && row['fecha'] === sessionOf.get(mercado) && isComparable
        );
      });
      for (const [orden, sign] of [
        ['desc', -1],
        ['asc', 1],
      ] as const) {
        const expected = ranked.toSorted((a, b) => sign * (Number(a[por]) - Number(b[por])));
        const query = `panel=${panel}&por=${por}&orden=${orden}&limite=50&campos=monto`;
        assert.deepEqual((await get(query)).json(), expected, query);
      }
    }
  }
});

test('contract 4.16.4: CSV has the rows of JSON, and the tag changes with a row and with nothing else', async () => {
  const csv = await get('panel=LID&por=volumen&campos=monto&formato=csv&decimal=coma');
  const [header, first, second, end] = csv.body.split('\r\n');
  assert.match(header ?? '', /^especie;fecha;.*;volumen;monto$/);
  assert.match(first ?? '', /^GGAL;2026-11-20;.*;9;900$/);
  assert.match(second ?? '', /^YPFD;.*;5;500$/);
  assert.equal(end, '');
  const query = 'panel=LID&limite=2';
  const etag = { 'if-none-match': (await get(query)).header('etag') ?? assert.fail('no tag') };
  show('GGAL', 96, 100, { volume: 9 });
  assert.equal((await get(query, etag)).status, 304);
  show('GGAL', 111, 100, { volume: 9 });
  assert.equal((await get(query, etag)).status, 200);
  assert.deepEqual(await tickers(query), ['GGAL', 'YPFD']);
});

test('contract 4.16.2: when the next session opens, the quotes of the one before are left out', async () => {
  assert.deepEqual(await tickers('panel=GEN&por=volumen'), []);
  assert.deepEqual(await tickers('panel=VARIAS&por=volumen'), ['AAPL_US']);
  now = Date.parse('2026-11-24T10:29:59-03:00');
  assert.deepEqual(await tickers('panel=LID'), ['GGAL', 'YPFD', 'NUEVA']);
  now += 1_000;
  assert.deepEqual(await tickers('panel=LID'), []);
  const next = { sessionDate: '2026-11-24' as PlainDate };
  show('YPFD', 120, 110, next);
  assert.deepEqual(await tickers('panel=LID'), ['YPFD']);
});
