import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import {
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../../src/domain/calendar/plain-date.ts';
import type { IndexName } from '../../../src/domain/indices/index-name.ts';
import { IndexSeries } from '../../../src/domain/indices/index-series.ts';
import { startTestServer } from '../../support/http/start-test-server.ts';
import { fieldsIn } from '../../support/fields-in.ts';

const source = '/srv/private/indices.csv';

function value(index: IndexName, date: string, number: number) {
  return { index, day: toEpochDay(date as PlainDate), value: number, source };
}

const stored = [
  value('CER', '2026-11-27', 758.651_2),
  value('CER', '2026-11-20', 754.9),
  value('CER', '2026-12-15', 766.000_000_1),
  value('TAMAR', '2026-11-19', 31.25),
  value('IPC', '1999-02-28', -0.2),
];

let indices = new IndexSeries(1, stored);
// The clock of the test server shows 2026-11-20.
const server = await startTestServer({ indices: () => indices });
after(() => server[Symbol.asyncDispose]());

async function get(query: string, headers: Readonly<Record<string, string>> = {}) {
  return server.get(`/indices${query}`, { headers });
}

/** The days of the values of CER that a query gives. */
async function days(query: string): Promise<readonly string[]> {
  const rows = (await get(`?indice=CER${query}`)).json() as readonly { readonly fecha: string }[];
  return rows.map(({ fecha }) => fecha);
}

test('contract 4.14.1: without indice, every index is listed with its name and its days, null without values', async () => {
  const rows = (await get('')).json() as readonly Readonly<Record<string, unknown>>[];
  assert.deepEqual(fieldsIn(rows, 'indice', 'desde', 'hasta'), [
    'CER 2026-11-20 2026-12-15',
    'UVA null null',
    'A3500 null null',
    'TAMAR 2026-11-19 2026-11-19',
    'BADLAR null null',
    'ICL null null',
    'IPC 1999-02-28 1999-02-28',
  ]);
  assert.deepEqual(Object.keys(rows[0] ?? {}), ['indice', 'nombre', 'desde', 'hasta']);
  assert.equal(rows[0]?.['nombre'], 'Coeficiente de Estabilización de Referencia');
  assert.equal((await get('?desde=2026-12-01&hasta=x')).body, (await get('')).body);
});

test('contract 4.14.2: the inflation of a month is dated with its last day, and may be negative', async () => {
  assert.deepEqual((await get('?indice=IPC')).json(), [
    { indice: 'IPC', fecha: '1999-02-28', valor: -0.2 },
  ]);
});

test('contract 4.14.2, 4.14.3: the values are ascending, days to come included, and a missing day has no row', async () => {
  assert.equal(
    (await get('?indice=CER')).body,
    '[{"indice":"CER","fecha":"2026-11-20","valor":754.9},' +
      '{"indice":"CER","fecha":"2026-11-27","valor":758.6512},' +
      '{"indice":"CER","fecha":"2026-12-15","valor":766.0000001}]',
  );
  assert.equal((await get('?indice=UVA')).body, '[]');
});

test('contract 4.14.2: both dates are included, and each is optional', async () => {
  assert.deepEqual(await days('&desde=2026-11-27'), ['2026-11-27', '2026-12-15']);
  assert.deepEqual(await days('&hasta=2026-11-27'), ['2026-11-20', '2026-11-27']);
  assert.deepEqual(await days('&desde=2026-11-20&hasta=2026-11-20'), ['2026-11-20']);
  assert.deepEqual(await days('&desde=2026-11-21&hasta=2026-11-26'), []);
});

test('contract 4.14.5, 4.5.3, 4.5.7: both tables are CSV on request, with decimal commas too', async () => {
  assert.equal(
    (await get('?indice=TAMAR', { accept: 'text/csv' })).body,
    'indice,fecha,valor\r\nTAMAR,2026-11-19,31.25\r\n',
  );
  assert.equal(
    (await get('?indice=TAMAR&formato=csv&decimal=coma')).body,
    'indice;fecha;valor\r\nTAMAR;2026-11-19;31,25\r\n',
  );
  const list = (await get('?formato=csv')).body.split('\r\n');
  assert.equal(list[0], 'indice,nombre,desde,hasta');
  assert.equal(list[2], 'UVA,Unidad de Valor Adquisitivo,,');
  assert.equal(
    list[7],
    'IPC,"Índice de Precios al Consumidor, variación mensual",1999-02-28,1999-02-28',
  );
  assert.equal(list.length, 9);
});

test('contract 4.14.5, 4.5.4: the ETag changes when a value does, and a stored response is 304', async () => {
  const first = await get('?indice=CER');
  const tag = first.header('etag') ?? '';
  assert.equal((await get('?indice=CER', { 'if-none-match': tag })).status, 304);
  const others = [...stored, value('UVA', '2026-11-20', 1_900)];
  indices = new IndexSeries(2, others);
  assert.equal((await get('?indice=CER')).header('etag'), tag, 'another index has changed');
  indices = new IndexSeries(3, [...others, value('CER', '2026-12-14', 765.5)]);
  const later = await get('?indice=CER', { 'if-none-match': tag });
  assert.equal(later.status, 200);
  assert.match(later.body, /"2026-12-14","valor":765.5/);
  indices = new IndexSeries(4, stored);
});

test('the values of an index have no source in the response', async () => {
  assert.doesNotMatch((await get('?indice=CER')).body, /private|indices\.csv/);
});

test('all values of a long index are given, and asking for parts gives the same rows', async () => {
  const first = toEpochDay('2002-02-02' as PlainDate);
  const many = Array.from({ length: 9_000 }, (_, at) => ({
    ...value('CER', '2002-02-02', 1 + at / 10),
    day: (first + at) as EpochDay,
  }));
  indices = new IndexSeries(5, many);
  const whole = (await get('?indice=CER')).json() as readonly unknown[];
  assert.equal(whole.length, many.length);
  const [early, late] = [
    await get('?indice=CER&hasta=2010-12-31'),
    await get('?indice=CER&desde=2011-01-01'),
  ];
  assert.deepEqual(
    [early, late].flatMap((part) => part.json() as readonly unknown[]),
    whole,
  );
  indices = new IndexSeries(6, stored);
});
