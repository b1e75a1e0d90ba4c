import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import type { CorporateAction } from '../../src/domain/history/corporate-action.ts';
import { CorporateActions } from '../../src/domain/history/corporate-actions.ts';
import { toEpochDay, type EpochDay, type PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { startTestServer } from '../support/http/start-test-server.ts';

const source = '/srv/private/actions.csv';

function on(date: string): {
  readonly ticker: Ticker;
  readonly exDay: EpochDay;
  readonly source: string;
} {
  return { ticker: 'YPFD' as Ticker, exDay: toEpochDay(date as PlainDate), source };
}

/** An action of each type. Those of one date are in another order than that of the rows. */
const all: readonly CorporateAction[] = [
  { ...on('2026-08-10'), type: 'spin-off', factor: 2.376 },
  { ...on('2026-08-10'), type: 'rights-issue', factor: 1.1 },
  { ...on('2026-08-10'), type: 'cash-dividend', amount: 0.000_000_25, currency: 'USD' },
  { ...on('2026-08-10'), type: 'split', factor: 10 },
  { ...on('2026-09-01'), type: 'ticker-change', newTicker: 'YPF "B"' as Ticker },
  { ...on('2026-01-05'), type: 'ticker-change', newTicker: '=Y' as Ticker },
  { ...on('2026-03-02'), type: 'stock-dividend', factor: 1.09 },
  { ...on('2026-04-01'), type: 'ratio-change', factor: 0.5 },
  { ...on('2027-01-04'), type: 'split', factor: 2 },
  { ...on('2026-08-10'), type: 'split', factor: 3, ticker: 'GGAL' as Ticker },
];

let actions = new CorporateActions(all);
const server = await startTestServer({ actions: () => actions });
after(() => server[Symbol.asyncDispose]());

const year = 'desde=2026-01-01&hasta=2026-12-31';

async function get(query: string, headers: Readonly<Record<string, string>> = {}) {
  return server.get(`/eventos?${query}`, { headers });
}

test('contract 2.8, 4.8.2: the rows are ascending by date and type, each with the fields of its type', async () => {
  assert.equal(
    (await get(`especie=ypfd&${year}`)).body,
    '[{"especie":"YPFD","fecha":"2026-01-05","tipo":"cambio-ticker","detalle":"=Y"},' +
      '{"especie":"YPFD","fecha":"2026-03-02","tipo":"dividendo-acciones","factor":1.09},' +
      '{"especie":"YPFD","fecha":"2026-04-01","tipo":"ratio","factor":0.5},' +
      '{"especie":"YPFD","fecha":"2026-08-10","tipo":"split","factor":10},' +
      '{"especie":"YPFD","fecha":"2026-08-10","tipo":"dividendo","importe":0.00000025,"moneda":"USD"},' +
      '{"especie":"YPFD","fecha":"2026-08-10","tipo":"suscripcion","factor":1.1},' +
      '{"especie":"YPFD","fecha":"2026-08-10","tipo":"escision","factor":2.376},' +
      '{"especie":"YPFD","fecha":"2026-09-01","tipo":"cambio-ticker","detalle":"YPF \\"B\\""}]',
  );
});

test('contract 4.8.5: with forma, the rows of each instrument follow those of the one before', async () => {
  const both = await get(`especie=ggal,NADA,YPFD,ggal&forma=larga&${year}`);
  const alone = [await get(`especie=GGAL&${year}`), await get(`especie=YPFD&${year}`)] as const;
  assert.equal(both.body, `${alone[0].body.slice(0, -1)},${alone[1].body.slice(1)}`);
  assert.equal(both.header('missing-especies'), 'NADA');
  assert.ok(both.header('etag'));
  const csv = await get(`especie=GGAL&forma=larga&formato=csv&${year}`);
  assert.match(csv.body, /^especie,.*\r\nGGAL,2026-08-10,split,3,,,\r\n$/);
  for (const [query, text] of [
    [`forma=larga&${year}`, /«especie»/],
    [`forma=larga&especie=+&${year}`, /«especie»/],
    ['forma=larga&especie=A&desde=2026-01-01', /«hasta»/],
    ['forma=larga&especie=A&desde=2026-01-02&hasta=2026-01-01', /«desde» \(2026-01-02\)/],
    [`especie=${'A,'.repeat(501)}&forma=larga&${year}`, /500/],
  ] as const) {
    const refused = await get(query);
    assert.equal(refused.status, 400);
    assert.match(refused.body, text);
  }
});

test('contract 2.8.3: the source of an action is not shown', async () => {
  assert.doesNotMatch((await get(`especie=YPFD&${year}`)).body, /private|actions\.csv/);
});

test('contract 4.8.2, 4.5.3, 4.5.8: CSV has the same rows, with empty cells, and no text that is run as a formula', async () => {
  assert.equal(
    (await get(`especie=YPFD&${year}`, { accept: 'text/csv' })).body,
    'especie,fecha,tipo,factor,importe,moneda,detalle\r\n' +
      "YPFD,2026-01-05,cambio-ticker,,,,'=Y\r\n" +
      'YPFD,2026-03-02,dividendo-acciones,1.09,,,\r\n' +
      'YPFD,2026-04-01,ratio,0.5,,,\r\n' +
      'YPFD,2026-08-10,split,10,,,\r\n' +
      'YPFD,2026-08-10,dividendo,,0.00000025,USD,\r\n' +
      'YPFD,2026-08-10,suscripcion,1.1,,,\r\n' +
      'YPFD,2026-08-10,escision,2.376,,,\r\n' +
      'YPFD,2026-09-01,cambio-ticker,,,,"YPF ""B"""\r\n',
  );
});

test('contract 4.5.7: the CSV has decimal commas on request', async () => {
  const coma = await get(`especie=YPFD&${year}&formato=csv&decimal=coma`);
  assert.match(
    coma.body,
    /^especie;fecha;tipo;factor;.*\r\nYPFD;2026-03-02;dividendo-acciones;1,09;.*;dividendo;;0,00000025;USD;\r\n/s,
  );
});

/** The dates of the rows of a range. */
async function dates(desde: string, hasta: string): Promise<readonly string[]> {
  const rows = (await get(`especie=YPFD&desde=${desde}&hasta=${hasta}`)).json();
  return (rows as readonly { readonly fecha: string }[]).map(({ fecha }) => fecha);
}

test('contract 4.8.2: both dates are included, and an announced action is given', async () => {
  assert.deepEqual(await dates('2026-03-02', '2026-04-01'), ['2026-03-02', '2026-04-01']);
  assert.deepEqual(await dates('2026-03-03', '2026-03-31'), []);
  assert.deepEqual(await dates('2026-09-02', '9999-12-31'), ['2027-01-04']);
});

test('contract 4.8.3: an unknown ticker gets an empty list and is named, and one without actions is not', async () => {
  const unknown = await get(`especie=no+existe&${year}`);
  assert.equal(unknown.status, 200);
  assert.equal(unknown.body, '[]');
  assert.equal(unknown.header('missing-especies'), 'no%20existe');
  const without = await get(`especie=AL30&${year}`);
  assert.equal(without.body, '[]');
  assert.equal(without.header('missing-especies'), undefined);
  const csv = await get(`especie=AL30&${year}`, { accept: 'text/csv' });
  assert.equal(csv.body, 'especie,fecha,tipo,factor,importe,moneda,detalle\r\n');
});

test('contract 4.5.4: the ETag changes with the actions of the instrument only', async () => {
  const query = `especie=YPFD&${year}`;
  const before = (await get(query)).header('etag') ?? '';
  assert.equal((await get(query, { 'if-none-match': before })).status, 304);
  actions = new CorporateActions(all.filter(({ ticker }) => ticker === 'YPFD'));
  assert.equal((await get(query)).header('etag'), before);
  actions = new CorporateActions(all.filter(({ type }) => type !== 'ratio-change'));
  const changed = await get(query, { 'if-none-match': before });
  assert.equal(changed.status, 200);
  assert.doesNotMatch(changed.body, /ratio/);
});

test('a long list, and a query of many unknown parameters, are answered as well', async () => {
  actions = new CorporateActions(
    Array.from({ length: 300 }, (_, at) => ({
      ...on('2026-01-01'),
      exDay: (on('2026-01-01').exDay + at) as EpochDay,
      type: 'cash-dividend' as const,
      amount: at + 1,
      currency: 'ARS',
    })),
  );
  for (const query of [`especie=YPFD&${year}`, `especie=YPFD&${year}&x=${'x'.repeat(300)}`]) {
    const rows = (await get(query)).json() as readonly { readonly importe: number }[];
    assert.deepEqual([rows.length, rows[299]?.importe], [300, 300]);
  }
});
