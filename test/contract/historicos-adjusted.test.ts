import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import type { CorporateAction } from '../../src/domain/history/corporate-action.ts';
import { CorporateActions } from '../../src/domain/history/corporate-actions.ts';
import { toEpochDay, type EpochDay, type PlainDate } from '../../src/domain/calendar/plain-date.ts';
import { makeQuote } from '../../src/domain/quotes/quote.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { sampleUniverse } from '../support/market/sample-market.ts';
import { startTestServer } from '../support/http/start-test-server.ts';

const ypf = 'YPFD' as Ticker;

function day(date: string): EpochDay {
  return toEpochDay(date as PlainDate);
}

function split(date: string, factor: number, ticker = ypf): CorporateAction {
  return { type: 'split', ticker, exDay: day(date), factor, source: 'test' };
}

function dividend(date: string, amount: number, currency = 'ARS'): CorporateAction {
  return { type: 'cash-dividend', ticker: ypf, exDay: day(date), amount, currency, source: 'test' };
}

let actions = new CorporateActions([]);
const server = await startTestServer({ actions: () => actions });
after(() => server[Symbol.asyncDispose]());

/** YPF around its split of ten for one. Of the second day, only the close and the high are known. */
await server.putCloses(ypf, [
  { day: day('2026-08-06'), close: 82_000, volume: 300, open: 81_000, high: 82_500, low: 80_750.5 },
  { day: day('2026-08-07'), close: 83_050, volume: null, high: 83_500 },
  {
    day: day('2026-08-10'),
    close: 8_300.55,
    volume: 4_100.5,
    open: 8_310,
    high: 8_400,
    low: 8_250,
  },
]);

/** Puts actions in force, as the service does when they are imported. */
function adopt(...inForce: readonly CorporateAction[]): void {
  const before = actions;
  actions = new CorporateActions(inForce);
  server.revisions.increase(actions.changedSince(before));
}

const range = 'desde=2026-08-01&hasta=2026-08-31';

async function get(query: string, headers: Readonly<Record<string, string>> = {}) {
  return server.get(`/historicos?especie=YPFD&${range}${query}`, { headers });
}

async function closes(query: string): Promise<readonly number[]> {
  const rows = (await get(query)).json() as readonly { readonly ultimo: number }[];
  return rows.map(({ ultimo }) => ultimo);
}

test('contract 4.2.5, 4.2.6: splits divides the prices before the ex date, and multiplies the volumes', async () => {
  adopt(split('2026-08-10', 10));
  assert.equal(
    (await get('&ajuste=splits')).body,
    '[{"especie":"YPFD","fecha":"2026-08-06","ultimo":8200,"volumen":3000},' +
      '{"especie":"YPFD","fecha":"2026-08-07","ultimo":8305,"volumen":null},' +
      '{"especie":"YPFD","fecha":"2026-08-10","ultimo":8300.55,"volumen":4100.5}]',
  );
});

test('contract 1.4, 4.2.5: without ajuste and campos, and with ninguno, the response does not depend on the actions', async () => {
  adopt();
  const before = await get('');
  adopt(split('2026-08-10', 10), dividend('2026-08-07', 100));
  const [plain, none] = [await get(''), await get('&ajuste=ninguno')];
  assert.equal(plain.body, before.body);
  assert.equal(none.body, before.body);
  assert.equal(plain.header('etag'), before.header('etag'));
  assert.match(plain.body, /"fecha":"2026-08-07","ultimo":83050,"volumen":null/);
});

test('contract 4.2.6: total applies the share of the previous close that a dividend pays, too', async () => {
  adopt(split('2026-08-10', 10), dividend('2026-08-07', 4_100));
  // 4,100 is a twentieth of 82,000.
  assert.deepEqual(await closes('&ajuste=total'), [7_790, 8_305, 8_300.55]);
  assert.deepEqual(await closes('&ajuste=splits'), [8_200, 8_305, 8_300.55]);
  assert.equal((await get('&ajuste=total')).header('missing-dividendos'), undefined);
});

test('contract 4.2.6: adjusted values have at most 8 decimals, and the others those of the instrument', async () => {
  adopt(split('2026-08-10', 3));
  assert.match((await get('&ajuste=splits')).body, /"ultimo":27333\.33333333,/);
  await server.putCloses('NUEVA', [
    { day: day('2026-08-06'), close: 0.000_04, volume: 7 },
    { day: day('2026-08-07'), close: 1.234_56, volume: 1 },
  ]);
  adopt(split('2026-08-07', 100_000, 'NUEVA' as Ticker));
  const { body } = await server.get(`/historicos?especie=NUEVA&${range}&ajuste=splits`);
  assert.match(body, /"ultimo":0\.0000000004,"volumen":700000\}.*"ultimo":1\.2346,"volumen":1\}/);
});

test('contract 4.2.6: an action is not applied before the session of its ex date, and then at once', async () => {
  await server.putCloses('NUEVA', [{ day: day('2026-11-19'), close: 100, volume: 1 }]);
  const target = '/historicos?especie=NUEVA&desde=2026-11-01&hasta=2026-11-30&ajuste=splits';
  adopt(split('2026-11-20', 4, 'NUEVA' as Ticker));
  assert.match((await server.get(target)).body, /"ultimo":100,/);
  const quote = makeQuote(sampleUniverse.get('NUEVA' as Ticker), {
    version: 1_000,
    session: { sessionDate: '2026-11-20' as PlainDate, last: 26, volume: 1 },
    references: {},
  });
  server.board.adopt([quote]);
  assert.match((await server.get(target)).body, /"ultimo":25,"volumen":4\}/);
});

/** The header of a request from a day on. */
async function unappliedFrom(desde: string): Promise<string | undefined> {
  const query = `especie=YPFD&desde=${desde}&hasta=2026-08-31&ajuste=total`;
  return (await server.get(`/historicos?${query}`)).header('missing-dividendos');
}

test('contract 4.2.7: Missing-Dividendos names the dividends after desde that total does not include', async () => {
  adopt(
    dividend('2026-08-03', 1, 'USD'),
    dividend('2026-08-07', 1, 'USD'),
    dividend('2026-08-10', 90_000),
  );
  const header = async (query: string) => (await get(query)).header('missing-dividendos');
  assert.equal(await header('&ajuste=total'), '2026-08-07,2026-08-10');
  assert.equal(await header('&ajuste=splits'), undefined);
  assert.equal(await header(''), undefined);
  assert.equal(await unappliedFrom('2026-08-06'), '2026-08-07,2026-08-10');
  assert.equal(await unappliedFrom('2026-08-07'), '2026-08-10');
  assert.equal(await unappliedFrom('2026-08-10'), undefined);
  const whole = await get('&ajuste=total');
  const again = await get('&ajuste=total', { 'if-none-match': whole.header('etag') ?? '' });
  assert.equal(again.status, 304);
  assert.equal(again.header('missing-dividendos'), '2026-08-07,2026-08-10');
});

test('contract 4.2.8: campos adds fields after ultimo, in the order of the contract, absent where not known', async () => {
  adopt();
  const { body } = await get('&campos=minimo,apertura,maximo');
  for (const same of ['minimo%2Cmaximo,apertura,minimo', 'minimo,maximo&campos=apertura'])
    assert.equal((await get(`&campos=${same}`)).body, body, same);
  assert.equal(
    body,
    '[{"especie":"YPFD","fecha":"2026-08-06","ultimo":82000,"apertura":81000,"maximo":82500,"minimo":80750.5,"volumen":300},' +
      '{"especie":"YPFD","fecha":"2026-08-07","ultimo":83050,"maximo":83500,"volumen":null},' +
      '{"especie":"YPFD","fecha":"2026-08-10","ultimo":8300.55,"apertura":8310,"maximo":8400,"minimo":8250,"volumen":4100.5}]',
  );
  adopt(split('2026-08-10', 10));
  assert.match(
    (await get('&campos=maximo&ajuste=splits')).body,
    /"ultimo":8200,"maximo":8250,"volumen":3000\}.*"ultimo":8300\.55,"maximo":8400,"volumen":4100\.5\}/,
  );
});

test('contract 4.2.8, 4.5.3: CSV has a column for each field of campos, with empty cells', async () => {
  adopt(split('2026-08-10', 10));
  const accept = { accept: 'text/csv' };
  assert.equal(
    (await get('&campos=minimo,apertura&ajuste=splits', accept)).body,
    'especie,fecha,ultimo,apertura,minimo,volumen\r\n' +
      'YPFD,2026-08-06,8200,8100,8075.05,3000\r\n' +
      'YPFD,2026-08-07,8305,,,\r\n' +
      'YPFD,2026-08-10,8300.55,8310,8250,4100.5\r\n',
  );
  const empty = await server.get(`/historicos?especie=NADA&${range}&campos=maximo`, {
    headers: accept,
  });
  assert.equal(empty.body, 'especie,fecha,ultimo,maximo,volumen\r\n');
  assert.equal(empty.header('missing-especies'), 'NADA');
});

test('contract 4.5.4: each form has its own ETag, and it changes with the actions and the closes', async () => {
  adopt(split('2026-08-10', 10));
  const forms = ['', '&ajuste=splits', '&campos=maximo', '&ajuste=splits&campos=maximo'];
  const tags = async () =>
    Promise.all(forms.map(async (form) => (await get(form)).header('etag') ?? ''));
  const before = await tags();
  assert.equal(new Set(before).size, forms.length);
  for (const [index, form] of forms.entries()) {
    const answer = await get(form, { 'if-none-match': before[index] ?? '' });
    assert.equal(answer.status, 304, form);
  }
  adopt(split('2026-08-10', 5));
  const adopted = await tags();
  assert.deepEqual(
    adopted.map((tag, index) => tag === before[index]),
    [true, false, true, false],
  );
  await server.putCloses(ypf, [{ day: day('2026-08-11'), close: 8_400, volume: 1 }]);
  const later = await tags();
  assert.ok(later.every((tag, index) => tag !== adopted[index]));
});

test('contract 4.5.5: an adjusted series is compressed for a client that accepts it', async () => {
  adopt(split('2026-08-10', 7));
  await server.putCloses(
    'COME',
    Array.from({ length: 300 }, (_, at) => ({
      day: (day('2025-01-01') + at) as EpochDay,
      close: 80 + at / 7,
      volume: at,
    })),
  );
  adopt(split('2025-06-02', 3, 'COME' as Ticker));
  const target = '/historicos?especie=COME&desde=2025-01-01&hasta=2025-12-31&ajuste=splits';
  const plain = await server.get(target, { headers: { 'accept-encoding': 'identity' } });
  // A series is compressed at the second request for it.
  await server.get(target, { headers: { 'accept-encoding': 'gzip' } });
  const gzip = await server.get(target, { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(gzip.header('content-encoding'), 'gzip');
  assert.equal(gzip.body, plain.body);
});
