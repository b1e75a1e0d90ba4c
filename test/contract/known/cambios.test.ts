import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import {
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../../src/domain/calendar/plain-date.ts';
import type { ChangeOrigin, StoreChange } from '../../../src/domain/changes/version.ts';
import type { CorporateAction } from '../../../src/domain/history/corporate-action.ts';
import { CorporateActions } from '../../../src/domain/history/corporate-actions.ts';
import type { DailyClose } from '../../../src/domain/history/daily-close.ts';
import { IndexSeries } from '../../../src/domain/indices/index-series.ts';
import type { IndexValue } from '../../../src/domain/indices/index-value.ts';
import type { IssueTerms } from '../../../src/domain/instruments/issue-terms.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { startTestServer, type TestServer } from '../../support/http/start-test-server.ts';
import { fieldsIn } from '../../support/fields-in.ts';

/** The changes of stored values: contract 4.19. */

const ypf = 'YPFD' as Ticker;

let actions = new CorporateActions([]);
let indices = new IndexSeries(0, []);
const server = await startTestServer({
  urlKeys: true,
  actions: () => actions,
  indices: () => indices,
});
after(() => server[Symbol.asyncDispose]());

function day(date: string): EpochDay {
  return toEpochDay(date as PlainDate);
}

/** The change of a minute of the afternoon of 20 November, in Buenos Aires. */
function by(minute: number, origin: ChangeOrigin = 'import'): StoreChange {
  return { at: Date.UTC(2026, 10, 20, 15, minute), origin };
}

async function put({ at, origin }: StoreChange, ...closes: readonly DailyClose[]): Promise<void> {
  await server.putCloses(ypf, closes, { origin, now: () => at });
}

async function change(
  made: StoreChange,
  added: readonly CorporateAction[],
  remove: readonly CorporateAction[] = [],
): Promise<void> {
  await server.store.actions.apply({ put: added, remove }, made);
  const before = actions;
  actions = new CorporateActions((await server.store.actions.readAll()).values);
  server.revisions.increase(actions.changedSince(before));
}

async function putIndex(made: StoreChange, ...values: readonly IndexValue[]): Promise<void> {
  await server.store.indices.apply({ put: values }, made);
  const { revision, values: all } = await server.store.indices.readAll();
  indices = new IndexSeries(revision, all);
}

/** The rows without `instante` and `especie`, which are the same in all of them. */
async function rows(query: string): Promise<readonly (readonly unknown[])[]> {
  const answer = (await server.get(`/cambios?${query}`)).json();
  return (answer as readonly Readonly<Record<string, unknown>>[]).map((row) =>
    ['instante', 'fecha', 'campo', 'antes', 'despues', 'fuente', 'origen'].map((name) =>
      name === 'instante' ? String(row[name]).slice(14, 16) : row[name],
    ),
  );
}

const seen: DailyClose = {
  day: day('2026-09-03'),
  close: 41_205.123_456,
  volume: 10,
  open: 41_000,
  source: 'import:cierres.csv',
};

test('contract 4.19.2, 4.19.3: a correction has a row for each field that differs, the latest change first', async () => {
  await put(by(1), seen, { ...seen, day: day('2026-09-04') });
  assert.deepEqual(await rows('especie=YPFD&desde=2026-09-01&hasta=2026-09-30'), []);
  const corrected = { ...seen, close: 41_250, high: 41_300, source: 'byma' };
  await put(by(2, 'fetch'), corrected, { ...corrected, day: day('2026-09-04') });
  await put(by(3, 'confirm'), { ...corrected, volume: null });
  const fields = [
    ['ultimo', 41_205.123_456, 41_250, 'byma', 'descarga'],
    ['maximo', null, 41_300, 'byma', 'descarga'],
    ['fuente', 'import:cierres.csv', 'byma', 'byma', 'descarga'],
  ];
  assert.deepEqual(await rows('especie=ypfd&desde=2026-09-01&hasta=2026-09-30'), [
    ['03', '2026-09-03', 'volumen', 10, null, 'byma', 'confirmacion'],
    ...fields.map((row) => ['02', '2026-09-04', ...row]),
    ...fields.map((row) => ['02', '2026-09-03', ...row]),
  ]);
});

test('contract 4.19: a row has its fields in order, also in CSV and with a decimal comma', async () => {
  const query = '/cambios?especie=YPFD&desde=2026-09-03&hasta=2026-09-03';
  const { body } = await server.get(query);
  assert.ok(
    body.startsWith(
      '[{"instante":"2026-11-20T15:03:00.000Z","especie":"YPFD","fecha":"2026-09-03","campo":"volumen",' +
        '"antes":10,"despues":null,"fuente":"byma","origen":"confirmacion"},',
    ),
    body,
  );
  const head = 'instante,especie,fecha,campo,antes,despues,fuente,origen\r\n';
  const csv = await server.get(query, { headers: { accept: 'text/csv' } });
  assert.ok(
    csv.body.startsWith(
      `${head}2026-11-20T15:03:00.000Z,YPFD,2026-09-03,volumen,10,,byma,confirmacion\r\n` +
        '2026-11-20T15:02:00.000Z,YPFD,2026-09-03,ultimo,41205.123456,41250,byma,descarga\r\n',
    ),
    csv.body,
  );
  const comma = await server.get(`${query}&formato=csv&decimal=coma`);
  assert.match(comma.body, /;ultimo;41205,123456;41250;byma;/);
  assert.match(comma.body, /;fuente;import:cierres\.csv;byma;/);
});

async function daysOf(query: string): Promise<ReadonlySet<unknown>> {
  return new Set((await rows(`especie=YPFD${query}`)).map(([, fecha]) => fecha));
}

test('contract 4.19.2: the range is of the days that have changed, both ends included, and both dates are optional', async () => {
  const [first, second] = ['2026-09-03', '2026-09-04'];
  assert.deepEqual(await daysOf(''), new Set([first, second]));
  assert.deepEqual(await daysOf('&desde=2026-09-04'), new Set([second]));
  assert.deepEqual(await daysOf('&hasta=2026-09-03'), new Set([first]));
  assert.deepEqual(await daysOf('&desde=2026-09-05'), new Set());
});

test('contract 4.19.3, 4.19.5: an action that is added, changed or removed has a row with its value', async () => {
  const on = { ticker: ypf, exDay: day('2026-10-05'), source: 'eventos.csv' };
  const split: CorporateAction = { ...on, type: 'split', factor: 10 };
  const dividend = { ...on, type: 'cash-dividend', amount: 12.5 } as const;
  await change(by(4), [split, { ...dividend, currency: 'ARS' }]);
  await change(by(5, 'fetch'), [{ ...split, factor: 20, source: 'otra' }]);
  await change(by(6), [{ ...dividend, currency: 'USD' }], [split]);
  await change(by(7, 'revert'), [{ ...split, factor: 20 }]);
  // Only the source changes.
  await change(by(8), [{ ...split, factor: 20, source: 'tercera' }]);
  assert.deepEqual(await rows('especie=YPFD&desde=2026-10-01'), [
    ['07', '2026-10-05', 'split', null, 20, 'eventos.csv', 'reversion'],
    ['06', '2026-10-05', 'dividendo', '12.5 ARS', '12.5 USD', 'eventos.csv', 'importacion'],
    ['06', '2026-10-05', 'split', 20, null, 'otra', 'importacion'],
    ['05', '2026-10-05', 'split', 10, 20, 'otra', 'descarga'],
    ['04', '2026-10-05', 'dividendo', null, '12.5 ARS', 'eventos.csv', 'importacion'],
    ['04', '2026-10-05', 'split', null, 10, 'eventos.csv', 'importacion'],
  ]);
});

test('contract 4.19.3: a change of the ticker shows the changes of the earlier ticker, as /historicos and /eventos show its rows', async () => {
  const renamed = { ticker: ypf, exDay: day('2026-10-20'), source: 'eventos.csv' };
  await change(by(9), [{ ...renamed, type: 'ticker-change', newTicker: 'NUEVA' as Ticker }]);
  const answer = (await server.get('/cambios?especie=NUEVA')).json();
  const found = answer as readonly { especie: string; campo: string; despues: unknown }[];
  assert.deepEqual(fieldsIn(found.slice(0, 1), 'especie', 'campo', 'despues'), [
    'YPFD cambio-ticker NUEVA',
  ]);
  assert.equal(found.find(({ campo }) => campo === 'ultimo')?.especie, 'NUEVA');
  await change(by(10), [], [{ ...renamed, type: 'ticker-change', newTicker: 'NUEVA' as Ticker }]);
  assert.equal((await server.get('/cambios?especie=NUEVA')).body, '[]');
});

const al30 = 'AL30' as Ticker;

test('contract 4.19.3, 4.19.5: a term that has changed has a row, with its name and value in /especies.json', async () => {
  const before = (await server.get('/cambios?especie=AL30')).body;
  const terms = (values: IssueTerms['values'], series: readonly Ticker[] = [al30]) => ({
    put: [{ ticker: 'AL30X' as Ticker, series, values }],
    remove: [],
  });
  const first = { rates: '2020-09-04=1;2021-07-09=0.5', couponMonths: 6, termsSources: 'ley' };
  const changed = { ...first, rates: '2020-09-04=1', termsState: 'verificado' };
  const { terms: store } = server.store;
  await store.apply(terms(first), { at: Date.UTC(2026, 10, 21, 2, 1), origin: 'unknown' });
  server.revisions.increase([al30]);
  assert.equal((await server.get('/cambios?especie=AL30')).body, before, 'the first record');
  // In Buenos Aires, it is still the 20th.
  const late = Date.UTC(2026, 10, 21, 2);
  await store.apply(terms(changed), { at: late + 120_000, origin: 'universe' });
  await store.apply(terms({ ...changed, termsReviewed: '2026-11-20' }), {
    at: late + 180_000,
    origin: 'universe',
  });
  await store.apply(terms(changed, []), { at: Date.UTC(2026, 10, 21, 3, 4), origin: 'universe' });
  server.revisions.increase([al30]);
  const later = [
    ['02', '2026-11-20', 'terminos', null, 'verificado', 'ley', 'universo'],
    ['02', '2026-11-20', 'tasa', first.rates, '2020-09-04=1', 'ley', 'universo'],
  ];
  const lost = [
    ['04', '2026-11-21', 'terminos', 'verificado', null, 'ley', 'universo'],
    ['04', '2026-11-21', 'frecuencia', 6, null, 'ley', 'universo'],
    ['04', '2026-11-21', 'tasa', '2020-09-04=1', null, 'ley', 'universo'],
  ];
  assert.deepEqual(await rows('especie=AL30'), [...lost, ...later]);
  assert.deepEqual(await rows('especie=AL30&hasta=2026-11-20'), later);
  assert.deepEqual(await rows('especie=AL30&desde=2026-11-21'), lost);
  const { body } = await server.get('/cambios?especie=AL30&formato=csv&desde=2026-11-21');
  assert.match(body, /T03:04:00\.000Z,AL30,2026-11-21,frecuencia,6,,ley,universo/);
});

test('contract 4.19.3: a change of the ticker of a bond is no change of its terms, and shows those under the earlier ticker', async () => {
  const late = Date.UTC(2026, 10, 22, 12);
  const record = (minute: number, ticker: Ticker, rates: string, gone: readonly Ticker[] = []) =>
    server.store.terms.apply(
      {
        put: [{ ticker, series: [], values: { rates } }],
        remove: gone.map((one) => ({ ticker: one })),
      },
      { at: late + minute * 60_000, origin: 'universe' },
    );
  const fresh = 'NUEVA' as Ticker;
  const renamed = { ticker: ypf, exDay: day('2026-10-20'), source: 'eventos.csv' };
  const rename = { ...renamed, type: 'ticker-change', newTicker: fresh } as const;
  await change(by(11), [rename]);
  await record(1, ypf, '2020-09-04=1');
  await record(2, ypf, '2020-09-04=2');
  await record(3, fresh, '2020-09-04=2', [ypf]);
  await record(4, fresh, '2020-09-04=3');
  server.revisions.increase([ypf, fresh]);
  const rates = (await rows('especie=NUEVA')).filter((row) => row.includes('tasa'));
  assert.deepEqual(
    rates.map((row) => [row[0], ...row.slice(3, 5)]),
    [
      ['04', '2020-09-04=2', '2020-09-04=3'],
      ['02', '2020-09-04=1', '2020-09-04=2'],
      ['01', null, '2020-09-04=1'],
    ],
  );
  await change(by(12), [], [rename]);
});

function cer(date: string, value: number, source: string): IndexValue {
  return { index: 'CER', day: day(date), value, source };
}

test('contract 4.19.1, 4.19.3: the changes of an index', async () => {
  await putIndex(by(1), cer('2026-12-01', 758.1, 'bcra'), cer('2026-12-02', 759, 'bcra'));
  assert.deepEqual(await rows('indice=CER'), []);
  await putIndex(by(2, 'fetch'), cer('2026-12-01', 758.2, 'bcra'));
  await putIndex(by(3), cer('2026-12-01', 758.3, 'cer.csv'));
  assert.deepEqual(await rows('indice=CER&desde=2026-12-01&hasta=2026-12-01'), [
    ['03', '2026-12-01', 'valor', 758.2, 758.3, 'cer.csv', 'importacion'],
    ['03', '2026-12-01', 'fuente', 'bcra', 'cer.csv', 'cer.csv', 'importacion'],
    ['02', '2026-12-01', 'valor', 758.1, 758.2, 'bcra', 'descarga'],
  ]);
  assert.deepEqual(await rows('indice=CER&desde=2026-12-02'), []);
  assert.deepEqual(await rows('indice=UVA'), []);
  const { body } = await server.get('/cambios?indice=CER&formato=csv');
  assert.match(body, /^instante,indice,fecha,campo,/);
});

test('contract 4.19.1: a request without exactly one of especie and indice gets 400, and the text says so', async () => {
  const both = ['especie=YPFD&indice=CER', 'especie=YPFD&indice='];
  for (const query of ['', 'especie=', ...both, 'desde=2026-01-01']) {
    const { status, body } = await server.get(`/cambios?${query}`);
    assert.equal(status, 400, query);
    assert.match(body, /exactamente uno de los parámetros «especie» e «indice»/);
  }
  for (const query of ['especie=+dolar++mep', 'indice=CER&hasta=2026-01-02&especie=+'])
    assert.equal((await server.get(`/cambios?${query}`)).header('missing-especies'), undefined);
  assert.equal((await server.get('/cambios?indice=CER&especie=+')).status, 200);
});

test('contract 4.19.2, 4.19.6: an unknown ticker is named, and Conocido-Desde says since when changes are kept', async () => {
  const unknown = await server.get('/cambios?especie=NADA');
  assert.deepEqual([unknown.status, unknown.body], [200, '[]']);
  assert.equal(unknown.header('missing-especies'), 'NADA');
  const known = await server.get('/cambios?especie=YPFD');
  const since = Date.parse(known.header('conocido-desde') ?? '');
  assert.ok(since <= by(1).at);
  assert.equal((await server.get('/cambios?indice=CER')).header('conocido-desde'), undefined);
});

test('contract 4.19.7: more changes than the limit get 400 with both numbers', async () => {
  await using small = await startTestServer({ limits: { historyRowsMax: 2 } });
  await putTwice(small);
  const { status, body } = await small.get('/cambios?especie=YPFD');
  assert.equal(status, 400);
  assert.match(body, /tiene 3 filas.*máximo 2 /);
  assert.equal((await small.get('/cambios?especie=YPFD&desde=2026-09-04')).status, 200);
});

async function putTwice({ store }: TestServer): Promise<void> {
  for (const [minute, close] of [1, 2].entries()) {
    await store.history.transaction(
      (transaction) => {
        const days = ['2026-09-01', '2026-09-02', '2026-09-03'].map(day);
        return transaction.put(
          ypf,
          days.map((one) => ({ day: one, close, volume: null })),
        );
      },
      { origin: 'import', now: () => by(minute).at },
    );
  }
}

test('contract 4.5.4, 4.19.8: the ETag changes with a change of the instrument or of the index, and 304 says what it has', async () => {
  for (const [target, make] of [
    ['/cambios?especie=YPFD', () => put(by(11), { ...seen, close: 1 })],
    [
      '/cambios?indice=CER',
      () => putIndex(by(11), { index: 'CER', day: day('2026-12-01'), value: 1, source: 'cer.csv' }),
    ],
  ] as const) {
    const before = (await server.get(target)).header('etag') ?? '';
    const headers = { 'if-none-match': before };
    assert.equal((await server.get(target, { headers })).status, 304);
    assert.equal((await server.get(target, { method: 'HEAD' })).header('etag'), before);
    await make();
    assert.equal((await server.get(target, { headers })).status, 200, target);
  }
});

test('contract 5.5: no key in a URL opens /cambios', async () => {
  const expiresAt = Date.UTC(2027, 0, 1);
  const key = await server.issue({ scope: 'url', expiresAt });
  const options = { authorization: null };
  assert.equal((await server.get(`/clave/${key}/cambios?especie=YPFD`, options)).status, 404);
  const target = `/clave/${key}/eventos?especie=YPFD&desde=2026-01-01&hasta=2026-12-31`;
  const known = `${target}&conocido=2026-11-20T15:30:00Z`;
  assert.equal((await server.get(known, options)).status, 200);
});
