import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { Board } from '../../src/board/board.ts';
import { instrumentKinds, type InstrumentKind } from '../../src/domain/instruments/instrument.ts';
import { makeQuote, type Quote } from '../../src/domain/quotes/quote.ts';
import type { StaleSource } from '../../src/domain/quotes/sources-state.ts';
import type { PlainDate } from '../../src/domain/calendar/plain-date.ts';
import { openapi } from '../support/http/contract.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { al30, day, makeTerms } from '../support/market/bond-samples.ts';
import { makeUniverse } from '../support/market/make-universe.ts';
import { startTestServer } from '../support/http/start-test-server.ts';

const server = await startTestServer();
after(() => server[Symbol.asyncDispose]());

test('contract 4.4.2: /especies.json has the instruments of /especies.txt, in the same order', async () => {
  for (const query of ['', '?panel=LID', '?panel=IND']) {
    const rows = (await server.get(`/especies.json${query}`)).json() as { especie: string }[];
    const text = (await server.get(`/especies.txt${query}`)).body;
    assert.equal(rows.map(({ especie }) => `${especie}\n`).join(''), text);
  }
});

const tickersOf = (body: string): readonly string[] =>
  (JSON.parse(body) as { especie: string }[]).map(({ especie }) => especie);

test('contract 4.4.2: especie and panel select instruments of /especies.json, unknown tickers are named, and a search stays among them', async () => {
  const text = (await server.get('/especies.txt?panel=LID')).body.trimEnd();
  const members = text.split('\n');
  const last = members.at(-1) ?? '';
  const both = await server.get(
    `/especies.json?panel=LID&especie=merval,NOPE&especie=${last.toLowerCase()}`,
  );
  assert.deepEqual(tickersOf(both.body), ['MERVAL', last, ...members.slice(0, -1)]);
  assert.equal(both.header('missing-especies'), 'NOPE');
  const none = await server.get('/especies.json?especie=NOPE');
  assert.deepEqual([none.status, none.body], [200, '[]']);
  const found = await server.get('/especies.json?buscar=merval&especie=RIESGO+PAIS,MERVAL');
  assert.deepEqual(tickersOf(found.body), ['MERVAL']);
  // A client whose list is empty must not receive all.
  const empty = await server.get('/especies.json?especie=');
  assert.equal(empty.status, 400);
  assert.match(empty.body, /Falta la selección/);
  const whole = await server.get('/especies.json');
  assert.equal(whole.header('missing-especies'), undefined);
});

test('contract 4.4.2: /especies.json has the market and the unit of the change of each instrument', async () => {
  const rows = (await server.get('/especies.json?panel=IND')).json() as Record<string, unknown>[];
  const risk = rows.find((row) => row['especie'] === 'RIESGO PAIS');
  assert.deepEqual(risk, {
    especie: 'RIESGO PAIS',
    nombre: 'RIESGO PAIS',
    tipo: 'riesgo-pais',
    mercado: 'BYMA',
    moneda: 'ARS',
    decimales: 2,
    unidadVariacion: 'puntos',
  });
});

test('contract 4.4.2: /especies.json has the source that changed a quote last, and changes only when the source does', async () => {
  await using own = await startTestServer();
  const { board } = own;
  const { instruments } = board.universe;
  const rowsOf = async (query = ''): Promise<Record<string, unknown>[]> =>
    (await own.get(`/especies.json${query}`)).json() as Record<string, unknown>[];
  const tagOf = async (): Promise<string | undefined> =>
    (await own.get('/especies.json')).header('etag');
  const quoted = instruments.find((one) => board.quote(one) !== undefined);
  const quote = quoted === undefined ? undefined : board.quote(quoted);
  assert.ok(quote !== undefined);
  const { ticker } = quote.instrument;
  const rowOf = async (): Promise<Record<string, unknown>> =>
    (await rowsOf()).find(({ especie }) => especie === ticker) ?? {};
  let version = Math.max(...instruments.map((one) => board.quote(one)?.version ?? 0));
  const adopt = (source: Quote['source'], last: number): void =>
    board.adopt([{ ...quote, version: (version += 1), last, source }]);

  const unknown = await rowOf();
  assert.deepEqual([unknown['fuente'], unknown['demoraMinutos']], [undefined, undefined]);
  adopt({ name: 'byma', delayMinutes: 20 }, 1);
  const tag = await tagOf();
  const known = await rowOf();
  assert.deepEqual([known['fuente'], known['demoraMinutos']], ['byma', 20]);
  adopt({ name: 'byma', delayMinutes: 20 }, 2);
  assert.equal(await tagOf(), tag, 'another price of the same source');
  adopt({ delayMinutes: 0 }, 2);
  const derived = await rowOf();
  assert.deepEqual([derived['fuente'], derived['demoraMinutos']], [undefined, 0]);
  assert.notEqual(await tagOf(), tag);
  adopt({ name: 'data912' }, 2);
  const unstated = await rowOf();
  assert.deepEqual([unstated['fuente'], 'demoraMinutos' in unstated], ['data912', false]);
});

test('contract 7.5: /especies.json marks the instruments of a stale source whose market is open, and those derived of them', async () => {
  const universe = makeUniverse([
    { ticker: 'AL30', kind: 'bond' },
    { ticker: 'AL30D', kind: 'bond', currency: 'USD' },
    { ticker: 'GGAL' },
    { ticker: 'YPFD' },
    { ticker: 'BTC', kind: 'crypto', market: 'CRIPTO' },
    {
      ticker: 'DOLAR MEP',
      kind: 'exchange-rate',
      panels: ['IND'],
      derivation: {
        type: 'ratio',
        numerator: 'AL30' as Ticker,
        denominator: 'AL30D' as Ticker,
      },
    },
  ]);
  const board = new Board(universe);
  const sessionDate = '2026-11-20' as PlainDate;
  const sources: Record<string, Quote['source']> = {
    AL30: { name: 'mesa' },
    AL30D: { name: 'byma' },
    GGAL: { name: 'byma' },
    YPFD: { name: 'mesa', via: 'origen' },
    BTC: { name: 'mesa' },
    'DOLAR MEP': { delayMinutes: 0 },
  };
  let version = 0;
  const adopt = (): void =>
    board.adopt(
      universe.instruments.map((instrument) => {
        const parts = { session: { sessionDate, last: 1, volume: null }, references: {} };
        const source = sources[instrument.ticker];
        return makeQuote(instrument, { ...parts, version: (version += 1), source });
      }),
    );
  adopt();
  let stale: StaleSource[] = [];
  await using own = await startTestServer({ board, sources: () => ({ stale }) });
  const marked = async (query = ''): Promise<readonly unknown[]> => {
    const rows = (await own.get(`/especies.json${query}`)).json() as Record<string, unknown>[];
    return rows.flatMap((row) => (row['atrasada'] === true ? [row['especie']] : []));
  };
  const tagOf = async () => (await own.get('/especies.json')).header('etag');
  const alive = await tagOf();
  assert.deepEqual(await marked(), []);
  const mesa = { name: 'mesa', markets: ['BYMA'], lastPriceAt: 0 };
  stale = [mesa];
  assert.deepEqual(await marked(), ['AL30', 'DOLAR MEP'], 'CRIPTO is closed');
  assert.deepEqual(await marked('?panel=IND'), ['DOLAR MEP']);
  const tag = await tagOf();
  assert.notEqual(tag, alive, 'an answer that is stored is not confirmed');
  const csv = (await own.get('/especies.json?formato=csv')).body;
  assert.match(csv, /^especie,nombre,[^\r]*,fuente,demoraMinutos\r\n/);
  sources['AL30'] = { name: 'byma' };
  adopt();
  assert.deepEqual(await marked('?panel=IND'), [], 'a living source has taken over');
  stale = [{ ...mesa, via: 'origen' }];
  assert.deepEqual(await marked(), ['YPFD'], 'a source of the service that is followed');
  stale = [{ ...mesa, name: 'origen' }];
  assert.deepEqual(await marked(), ['YPFD'], 'the service that is followed');
  stale = [];
  assert.deepEqual(await marked(), []);
  sources['AL30'] = { name: 'mesa' };
  adopt();
  assert.equal(await tagOf(), alive);
});

const priced = makeUniverse([
  { ticker: 'AL30', kind: 'bond', panels: ['BONOS', 'BON'] },
  { ticker: 'S30J6', kind: 'bill' },
  { ticker: 'YMCXO', kind: 'corporate-bond' },
  { ticker: 'GGAL' },
  { ticker: 'DOLAR MEP', kind: 'exchange-rate' },
  { ticker: 'UNIT', kind: 'bond', pricePer: 1 },
]);

test('contract 4.4.4: campos=precioPor says what a price is a price of, last in each row', async () => {
  await using own = await startTestServer({ board: new Board(priced) });
  const plain = (await own.get('/especies.json')).json() as readonly object[];
  const per = [100, 100, 100, 1, 1, 1];
  const rows = await own.get('/especies.json?campos=precioPor');
  assert.equal(rows.body, JSON.stringify(plain.map((row, at) => ({ ...row, precioPor: per[at] }))));
  const found = await own.get('/especies.json?buscar=al30&panel=BON&campos=precioPor');
  assert.match(found.body, /^\[\{"especie":"AL30",.*"precioPor":100\}\]$/);
  const csv = await own.get('/especies.json?campos=precioPor&formato=csv&decimal=coma');
  const lines = csv.body.split('\r\n');
  assert.match(lines[0] ?? '', /;fuente;demoraMinutos;precioPor$/);
  assert.match(lines[1] ?? '', /^AL30;AL30;bono;.*;;100$/);
  assert.match(lines[4] ?? '', /^GGAL;GGAL;accion;.*;;1$/);
});

test('contract 4.4.4: base and clase name the classes of a security, and emisor who issued it', async () => {
  const classes = makeUniverse([
    { ticker: 'AL30', kind: 'bond', issuer: 'República Argentina' },
    { ticker: 'AL30D', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'mep'] },
    { ticker: 'AL30C', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'cable'] },
    { ticker: 'BA37D', kind: 'bond' },
  ]);
  await using own = await startTestServer({ board: new Board(classes) });
  const rows = (await own.get('/especies.json?campos=emisor,clase,base')).json();
  const shown = (rows as readonly Readonly<Record<string, unknown>>[]).map((row) =>
    Object.entries(row).slice(7),
  );
  const issuer = ['emisor', 'República Argentina'];
  assert.deepEqual(shown, [
    [['base', 'AL30'], ['clase', 'ARS'], issuer],
    [['base', 'AL30'], ['clase', 'MEP'], issuer],
    [['base', 'AL30'], ['clase', 'CABLE'], issuer],
    [],
  ]);
});

test('contract 4.4.4: isin is that of the terms of the issue, for all its classes', async () => {
  const bonds = ['AL30', 'AL30D', 'AL30C', 'TX28'].map((ticker) => ({
    ticker,
    kind: 'bond' as const,
  }));
  const universe = makeUniverse(bonds, [{ ...al30, isin: 'ARARGE3209S6' }]);
  await using own = await startTestServer({ board: new Board(universe) });
  const rows = (await own.get('/especies.json?campos=isin')).json() as readonly {
    readonly isin?: string;
  }[];
  const isin = 'ARARGE3209S6';
  assert.deepEqual(
    rows.map((row) => row.isin),
    [isin, isin, isin, undefined],
  );
});

test('contract 4.4.4: law, currency, option and certainty are those of the terms of the issue, and absent without terms', async () => {
  const bonds = ['AL30', 'AL30D', 'AL30C', 'TX28'].map((ticker) => ({
    ticker,
    kind: 'bond' as const,
  }));
  const universe = makeUniverse(bonds, [
    {
      ...al30,
      law: 'AR',
      option: 'rescate del emisor',
      state: 'fechas-en-duda',
      reviewed: day('2026-11-20'),
      sources: 'Prospecto de 2020; una fuente',
    },
  ]);
  await using own = await startTestServer({ board: new Board(universe) });
  const campos = 'terminosFuentes,terminosRevisados,terminos,opcion,monedaPagos,ley';
  const rows = (await own.get(`/especies.json?campos=${campos}`)).json() as readonly object[];
  const shown = rows.map((row) => Object.entries(row).slice(7));
  const terms = [
    ['ley', 'AR'],
    ['monedaPagos', 'USD'],
    ['opcion', 'rescate del emisor'],
    ['terminos', 'fechas-en-duda'],
    ['terminosRevisados', '2026-11-20'],
    ['terminosFuentes', 'Prospecto de 2020; una fuente'],
  ];
  assert.deepEqual(shown, [terms, terms, terms, []]);
});

test('contract 4.4.5: the terms of an issue are in the rows of all its classes, in the form of bonds.csv', async () => {
  const bonds = ['AL30', 'AL30D', 'TX28', 'TTM26', 'S31G7', 'NOTE'].map((ticker) => ({
    ticker,
    kind: 'bond' as const,
    ...(ticker === 'NOTE' && { maturity: '2027-03-01' }),
  }));
  const universe = makeUniverse(bonds, [
    { ...al30, series: ['AL30D' as Ticker] },
    makeTerms({
      ticker: 'TX28' as Ticker,
      couponDates: { type: 'listed', dates: [day('2027-11-09'), day('2028-06-30')] },
      interest: { type: 'fixed', steps: [{ from: day('2024-06-30'), percent: 2.25 }] },
      dayCount: 'act/365',
      amortisation: [{ from: day('2027-11-09'), to: day('2028-06-30'), percent: 100 / 22 }],
      indexation: { index: 'CER', lagDays: 10, base: 480.1526 },
      factor: 1.27,
    }),
    makeTerms({
      ticker: 'TTM26' as Ticker,
      couponDates: { type: 'regular', months: 3, first: day('2024-09-30') },
      interest: { type: 'floating', index: 'TAMAR', marginPercent: 0 },
      paysOnSession: false,
    }),
    makeTerms({
      ticker: 'S31G7' as Ticker,
      interest: { type: 'capitalised', monthlyPercent: 2.1 },
      isDual: true,
    }),
  ]);
  await using own = await startTestServer({ board: new Board(universe) });
  const campos =
    'vencimiento,titulo,emision,frecuencia,primerCupon,fechasCupon,tasa,conteoDias,amortizacion,indice,rezago,baseIndice,margen,factor,tem,dual,ajusteFecha';
  const rows = (await own.get(`/especies.json?campos=${campos}`)).json() as readonly object[];
  const shown = rows.map((row) => Object.fromEntries(Object.entries(row).slice(7)) as unknown);
  const step = {
    vencimiento: '2030-07-09',
    titulo: 'AL30',
    emision: '2020-09-04',
    frecuencia: 6,
    primerCupon: '2021-07-09',
    tasa: '2020-09-04=0.125;2021-07-09=0.5;2023-07-09=0.75;2027-07-09=1.75',
    conteoDias: '30/360',
    amortizacion: '2024-07-09=4;2025-01-09/2030-07-09=8',
    factor: 1,
    ajusteFecha: 'siguiente',
  };
  const zero = { vencimiento: '2028-06-30', emision: '2024-06-30', amortizacion: '2028-06-30=100' };
  assert.deepEqual(shown, [
    step,
    step,
    {
      ...zero,
      titulo: 'TX28',
      fechasCupon: '2027-11-09 2028-06-30',
      tasa: '2024-06-30=2.25',
      conteoDias: 'act/365',
      amortizacion: '2027-11-09/2028-06-30=4.545454545454546',
      indice: 'CER',
      rezago: 10,
      baseIndice: 480.1526,
      factor: 1.27,
      ajusteFecha: 'siguiente',
    },
    {
      ...zero,
      titulo: 'TTM26',
      frecuencia: 3,
      primerCupon: '2024-09-30',
      conteoDias: '30/360',
      indice: 'TAMAR',
      margen: 0,
      factor: 1,
    },
    { ...zero, titulo: 'S31G7', factor: 1, tem: 2.1, dual: 'max', ajusteFecha: 'siguiente' },
    { vencimiento: '2027-03-01' },
  ]);
  const csv = (await own.get('/especies.json?campos=tasa,rezago&formato=csv')).body.split('\r\n');
  assert.match(csv[0] ?? '', /,demoraMinutos,tasa,rezago$/);
  assert.match(csv[3] ?? '', /,2024-06-30=2.25,10$/);
});

test('contract 1.4, 4.4.4: without campos, body and ETag are those of before, in any order of requests', async () => {
  await using own = await startTestServer({ board: new Board(priced) });
  for (const format of ['json', 'csv']) {
    const target = `/especies.json?formato=${format}`;
    const before = await own.get(target);
    assert.doesNotMatch(before.body, /precioPor/);
    const more = await own.get(`${target}&campos=precioPor`);
    assert.notEqual(more.header('etag'), before.header('etag'));
    const later = await own.get(target);
    assert.equal(later.body, before.body);
    assert.equal(later.header('etag'), before.header('etag'));
    const etag = more.header('etag') ?? assert.fail('no tag');
    const headers = { 'if-none-match': etag };
    assert.equal((await own.get(`${target}&campos=precioPor`, { headers })).status, 304);
    assert.equal((await own.get(target, { headers })).status, 200);
  }
});

test('contract 4.4.2: each kind has its own name, and a delay has a decimal comma where the ratio stays a text', async () => {
  const kinds = Object.keys(instrumentKinds) as InstrumentKind[];
  const receipt = { kind: 'cedear', ratio: '20:1', underlying: 'AAPL_US' } as const;
  const sketches = kinds.map((kind) => ({ ticker: kind.toUpperCase(), kind }));
  const universe = makeUniverse([
    ...sketches,
    { ticker: 'AAPL', name: 'Apple', ...receipt },
    { ticker: 'EMBI', kind: 'country-risk', currency: 'bp', decimals: 0, market: 'NYSE' },
  ]);
  const board = new Board(universe);
  const session = { sessionDate: '2026-11-20' as PlainDate, last: 1, volume: null };
  const source = { name: 'byma', delayMinutes: 20.5 };
  const apple = universe.get('AAPL' as Ticker);
  board.adopt([makeQuote(apple, { version: 1, session, references: {}, source })]);
  await using own = await startTestServer({ board });
  const rows = (await own.get('/especies.json')).json() as readonly { readonly tipo: string }[];
  assert.deepEqual(
    rows.slice(0, kinds.length).map(({ tipo }, at) => [kinds[at], tipo]),
    [
      ['share', 'accion'],
      ['cedear', 'cedear'],
      ['adr', 'adr'],
      ['etf', 'etf'],
      ['bond', 'bono'],
      ['corporate-bond', 'obligacion-negociable'],
      ['bill', 'letra'],
      ['crypto', 'cripto'],
      ['index', 'indice'],
      ['exchange-rate', 'tipo-de-cambio'],
      ['interest-rate', 'tasa'],
      ['spread', 'brecha'],
      ['country-risk', 'riesgo-pais'],
    ],
  );
  const csv = (await own.get('/especies.json?formato=csv&decimal=coma')).body.split('\r\n');
  assert.deepEqual(csv.slice(-3), [
    'AAPL;Apple;cedear;BYMA;ARS;4;por-ciento;20:1;AAPL_US;byma;20,5',
    'EMBI;EMBI;riesgo-pais;NYSE;bp;0;puntos;;;;',
    '',
  ]);
});

test('contract 4.4.2: the OpenAPI document has one type for each kind of instrument', () => {
  const { components } = openapi as {
    components: {
      schemas: { Instrumento: { properties: { tipo: { enum: readonly string[] } } } };
    };
  };
  const types = components.schemas.Instrumento.properties.tipo.enum;
  assert.equal(types.length, Object.keys(instrumentKinds).length);
});
