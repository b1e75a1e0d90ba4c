import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { Board } from '../../../src/board/board.ts';
import type { PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { makeQuote } from '../../../src/domain/quotes/quote.ts';
import { startTestServer, type TestAnswer } from '../../support/http/start-test-server.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { fieldsIn } from '../../support/fields-in.ts';

const universe = makeUniverse([
  { ticker: 'AL30', kind: 'bond' },
  { ticker: 'AL30D', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'mep'] },
  { ticker: 'AL30C', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'cable'] },
  { ticker: 'GD30', kind: 'bond' },
  { ticker: 'GD30D', kind: 'bond', currency: 'USD', dollarClass: ['GD30', 'mep'] },
  { ticker: 'SPY', kind: 'cedear', ratio: '20:1', underlying: 'SPY_US' },
  { ticker: 'SPY_US', kind: 'etf', market: 'NYSE', currency: 'USD' },
  { ticker: 'DOLAR MAYORISTA', kind: 'exchange-rate' },
  { ticker: 'GGAL' },
  { ticker: 'BYMA' },
  { ticker: 'BYMAD', currency: 'USD', dollarClass: ['BYMA', 'mep'] },
]);
const board = new Board(universe);
const server = await startTestServer({ board });
after(() => server[Symbol.asyncDispose]());

let version = 0;

function show(
  ticker: string,
  last: number,
  { time = '16:59:58', ...orders }: { bid?: number; ask?: number; time?: string } = {},
): void {
  version += 1;
  const at = Date.parse(`2026-11-20T${time}-03:00`);
  const session = {
    sessionDate: '2026-11-20' as PlainDate,
    asOf: at,
    last,
    volume: null,
    ...(Object.keys(orders).length === 0 ? {} : { book: { at, ...orders } }),
  };
  board.adopt([makeQuote(universe.get(ticker as Ticker), { version, session, references: {} })]);
}

show('AL30', 83_940, { bid: 83_870, ask: 83_940 });
show('AL30D', 53.97, { bid: 53.9, ask: 53.97 });
show('AL30C', 51.75);
show('SPY', 53_784);
show('SPY_US', 664);
show('DOLAR MAYORISTA', 1524.5);

function get(query = '', headers: Readonly<Record<string, string>> = {}): Promise<TestAnswer> {
  return server.get(`/dolares${query === '' ? '' : `?${query}`}`, { headers });
}

/** The rows of a response as `dolar base`. */
function namesOf({ body }: TestAnswer): readonly string[] {
  return (JSON.parse(body) as readonly { dolar: string; base: string }[]).map(
    ({ dolar, base }) => `${dolar} ${base}`,
  );
}

test('contract 4.12.1 and 4.12.2: MEP, CCL and canje with their orders, gap, instant and inputs', async () => {
  assert.equal(
    (await get('base=al30')).body,
    '[{"dolar":"mep","base":"AL30","compra":1554.0115,"venta":1557.3284,"ultimo":1555.3085,"brecha":2.0209,' +
      '"fecha":"2026-11-20","hora":"16:59:58","calculo":"implicito","numerador":"AL30","denominador":"AL30D","estado":"ok"},' +
      '{"dolar":"ccl","base":"AL30","compra":null,"venta":null,"ultimo":1622.029,"brecha":6.3974,' +
      '"fecha":"2026-11-20","hora":"16:59:58","calculo":"implicito","numerador":"AL30","denominador":"AL30C","estado":"ok"},' +
      '{"dolar":"canje","base":"AL30","compra":null,"venta":null,"ultimo":4.2899,"brecha":null,' +
      '"fecha":"2026-11-20","hora":"16:59:58","calculo":"implicito","numerador":"AL30D","denominador":"AL30C","estado":"ok"}]',
  );
});

test('contract 4.12.3: the rows of CEDEARs appear only with dolar=ccl or a base', async () => {
  assert.deepEqual(namesOf(await get()), ['mayorista BYMA', 'mep AL30', 'ccl AL30', 'canje AL30']);
  assert.deepEqual(namesOf(await get('dolar=ccl')), ['ccl AL30', 'ccl SPY']);
  assert.deepEqual(namesOf(await get('base=SPY')), ['ccl SPY']);
  assert.deepEqual(namesOf(await get('dolar=mep&base=SPY')), []);
});

test('contract 4.12.5: a blank base is none, and a base without a row is named', async () => {
  assert.equal((await get('base=+&dolar=mep')).body, (await get('dolar=mep')).body);
  const unknown = await get('base=GGAL');
  assert.deepEqual([unknown.status, unknown.body], [200, '[]']);
  assert.equal(unknown.header('missing-especies'), 'GGAL');
  assert.equal((await get('base=AL30')).header('missing-especies'), undefined);
});

test('contract 4.12: a base that is a ticker and a market is the ticker, also while it has no row', async () => {
  assert.deepEqual(namesOf(await get('dolar=mayorista')), ['mayorista BYMA']);
  const before = await get('base=BYMA');
  assert.deepEqual([before.body, before.header('missing-especies')], ['[]', 'BYMA']);
  show('BYMA', 310);
  show('BYMAD', 0.2);
  const found = (await get('base=byma')).json() as readonly Record<string, unknown>[];
  assert.deepEqual(fieldsIn(found, 'dolar', 'base', 'calculo', 'numerador'), [
    'mep BYMA implicito BYMA',
  ]);
});

test('contract 4.12.6: the tag changes with a row, and with no other quote', async () => {
  const etag = (await get('base=AL30')).header('etag') ?? assert.fail('no tag');
  show('GGAL', 7000);
  assert.equal((await get('base=AL30', { 'if-none-match': etag })).status, 304);
  show('AL30C', 51.76, { bid: 51.7 });
  const changed = await get('base=AL30', { 'if-none-match': etag });
  assert.equal(changed.status, 200);
  assert.match(changed.body, /"ultimo":1621\.7156/);
});

test('contract 4.12.7: a price of one nominal makes its dollar doubtful, which then has no prices', async () => {
  show('GD30', 843, { bid: 842, ask: 844 });
  show('GD30D', 54.1, { bid: 54, ask: 54.2 });
  assert.equal(
    (await get('base=GD30')).body,
    '[{"dolar":"mep","base":"GD30","compra":null,"venta":null,"ultimo":null,"brecha":null,' +
      '"fecha":"2026-11-20","hora":"16:59:58","calculo":"implicito","numerador":"GD30",' +
      '"denominador":"GD30D","estado":"precio-dudoso"}]',
  );
  show('GD30', 84_300);
  assert.match((await get('base=GD30')).body, /"ultimo":1558\.2255,.*"estado":"ok"/);
});

test('contract 4.12: the hour is that of the older price, which is named if it is more than 15 minutes older', async () => {
  show('GD30D', 54.1, { time: '16:40:00' });
  assert.match((await get('base=GD30')).body, /"hora":"16:40:00",.*"estado":"atrasada GD30D"/);
  show('GD30D', 54.1, { time: '16:44:58' });
  assert.match((await get('base=GD30')).body, /"hora":"16:44:58",.*"estado":"ok"/);
});
