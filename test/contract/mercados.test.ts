import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { clockAt } from '../support/market/clock-at.ts';
import { startTestServer, testNow } from '../support/http/start-test-server.ts';
import { fieldsIn } from '../support/fields-in.ts';

let now = testNow;
const server = await startTestServer({ clock: clockAt(() => now) });
after(() => server[Symbol.asyncDispose]());

interface Row {
  readonly mercado: string;
  readonly estado: string;
  readonly rueda: string;
  readonly cambia: string;
  readonly feriados: readonly { readonly fecha: string; readonly nombre: string }[];
  readonly [field: string]: unknown;
}

async function rowsAt(instant: string, query = ''): Promise<readonly Row[]> {
  now = Date.parse(instant);
  return (await server.get(`/mercados${query}`)).json() as readonly Row[];
}

test('contract 4.6.1: /mercados has every market, with its state, session, hours and holidays', async () => {
  const rows = await rowsAt('2026-11-27T17:59:59Z');
  assert.deepEqual(fieldsIn(rows, 'mercado'), ['BYMA', 'NYSE', 'CRIPTO']);
  assert.deepEqual(rows[1], {
    mercado: 'NYSE',
    nombre: 'New York Stock Exchange',
    zona: 'America/New_York',
    estado: 'abierto',
    rueda: '2026-11-27',
    abre: '09:30',
    cierra: '13:00',
    cambia: '2026-11-27T13:00:00-05:00',
    feriados: [
      { fecha: '2026-01-01', nombre: 'Feriado' },
      { fecha: '2026-11-26', nombre: 'Feriado' },
      { fecha: '2026-12-25', nombre: 'Feriado' },
    ],
  });
  assert.deepEqual(rows[2]?.feriados, []);
});

test('contract 4.6.1: /mercados and /healthz have the same state, session and next change', async () => {
  for (const instant of ['2026-11-20T19:59:59Z', '2026-11-21T12:00:00Z', '2026-12-24T18:00:00Z']) {
    const rows = await rowsAt(instant);
    const { mercados } = (await server.get('/healthz')).json() as {
      readonly mercados: readonly Readonly<Record<string, string>>[];
    };
    assert.deepEqual(
      rows.map((row) => [row.mercado, row.estado, row.rueda, Date.parse(row.cambia)]),
      mercados.map((one) => [
        one['codigo'],
        one['estado'],
        one['rueda'],
        Date.parse(one['cambia'] ?? ''),
      ]),
    );
  }
});

test('contract 4.6.4: the response changes exactly when a market does, also when the clock is set back', async () => {
  const tagAt = async (instant: string): Promise<string | undefined> => {
    now = Date.parse(instant);
    return (await server.get('/mercados')).header('etag');
  };
  const open = await tagAt('2026-11-20T15:00:00Z');
  assert.equal(await tagAt('2026-11-20T19:59:59.999Z'), open);
  const closed = await tagAt('2026-11-20T20:00:00Z');
  assert.notEqual(closed, open);
  assert.equal(await tagAt('2026-11-20T20:59:59Z'), closed);
  assert.notEqual(await tagAt('2026-11-20T21:00:00Z'), closed, 'New York closes');
  assert.equal(await tagAt('2026-11-20T15:00:00Z'), open, 'the clock was set back');
  const answer = await server.get('/mercados', { headers: { 'if-none-match': open ?? '' } });
  assert.equal(answer.status, 304);
  const [oldYear, newYear] = [
    await rowsAt('2027-01-01T02:59:59Z'),
    await rowsAt('2027-01-01T03:00:00Z'),
  ];
  assert.equal(oldYear[0]?.feriados[0]?.fecha, '2026-01-01');
  assert.deepEqual(newYear[0]?.feriados, []);
});

test('contract 4.6.2: anio selects the year of the holidays and nothing else', async () => {
  const [own, chosen, other] = [
    await rowsAt('2026-11-20T15:00:00Z'),
    await rowsAt('2026-11-20T15:00:00Z', '?anio=2026'),
    await rowsAt('2026-11-20T15:00:00Z', '?anio=2031'),
  ];
  assert.deepEqual(chosen, own);
  assert.deepEqual(
    other,
    own.map((row) => ({ ...row, feriados: [] })),
  );
  for (const query of ['?ANIO=x', '?a%C3%B1o=2031']) {
    assert.deepEqual(await rowsAt('2026-11-20T15:00:00Z', query), own, query);
  }
  for (const year of ['0001', '9999']) {
    assert.equal((await server.get(`/mercados?anio=${year}`)).status, 200, year);
  }
  const wrong = ['26', '', '0000', '20266', '2026 ', ' 2026', '-2026', '2O26', 'TODOS', '２０２６'];
  const queries = wrong.map((year) => `anio=${encodeURIComponent(year)}`);
  for (const query of [...queries, 'anio=2026&anio=2027', 'anio=%zz']) {
    const answer = await server.get(`/mercados?${query}`);
    assert.equal(answer.status, 400, query);
    assert.match(answer.body, /«anio»/);
  }
  const { error } = (await server.get('/mercados?anio=dosmil')).json() as {
    readonly error: string;
  };
  assert.match(error, /«dosmil» del parámetro «anio» no es un año válido.*2026/);
});

test('contract 4.6.2, 4.6.5: anio=todos has all holidays, and campos describes all sessions and settlement', async () => {
  const plain = await rowsAt('2026-11-20T15:00:00Z');
  const rows = await rowsAt(
    '2026-11-20T15:00:00Z',
    '?anio=todos&campos=cierresAnticipados,dias,horarios',
  );
  const [, nyse] = rows;
  assert.deepEqual(Object.keys(nyse ?? {}).slice(-4), [
    'feriados',
    'dias',
    'horarios',
    'cierresAnticipados',
  ]);
  assert.deepEqual(
    [nyse?.['dias'], nyse?.['horarios'], nyse?.['cierresAnticipados']],
    ['1 2 3 4 5', '09:30-16:00', '2026-11-27=13:00'],
  );
  assert.deepEqual(
    rows.map((row): unknown => Object.fromEntries(Object.entries(row).slice(0, -3))),
    plain,
    'the calendar of these markets has one year',
  );
  assert.deepEqual(await rowsAt('2026-11-20T15:00:00Z'), plain);
  const settling = await rowsAt('2026-11-20T15:00:00Z', '?campos=liquidacion');
  assert.deepEqual(
    settling.map(({ mercado, sinLiquidacion }) => [mercado, sinLiquidacion]),
    [
      ['BYMA', ['2026-12-07', '2026-12-24']],
      ['NYSE', ['2026-11-11']],
      ['CRIPTO', []],
    ],
  );
  const otherYear = await rowsAt('2026-11-20T15:00:00Z', '?campos=liquidacion&anio=2027');
  assert.deepEqual(otherYear[0]?.['sinLiquidacion'], []);
});

test('contract 4.6.3: the CSV of /mercados has a row for each market, without holidays an empty cell', async () => {
  now = testNow;
  const csv = await server.get('/mercados?anio=2027', { headers: { accept: 'text/csv' } });
  assert.equal(
    csv.body,
    'mercado,nombre,zona,estado,rueda,abre,cierra,cambia,feriados\r\n' +
      'BYMA,Bolsas y Mercados Argentinos,America/Argentina/Buenos_Aires,cerrado,2026-11-20,10:30,17:00,2026-11-24T10:30:00-03:00,\r\n' +
      'NYSE,New York Stock Exchange,America/New_York,abierto,2026-11-20,09:30,16:00,2026-11-20T16:00:00-05:00,\r\n' +
      'CRIPTO,Cripto,America/Argentina/Buenos_Aires,abierto,2026-11-20,00:00,24:00,2026-11-21T00:00:00-03:00,\r\n',
  );
});
