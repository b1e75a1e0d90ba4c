import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Board } from '../../../src/board/board.ts';
import { toEpochDay } from '../../../src/domain/calendar/plain-date.ts';
import { IndexSeries } from '../../../src/domain/indices/index-series.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { startTestServer, type TestAnswer } from '../../support/http/start-test-server.ts';
import { al30, cerZero, day, lecap, makeTerms } from '../../support/market/bond-samples.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { assertNear } from '../../support/market/near.ts';

/** It has the payments of AL30. */
const gd30 = { ...al30, ticker: 'GD30' as Ticker, series: ['GD30D' as Ticker] };
const dollarLinked = makeTerms({
  ticker: 'TZV28' as Ticker,
  issued: day('2024-06-28'),
  indexation: { index: 'A3500', lagDays: 3, base: 1 },
});

const universe = makeUniverse(
  [
    { ticker: 'GGAL' },
    { ticker: 'AL30', kind: 'bond' },
    { ticker: 'AL30D', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'mep'] },
    { ticker: 'AL30C', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'cable'] },
    { ticker: 'GD30', kind: 'bond' },
    { ticker: 'GD30D', kind: 'bond', currency: 'USD', dollarClass: ['GD30', 'mep'] },
    { ticker: 'TZXD7', kind: 'bond' },
    { ticker: 'TZV28', kind: 'bond' },
    { ticker: 'S30N6', kind: 'bill' },
    { ticker: 'PAP0', kind: 'bond' },
    { ticker: 'DOLAR MAYORISTA', kind: 'exchange-rate' },
  ],
  [al30, gd30, cerZero, dollarLinked, lecap],
);

let indices = new IndexSeries(0, []);
const server = await startTestServer({ board: new Board(universe), indices: () => indices });
after(() => server[Symbol.asyncDispose]());

type Row = Readonly<Record<string, string | number | null>>;

function get(query: string): Promise<TestAnswer> {
  return server.get(`/bonos/historicos?${query}`);
}

const rows = (query: string) => server.rows<Row>(`/bonos/historicos?${query}`);

async function row(query: string): Promise<Row> {
  const [first] = await rows(query);
  return first ?? assert.fail(`no row of ${query}`);
}

const ever = 'desde=2000-01-01&hasta=2039-12-31';

before(async () => {
  await server.putCloses('AL30D', {
    '2020-09-23': 44.93,
    '2024-05-24': 55,
    '2024-05-27': 55,
    '2026-11-17': 54,
    '2026-11-18': 53.9,
    '2026-11-20': 53.97,
  });
  await server.putCloses('AL30', { '2026-11-18': 83_900, '2026-11-20': 83_940 });
  await server.putCloses('AL30C', { '2026-11-20': 51.75 });
  await server.putCloses('GD30D', { '2020-09-23': 44.23, '2026-11-20': 55.1 });
  await server.putCloses('TZXD7', { '2026-11-19': 240 });
  await server.putCloses('TZV28', { '2026-11-19': 140_000 });
  await server.putCloses('S30N6', { '2025-12-10': 100, '2026-06-01': 115, '2026-11-27': 129.8 });
  await server.putCloses('DOLAR MAYORISTA', { '2026-11-19': 1524.5 });
  await server.putCloses('PAP0', { '2026-11-20': 1 });
});

test('contract 4.20: the fields, in their order, one row for each close of the range', async () => {
  const found = await rows('especie=al30d&desde=2026-11-17&hasta=2026-11-20');
  assert.equal(
    Object.keys(found[0] ?? {}).join(),
    'especie,fecha,liquidacion,precio,tir,tna,tem,durationModificada,paridad,valorTecnico,estado',
  );
  assert.deepEqual(
    found.map(({ especie, fecha, liquidacion, precio, estado }) =>
      [especie, fecha, liquidacion, precio, estado].join(' '),
    ),
    [
      'AL30D 2026-11-17 2026-11-18 54 ok',
      'AL30D 2026-11-18 2026-11-19 53.9 ok',
      // Monday the 23rd is a holiday.
      'AL30D 2026-11-20 2026-11-24 53.97 ok',
    ],
  );
});

test('contract 4.20.2: yields and durations of 2020 are those that a publisher had for the settlement of that day', async () => {
  const of2020 = 'desde=2020-09-23&hasta=2020-09-23';
  const al = await row(`especie=AL30D&${of2020}`);
  assert.equal(al['liquidacion'], '2020-09-25');
  assertNear(al['tir'] as number, 13.7287, 5e-3);
  const gd = await row(`especie=GD30D&${of2020}&contra=AL30D`);
  assertNear(gd['tir'] as number, 14.0124, 5e-3);
  assertNear(gd['diferencia'] as number, 14.0124 - 13.7287, 5e-3);
  // The publisher divides the duration by 1 + yield ÷ 2.
  const modified = await row(`especie=AL30D&${of2020}&convencion=bonistas`);
  assertNear(modified['durationModificada'] as number, 5.963_31, 5e-3);
});

async function settled(term: string): Promise<readonly unknown[]> {
  const found = await rows(`especie=AL30D&desde=2024-05-24&hasta=2024-05-27${term}`);
  return found.map(({ liquidacion }) => liquidacion);
}

test('contract 4.20.2: trades settled in two days until May 24, 2024', async () => {
  assert.deepEqual(await settled(''), ['2024-05-28', '2024-05-28']);
  assert.deepEqual(await settled('&plazo=ci'), ['2024-05-24', '2024-05-27']);
});

function cer(date: string, value: number) {
  return { index: 'CER', day: toEpochDay(day(date)), value, source: 'test' } as const;
}

test('contract 4.20.2: a bond with an index has the value of ten settlement days before, whatever is published later', async () => {
  const query = 'especie=TZXD7&desde=2026-11-19&hasta=2026-11-19';
  const lacking = await get(query);
  assert.equal(lacking.header('missing-indices'), 'CER%202026-11-06');
  const [before_] = lacking.json() as readonly Row[];
  assert.deepEqual([before_?.['tir'], before_?.['estado']], [null, 'sin-indice']);
  indices = new IndexSeries(1, [cer('2026-11-06', 700), cer('2026-11-07', 900)]);
  // 100 × 700 ÷ 271.0476 for 240, 390 days later.
  assert.deepEqual(await row(query), {
    especie: 'TZXD7',
    fecha: '2026-11-19',
    liquidacion: '2026-11-20',
    precio: 240,
    tir: 7.1026,
    tna: 7.1195,
    tem: 0.5656,
    durationModificada: 0.9976,
    paridad: 92.9306,
    valorTecnico: 258.257_221,
    estado: 'ok',
  });
});

test('contract 4.20.2: a bill has figures from its issue to its maturity', async () => {
  const found = await rows(`especie=S30N6&${ever}`);
  assert.deepEqual(
    found.map(({ fecha, tir, tna, tem, durationModificada, paridad, estado }) =>
      [fecha, tir, tna, tem, durationModificada, paridad, estado].join(),
    ),
    [
      '2025-12-10,,,,,,no-emitido',
      // 129.8882 for 115, 181 days later.
      '2026-06-01,27.8263,26.1071,2.0383,0.3879,101.3266,ok',
      '2026-11-27,,,,,,vencido',
    ],
  );
});

test('contract 4.20.2: a price in pesos by the MEP of its session has the yield of the class in dollars', async () => {
  const [day18, day20] = await rows('especie=AL30&desde=2026-11-18&hasta=2026-11-20&contra=AL30D');
  for (const one of [day18, day20])
    assert.deepEqual([one?.['diferencia'], one?.['estado']], [0, 'ok']);
  const cable = await rows('especie=AL30&desde=2026-11-18&hasta=2026-11-20&dolar=ccl&contra=AL30C');
  assert.deepEqual(
    cable.map(({ tir, estado, diferencia }) => [tir === null, estado, diferencia]),
    [
      [true, 'sin-cambio', null],
      [false, 'ok', 0],
    ],
  );
});

test('contract 4.20.2: the wholesale dollar may be that of the settlement day before, and A 3500 is read from its series', async () => {
  const at20 = 'especie=AL30&desde=2026-11-20&hasta=2026-11-20';
  const byMep = await row(at20);
  const byWholesale = await row(`${at20}&dolar=mayorista`);
  assertNear(
    (byWholesale['paridad'] as number) / (byMep['paridad'] as number),
    83_940 / 53.97 / 1524.5,
    1e-5,
  );
  const by3500 = await get(`${at20}&dolar=a3500`);
  assert.equal(by3500.header('missing-indices'), 'A3500%202026-11-19');
  assert.equal((by3500.json() as readonly Row[])[0]?.['estado'], 'sin-cambio');
});

async function lastDays(interval: string): Promise<readonly unknown[]> {
  const found = await rows(`especie=AL30D&${ever}&intervalo=${interval}`);
  return found.map(({ fecha }) => fecha);
}

test('contract 4.20.1: weeks and months have their last session', async () => {
  assert.deepEqual(await lastDays('1sem'), [
    '2020-09-23',
    '2024-05-24',
    '2024-05-27',
    '2026-11-20',
  ]);
  assert.deepEqual(await lastDays('1mes'), ['2020-09-23', '2024-05-27', '2026-11-20']);
});

test('contract 4.20.3: the difference is null where the other bond has no close, and what is unknown is named', async () => {
  const spreads = (await rows('especie=AL30D&desde=2026-11-18&hasta=2026-11-20&contra=gd30d')).map(
    ({ tir, diferencia }) => [typeof tir, diferencia === null],
  );
  assert.deepEqual(spreads, [
    ['number', true],
    ['number', false],
  ]);
  const own = await row('especie=AL30D&desde=2026-11-20&hasta=2026-11-20');
  const other = await row('especie=GD30D&desde=2026-11-20&hasta=2026-11-20');
  const both = await row('especie=AL30D&desde=2026-11-20&hasta=2026-11-20&contra=GD30D');
  const difference = (own['tir'] as number) - (other['tir'] as number);
  assert.equal(both['diferencia'], Math.round(difference * 1e4) / 1e4);

  const unknown = await get(`especie=AL30D&desde=2026-11-20&hasta=2026-11-20&contra=NADA`);
  assert.equal(unknown.header('missing-especies'), 'NADA');
  assert.equal((unknown.json() as readonly Row[])[0]?.['diferencia'], null);
  const without = await get(`especie=PAP0&${ever}`);
  assert.deepEqual([without.json(), without.header('missing-terminos')], [[], 'PAP0']);
});

test('contract 4.20.6: CSV and NDJSON have the fields of JSON, and the difference only with contra', async () => {
  const at = 'especie=AL30D&desde=2026-11-20&hasta=2026-11-20';
  const [head, line] = (await get(`${at}&formato=csv&contra=GD30D`)).body.split('\r\n');
  assert.match(head ?? '', /^especie,fecha,.*,estado,diferencia$/);
  assert.match(line ?? '', /^AL30D,2026-11-20,2026-11-24,53\.97,.*,ok,-?\d/);
  assert.match((await get(`${at}&formato=csv`)).body, /^[^\r]*,estado\r\n/);
  const text = (await get(`${at}&formato=ndjson`)).body;
  assert.deepEqual(JSON.parse(text), await row(at));
});

test('contract 4.20.6: the tag changes with a close and stays otherwise', async () => {
  const query = 'especie=GD30D&desde=2026-11-01&hasta=2026-11-30';
  const tag = (await get(query)).header('etag');
  assert.equal((await get(query)).header('etag'), tag);
  await server.putCloses('GD30D', { '2026-11-19': 55 });
  assert.notEqual((await get(query)).header('etag'), tag);
});

test('contract 4.20.5: one bond is compared with one other', async () => {
  const range = 'desde=2026-11-01&hasta=2026-11-30';
  for (const [query, text] of [
    [`especie=AL30D&${range}&contra=`, /«contra»/],
    [`especie=AL30D&${range}&contra=GD30D,AL30C`, /«contra».*GD30D,AL30C/],
  ] as const) {
    assert.match(await server.refusal(`/bonos/historicos?${query}`), text);
  }
});
