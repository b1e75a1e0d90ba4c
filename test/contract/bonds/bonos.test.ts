import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { Board } from '../../../src/board/board.ts';
import { toEpochDay } from '../../../src/domain/calendar/plain-date.ts';
import { IndexSeries } from '../../../src/domain/indices/index-series.ts';
import { indexNames, type IndexName } from '../../../src/domain/indices/index-name.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { makeQuote } from '../../../src/domain/quotes/quote.ts';
import { startTestServer, testNow, type TestAnswer } from '../../support/http/start-test-server.ts';
import { al30, cerZero, day, lecap } from '../../support/market/bond-samples.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { assertNear } from '../../support/market/near.ts';

const universe = makeUniverse(
  [
    { ticker: 'GGAL', panels: ['BONOS'] },
    { ticker: 'AL30', kind: 'bond', panels: ['BONOS'] },
    { ticker: 'AL30D', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'mep'] },
    { ticker: 'AL30C', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'cable'] },
    { ticker: 'TZXD7', kind: 'bond', panels: ['BONOS'] },
    { ticker: 'S30N6', kind: 'bill', panels: ['BONOS'] },
    { ticker: 'PAP0', kind: 'bond', panels: ['BONOS'] },
    { ticker: 'DOLAR MAYORISTA', kind: 'exchange-rate' },
  ],
  [al30, cerZero, lecap],
);
const board = new Board(universe);
let indices = new IndexSeries(0, []);
const server = await startTestServer({ board, indices: () => indices });
after(() => server[Symbol.asyncDispose]());

let version = 0;

function show(ticker: string, last: number, date = '2026-11-20'): void {
  version += 1;
  const asOf = Date.parse(`${date}T19:59:58Z`);
  const session = { sessionDate: day(date), asOf, last, volume: 1 };
  board.adopt([makeQuote(universe.get(ticker as Ticker), { version, session, references: {} })]);
}

/** Publishes the value of an index. */
function publish(index: IndexName, date: string, value: number): void {
  const known = indexNames.flatMap((name) =>
    indices.all(name).map((one) => ({ ...one, index: name, source: 'test' })),
  );
  const others = known.filter((one) => one.index !== index || one.day !== toEpochDay(day(date)));
  const more = { index, day: toEpochDay(day(date)), value, source: 'test' };
  indices = new IndexSeries(indices.version + 1, [...others, more]);
}

type Row = Readonly<Record<string, string | number | null>>;

function get(query: string, headers: Readonly<Record<string, string>> = {}): Promise<TestAnswer> {
  return server.get(`/bonos?${query}`, { headers });
}

const rows = (query: string) => server.rows<Row>(`/bonos?${query}`);

async function row(query: string): Promise<Row> {
  const [first] = await rows(query);
  return first ?? assert.fail(`no row of ${query}`);
}

show('AL30', 83_940);
show('AL30D', 53.97);
show('AL30C', 51.75);
show('S30N6', 129.5);
show('TZXD7', 240);
show('DOLAR MAYORISTA', 1524.5);
show('GGAL', 7000);

test('contract 4.10: the fields, in their order', async () => {
  const found = await row('especie=al30d');
  assert.equal(
    Object.keys(found).join(),
    'especie,fecha,hora,liquidacion,precio,moneda,tipoCambio,tir,tna,tem,duration,durationModificada,' +
      'convexidad,valorTecnico,interesesCorridos,residual,paridad,vencimiento,indice,fechaIndice,' +
      'valorIndice,supuesto,estado',
  );
  const { especie, fecha, hora, liquidacion, precio, moneda, tipoCambio, residual, estado } = found;
  assert.deepEqual(
    [especie, fecha, hora, liquidacion, precio, moneda, tipoCambio, residual, estado],
    // Monday the 23rd is a holiday.
    ['AL30D', '2026-11-20', '16:59:58', '2026-11-24', 53.97, 'USD', null, 64, 'ok'],
  );
});

test('contract 4.10: a price in pesos by the MEP of the same bond has the figures of its class in dollars', async () => {
  const inDollars = await row('especie=AL30D');
  const inPesos = await row('especie=AL30');
  for (const field of [
    'tir',
    'tna',
    'tem',
    'duration',
    'durationModificada',
    'convexidad',
    'paridad',
  ]) {
    assert.equal(inPesos[field], inDollars[field], field);
  }
  assertNear(inPesos['tipoCambio'] as number, 83_940 / 53.97, 1e-6);
});

test('contract 4.10: the dollar is chosen, and is part of the row', async () => {
  assertNear((await row('especie=AL30&dolar=ccl'))['tipoCambio'] as number, 83_940 / 51.75, 1e-6);
  assert.equal((await row('especie=AL30&dolar=mayorista'))['tipoCambio'], 1524.5);
  const without = await get('especie=AL30&dolar=a3500');
  assert.equal(without.header('missing-indices'), 'A3500%202026-11-19');
  const [found] = without.json() as readonly Row[];
  assert.deepEqual(
    [found?.['estado'], found?.['tir'], found?.['residual'], found?.['precio']],
    ['sin-cambio', null, 64, 83_940],
  );
  publish('A3500', '2026-11-19', 1520);
  assert.equal((await row('especie=AL30&dolar=a3500'))['tipoCambio'], 1520);
  publish('A3500', '2026-11-20', 1522);
  assert.equal((await row('especie=AL30&dolar=a3500'))['tipoCambio'], 1522);
});

test('contract 4.10.5: a dollar that cannot be believed converts no price', async () => {
  // The price of one nominal, beside a wholesale dollar of 1524.5.
  show('AL30', 839.4);
  assert.deepEqual(
    [(await row('especie=AL30'))['estado'], (await row('especie=AL30'))['tipoCambio']],
    ['sin-cambio', null],
  );
  show('AL30', 83_940);
  assert.equal((await row('especie=AL30'))['estado'], 'ok');
});

test('contract 4.10.5: a dollar of another session than the quote is not used', async () => {
  show('AL30D', 53.97, '2026-11-19');
  assert.equal((await row('especie=AL30'))['estado'], 'sin-cambio');
  show('AL30D', 53.97);
  assert.equal((await row('especie=AL30'))['estado'], 'ok');
});

test('contract 4.10.2: a missing value of an index leaves out only what depends on it, and is named', async () => {
  indices = new IndexSeries(indices.version + 1, []);
  // The values around a gap do not fill it.
  publish('CER', '2026-11-08', 780.1);
  publish('CER', '2026-11-10', 780.9);
  const answer = await get('especie=TZXD7');
  // Ten business days before 24 November, of which the 23rd is a holiday.
  assert.equal(answer.header('missing-indices'), 'CER%202026-11-09');
  const [found] = answer.json() as readonly Row[];
  assert.deepEqual(
    [found?.['estado'], found?.['tir'], found?.['residual'], found?.['valorIndice']],
    ['sin-indice', null, 100, null],
  );
  publish('CER', '2026-11-09', 780.5);
  const later = await get('especie=TZXD7');
  assert.equal(later.header('missing-indices'), undefined);
  const [known] = later.json() as readonly Row[];
  assert.deepEqual(
    [known?.['indice'], known?.['fechaIndice'], known?.['valorIndice'], known?.['estado']],
    ['CER', '2026-11-09', 780.5, 'ok'],
  );
  assertNear(known?.['valorTecnico'] as number, (100 * 780.5) / 271.0476, 1e-6);
});

test('contract 4.10.1 and 4.10.2: the order is that of the request, what lacks a price or terms is named', async () => {
  const answer = await get('especie=S30N6,XXX,PAP0&panel=BONOS');
  const found = answer.json() as readonly Row[];
  assert.deepEqual(
    found.map((one) => one['especie']),
    ['S30N6', 'AL30', 'TZXD7'],
  );
  assert.equal(answer.header('missing-especies'), 'XXX,PAP0');
  assert.equal(answer.header('missing-terminos'), 'PAP0');
  assert.equal((await get('panel=BONOS')).header('missing-terminos'), 'PAP0');
  assert.equal((await get('especie=GGAL')).header('missing-terminos'), 'GGAL');
});

test('contract 4.10.2: a price that cannot be of 100 nominal has no yield', async () => {
  show('S30N6', 1.09);
  const found = await row('especie=S30N6');
  assert.deepEqual(
    [found['estado'], found['tir'], found['duration']],
    ['precio-dudoso', null, null],
  );
  assert.ok((found['paridad'] as number) < 5);
  show('S30N6', 129.5);
});

test('contract 4.10.1: with a price no quote is needed, and the date is today', async () => {
  const found = await row('especie=AL30D&precio=60.5');
  assert.deepEqual(
    [found['precio'], found['fecha'], found['hora'], found['estado']],
    [60.5, '2026-11-20', null, 'ok'],
  );
  assert.equal(testNow, Date.parse('2026-11-20T20:00:00Z'));
  assert.ok((found['tir'] as number) < ((await row('especie=AL30D'))['tir'] as number));
});

test('contract 4.10: a convention decides the date and the form of the price', async () => {
  const found = await row('especie=AL30D&convencion=bonarg');
  assert.equal(found['liquidacion'], '2026-11-20');
  assert.ok((found['precio'] as number) < 53.97, 'without the accrued interest');
  assert.equal(
    (await row('especie=AL30D&convencion=bonarg&plazo=24hs'))['liquidacion'],
    '2026-11-24',
  );
  assert.equal((await row('especie=AL30D&plazo=ci'))['liquidacion'], '2026-11-20');
});

test('contract 4.10.3: a request without a selection, a price that is none, and a price of several bonds get 400', async () => {
  const cases: readonly (readonly [query: string, text: RegExp])[] = [
    ['', /selección/],
    ['especie=AL30&precio=0', /«precio» no es válido/],
    ['especie=AL30&precio=-1', /«precio» no es válido/],
    ['especie=AL30&precio=1e3', /«precio» no es válido/],
    ['especie=AL30&precio=', /«precio» no es válido/],
    ['especie=AL30,AL30D&precio=60', /exactamente una especie/],
    ['panel=BONOS&precio=60', /exactamente una especie/],
    ['especie=AL30&panel=BONOS&precio=60', /exactamente una especie/],
  ];
  for (const [query, text] of cases) {
    assert.match(await server.refusal(`/bonos?${query}`), text, query);
  }
});

test('contract 4.10.6: the tag changes with the quote and with the dollar, and with no other quote', async () => {
  const etag = (await get('especie=AL30')).header('etag') ?? assert.fail('no tag');
  const unchanged = { 'if-none-match': etag };
  show('GGAL', 7001);
  show('AL30C', 51.8);
  assert.equal((await get('especie=AL30', unchanged)).status, 304);
  show('AL30D', 53.98);
  assert.equal((await get('especie=AL30', unchanged)).status, 200);
  show('AL30D', 53.97);
  assert.equal((await get('especie=AL30', unchanged)).status, 304);
});

test('contract 4.10.6: the tag changes with the value of the index that is used, and with no other value', async () => {
  publish('CER', '2026-11-09', 780.5);
  const etag = (await get('especie=TZXD7')).header('etag') ?? assert.fail('no tag');
  const unchanged = { 'if-none-match': etag };
  publish('CER', '2026-11-30', 790);
  publish('UVA', '2026-11-09', 2_000);
  assert.equal((await get('especie=TZXD7', unchanged)).status, 304);
  publish('CER', '2026-11-09', 780.6);
  assert.equal((await get('especie=TZXD7', unchanged)).status, 200);
});

test('contract 4.10: a bond that settles on its maturity or later is vencido, and a price without a yield is sin-solucion', async () => {
  // It matures on Monday 30 November. A trade of Thursday settles on Friday, one of Friday on Monday.
  show('S30N6', 70, '2026-11-26');
  const without = await row('especie=S30N6');
  assert.deepEqual(
    [without['estado'], without['liquidacion'], without['tir'], without['duration']],
    ['sin-solucion', '2026-11-27', null, null],
  );
  assert.ok((without['paridad'] as number) > 50);
  show('S30N6', 129.5, '2026-11-27');
  const matured = await row('especie=S30N6');
  const { especie, precio, liquidacion, vencimiento, estado, ...others } = matured;
  assert.deepEqual(
    [especie, precio, liquidacion, vencimiento, estado],
    ['S30N6', 129.5, '2026-11-30', '2026-11-30', 'vencido'],
  );
  for (const name of ['tir', 'tna', 'tem', 'duration', 'paridad', 'residual', 'valorTecnico']) {
    assert.equal(others[name], null, name);
  }
  const [quote] = (await server.get('/cotizaciones?especie=S30N6')).json() as readonly Row[];
  assert.equal(quote?.['ultimo'], 129.5);
  assert.equal((await row('especie=S30N6&plazo=ci'))['estado'], 'ok');
  show('S30N6', 129.5);
});

test('contract 4.10: the table is CSV too', async () => {
  const csv = await get('especie=S30N6&formato=csv&decimal=coma');
  const [header = '', line = ''] = csv.body.split('\r\n');
  assert.equal(header.split(';').length, 23);
  assert.match(line, /^S30N6;2026-11-20;16:59:58;2026-11-24;129,5;ARS;;\d+,\d{1,4};/);
});

function flows(query: string): Promise<TestAnswer> {
  return server.get(`/bonos/flujos?${query}`);
}

test('contract 4.11.1: the payments of a bond from today on, per 100 of the original nominal', async () => {
  const found = (await flows('especie=AL30C')).json() as readonly Row[];
  assert.deepEqual(found[0], {
    fecha: '2027-01-09',
    pago: '2027-01-11',
    interes: 0.24,
    amortizacion: 8,
    total: 8.24,
    residual: 56,
    ajustado: 8.24,
  });
  assert.equal(found.length, 8);
  assert.equal(found.at(-1)?.['residual'], 0);
  const all = (await flows('especie=AL30&desde=2000-01-01')).json() as readonly Row[];
  assert.deepEqual([all[0]?.['fecha'], all.length], ['2021-07-09', 19]);
});

test('contract 4.11.1: payments are multiplied by the index, and that is null without it', async () => {
  publish('CER', '2026-11-09', 780.5);
  const [known] = (await flows('especie=TZXD7')).json() as readonly Row[];
  assertNear(known?.['ajustado'] as number, (100 * 780.5) / 271.0476, 1e-8);
  indices = new IndexSeries(indices.version + 1, []);
  const without = await flows('especie=TZXD7');
  assert.equal((without.json() as readonly Row[])[0]?.['ajustado'], null);
  assert.equal(without.header('missing-indices'), 'CER%202026-11-09');
});

test('contract 4.11.2 and 4.11.3: what has no payments is named, and several bonds get 400', async () => {
  const unknown = await flows('especie=XXX');
  assert.deepEqual([unknown.status, unknown.body], [200, '[]']);
  assert.equal(unknown.header('missing-especies'), 'XXX');
  const without = await flows('especie=pap0');
  assert.deepEqual([without.body, without.header('missing-terminos')], ['[]', 'PAP0']);
  assert.equal((await flows('especie=AL30,AL30D')).status, 400);
});

test('contract 4.10 and 4.11: a bridge day trades and does not settle, and its A 3500 is of the business day before', async () => {
  show('AL30', 83_940, '2026-12-04');
  show('TZXD7', 240, '2026-12-04');
  assert.equal((await row('especie=AL30'))['liquidacion'], '2026-12-09');
  assert.equal((await row('especie=AL30&plazo=ci'))['liquidacion'], '2026-12-04');
  // Ten settlement days before 2026-12-09, over 2026-12-08, 2026-12-07 and 2026-11-23, all without settlement.
  assert.equal((await row('especie=TZXD7'))['fechaIndice'], '2026-11-20');
  for (const session of ['2026-12-07', '2026-12-09']) {
    show('AL30', 83_940, session);
    const answer = await get('especie=AL30&dolar=a3500');
    assert.equal(answer.header('missing-indices'), 'A3500%202026-12-04', session);
  }
});
