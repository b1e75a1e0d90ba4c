import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import * as fc from 'fast-check';
import Papa from 'papaparse';

import {
  fromEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../src/domain/calendar/plain-date.ts';
import type { CorporateAction } from '../../src/domain/history/corporate-action.ts';
import { CorporateActions } from '../../src/domain/history/corporate-actions.ts';
import type { DailyClose } from '../../src/domain/history/daily-close.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { makeQuote } from '../../src/domain/quotes/quote.ts';
import { startTestServer } from '../support/http/start-test-server.ts';
import { sampleUniverse } from '../support/market/sample-market.ts';
import { fieldsIn } from '../support/fields-in.ts';

/** Twenty consecutive days, of which instruments have some. */
const firstDay = toEpochDay('2026-10-20' as PlainDate);
const days = Array.from({ length: 20 }, (_, at) => (firstDay + at) as EpochDay);
const dates = days.map(fromEpochDay);

/** Instruments with closes: each lacks other days, opens and volumes. NUEVA and BTC have no closes. */
const withCloses = ['YPFD', 'GGAL', 'AL30', 'DOLAR MEP', 'DOLAR/EURO', 'MEP-CCL', 'AAPL_US'];

function closesOf(seed: number): readonly DailyClose[] {
  return days
    .filter((_, at) => (at + seed) % 4 !== 0)
    .map((day, at) => ({
      day,
      close: 100 + seed * 7 + at * 1.234_56 - (at % 3) * 11,
      volume: (at + seed) % 3 === 0 ? null : at * 10.5,
      ...((at + seed) % 5 === 0 ? {} : { open: 99.5 + at, high: 140.25, low: 90 + seed }),
    }));
}

function action(ticker: string, date: string, terms: object): CorporateAction {
  const named = { ticker: ticker as Ticker, exDay: toEpochDay(date as PlainDate), source: 'test' };
  return { ...named, ...terms } as CorporateAction;
}

let actions = new CorporateActions([
  action('YPFD', '2026-10-30', { type: 'split', factor: 10 }),
  action('YPFD', '2026-11-03', { type: 'cash-dividend', amount: 3, currency: 'ARS' }),
  action('GGAL', '2026-10-28', { type: 'cash-dividend', amount: 1, currency: 'USD' }),
  action('GGAL', '2026-11-05', { type: 'cash-dividend', amount: 2.5, currency: 'ARS' }),
  action('AAPL_US', '2026-10-25', { type: 'split', factor: 3 }),
]);
const rowsMax = 90;
const server = await startTestServer({
  actions: () => actions,
  limits: { historyRowsMax: rowsMax, tickersMax: 30 },
});
after(() => server[Symbol.asyncDispose]());

for (const [seed, ticker] of withCloses.entries()) await server.putCloses(ticker, closesOf(seed));

type Row = Readonly<Record<string, string | number | null>>;

async function get(query: string, headers: Readonly<Record<string, string>> = {}) {
  return server.get(`/historicos?${query}`, { headers });
}

const rowsOf = (query: string) => server.rows<Row>(`/historicos?${query}`);

const november = 'desde=2026-11-01&hasta=2026-11-05';

test('contract 4.2.11: larga has the rows of each instrument in the order of the request, then by date', async () => {
  await server.putCloses('COME', [
    { day: days[13] as EpochDay, close: 88, volume: 5 },
    { day: days[14] as EpochDay, close: 89.5, volume: null },
  ]);
  await server.putCloses('GD30', [
    { day: days[13] as EpochDay, close: 91_000.25, volume: 7, high: 91_500 },
  ]);
  assert.equal(
    (await get(`especie=gd30,COME,GD30&forma=larga&campos=minimo,maximo&${november}`)).body,
    '[{"especie":"GD30","fecha":"2026-11-02","ultimo":91000.25,"maximo":91500,"volumen":7},' +
      '{"especie":"COME","fecha":"2026-11-02","ultimo":88,"volumen":5},' +
      '{"especie":"COME","fecha":"2026-11-03","ultimo":89.5,"volumen":null}]',
  );
});

test('contract 4.2.12: ancha has a row for each date with a value, and a member for each known instrument', async () => {
  assert.equal(
    (await get(`especie=COME,NUEVA,NADA&especie=gd30&forma=ancha&${november}`)).body,
    '[{"fecha":"2026-11-02","COME":88,"NUEVA":null,"GD30":91000.25},' +
      '{"fecha":"2026-11-03","COME":89.5,"NUEVA":null,"GD30":null}]',
  );
  assert.equal(
    (await get(`especie=COME,GD30&forma=ancha&campo=volumen&${november}`)).body,
    '[{"fecha":"2026-11-02","COME":5,"GD30":7}]',
  );
  assert.equal((await get(`especie=NUEVA&forma=ancha&${november}`)).body, '[]');
});

test('contract 4.2.10: panel selects its members, after the tickers, each once', async () => {
  const range = 'desde=2026-11-02&hasta=2026-11-02';
  const [row] = await rowsOf(`especie=AL30,GGAL&panel=LID&forma=ancha&${range}`);
  assert.deepEqual(Object.keys(row ?? {}), ['fecha', 'AL30', 'GGAL', 'YPFD', 'NUEVA']);
  const long = await rowsOf(`panel=IND&forma=larga&${range}`);
  assert.deepEqual(fieldsIn(long, 'especie'), ['DOLAR/EURO', 'MEP-CCL']);
});

/** Instruments and a range of {@link dates}, the first and the last of which are numbers. */
interface Wanted {
  readonly tickers: readonly string[];
  readonly range: readonly [first: number, last: number];
  readonly ajuste: string;
}

const selection: fc.Arbitrary<Wanted> = fc.record({
  tickers: fc.array(
    fc.constantFrom(...withCloses, 'NUEVA', 'BTC', 'ggal', 'dolar  mep', 'NADA', 'OTRA MÁS'),
    { minLength: 1, maxLength: 4 },
  ),
  range: fc
    .tuple(fc.nat(19), fc.nat(19))
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const),
  ajuste: fc.constantFrom('ninguno', 'splits', 'total'),
});

function queryOf({ tickers, range, ajuste }: Wanted): string {
  const listed = tickers.map(encodeURIComponent).join(',');
  return `especie=${listed}&desde=${dates[range[0]]}&hasta=${dates[range[1]]}&ajuste=${ajuste}`;
}

/** The canonical spelling of a ticker; undefined for one that does not exist. */
function canonical(ticker: string): string | undefined {
  return sampleUniverse.find(ticker)?.ticker;
}

test('contract 4.2.11, 4.2.13: larga is the concatenation of the responses of its instruments, headers included', async () => {
  const campos = fc.subarray(['apertura', 'maximo', 'minimo']);
  await fc.assert(
    fc.asyncProperty(selection, campos, fc.boolean(), async (wanted, fields, isCsv) => {
      const further = `${fields.length === 0 ? '' : `&campos=${fields.join()}`}${isCsv ? '&formato=csv' : ''}`;
      const joined = await get(`${queryOf(wanted)}&forma=larga${further}`);
      const unique = [...new Map(wanted.tickers.map((one) => [canonical(one) ?? one, one])).keys()];
      const singles = [];
      for (const ticker of unique) {
        singles.push(await get(queryOf({ ...wanted, tickers: [ticker] }) + further));
      }
      assert.ok([joined, ...singles].every(({ status }) => status === 200));
      const inside = ({ body }: { readonly body: string }): string =>
        isCsv ? body.slice(body.indexOf('\r\n') + 2) : body.slice(1, -1);
      const bodies = singles.map(inside).filter((text) => text !== '');
      assert.equal(inside(joined), bodies.join(isCsv ? '' : ','));
      const missing = singles.flatMap((one) => one.header('missing-especies') ?? []);
      assert.equal(joined.header('missing-especies') ?? '', missing.join());
      const dividends = singles.flatMap((one, at) =>
        (one.header('missing-dividendos')?.split(',') ?? []).map((date) => `${unique[at]}:${date}`),
      );
      assert.equal(joined.header('missing-dividendos') ?? '', dividends.join());
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 60) },
  );
});

test('contract 4.2.12: ancha is the pivot of larga for every campo, and CSV has the values of JSON', async () => {
  const cells = fc.constantFrom('ultimo', 'apertura', 'maximo', 'minimo', 'volumen');
  await fc.assert(
    fc.asyncProperty(selection, cells, async (wanted, cell) => {
      const query = queryOf(wanted);
      const known = [...new Set(wanted.tickers.flatMap((one) => canonical(one) ?? []))];
      const long = await rowsOf(`${query}&forma=larga&campos=apertura,maximo,minimo`);
      const byDate = new Map<string, Map<string, unknown>>();
      for (const row of long) {
        const value = row[cell] ?? null;
        if (value === null) continue;
        const cellsOfDay = byDate.getOrInsertComputed(String(row['fecha']), () => new Map());
        cellsOfDay.set(String(row['especie']), value);
      }
      const expected = [...byDate.keys()].toSorted().map((fecha) => ({
        fecha,
        ...Object.fromEntries(known.map((one) => [one, byDate.get(fecha)?.get(one) ?? null])),
      }));
      const campo = cell === 'ultimo' ? '' : `&campo=${cell}`;
      const wide = await get(`${query}&forma=ancha${campo}`);
      assert.deepEqual(wide.json(), expected);
      for (const [style, delimiter] of [
        ['', ','],
        ['&decimal=coma', ';'],
      ] as const) {
        const { body } = await get(`${query}&forma=ancha${campo}&formato=csv${style}`);
        const parsed = Papa.parse<string[]>(body.trimEnd(), { delimiter });
        const text = (value: string | number | null | undefined) =>
          String(value ?? '').replace('.', delimiter === ';' ? ',' : '.');
        assert.deepEqual(parsed.data, [
          ['fecha', ...known],
          ...expected.map((row: Row) => [row['fecha'], ...known.map((one) => text(row[one]))]),
        ]);
      }
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 40) },
  );
});

const refusal = (query: string) => server.refusal(`/historicos?${query}`);

test('contract 4.2.14: as many rows as the limit are answered, and one more is refused with both numbers', async () => {
  // Each has 15 of the 20 days.
  const six = withCloses.slice(0, 6).map(encodeURIComponent).join();
  assert.equal((await rowsOf(`especie=${six}&forma=larga&${firstDays(20)}`)).length, rowsMax);
  await server.putCloses('NUEVA', [{ day: days[0] as EpochDay, close: 1, volume: 1 }]);
  for (const format of ['', '&formato=csv']) {
    assert.equal(
      await refusal(`especie=${six},NUEVA&forma=larga&${firstDays(20)}${format}`),
      'El pedido tiene 91 filas. Se admiten como máximo 90 por pedido: acortar el rango de fechas o pedir menos especies.',
    );
  }
});

/** The parameters of a range of the first days. */
function firstDays(count: number): string {
  return `desde=${dates[0]}&hasta=${dates[count - 1]}`;
}

test('contract 4.2.14: in ancha the limit counts the dates multiplied by the instruments, empty cells included', async () => {
  const five = 'GGAL,AL30,AAPL_US,BTC,MERVAL';
  assert.equal((await rowsOf(`especie=${five}&forma=ancha&${firstDays(18)}`)).length, 18);
  assert.equal(
    await refusal(`especie=${five}&forma=ancha&${firstDays(19)}`),
    'El pedido tiene al menos 95 valores (fechas por especies). Se admiten como máximo 90 por pedido: acortar el rango de fechas o pedir menos especies.',
  );
});

test('contract 4.2.1, 4.2.10: without forma, two tickers get 400 with the text of before, and panel and campo are ignored', async () => {
  assert.equal(
    await refusal(`especie=AL30,GD30&${november}`),
    'El parámetro «especie» tiene el valor «AL30,GD30». En /historicos se admite una sola especie por pedido, sin comas.',
  );
  const plain = await get(`especie=AL30&${november}`);
  for (const ignored of [
    'panel=LID',
    'panel=nada',
    'campo=x',
    'campo=%zz',
    'panel=LID&panel=GEN',
  ]) {
    const answer = await get(`especie=AL30&${november}&${ignored}`);
    assert.deepEqual([answer.body, answer.header('etag')], [plain.body, plain.header('etag')]);
  }
});

test('contract 4.2.10 to 4.2.12: each wrong value gets 400, and the text names it and what is valid', async () => {
  const listed = `especie=AL30,GD30&${november}`;
  for (const [query, text] of [
    [
      `${listed}&forma=ancha&campos=maximo`,
      'El parámetro «campos» no se admite con «forma=ancha». Con esa forma, enviar «campo».',
    ],
    [
      `${listed}&forma=larga&campo=maximo`,
      'El parámetro «campo» no se admite con «forma=larga». Con esa forma, enviar «campos».',
    ],
    [
      `forma=larga&${november}`,
      'Falta la selección. Enviar al menos uno de los parámetros «especie» y «panel».',
    ],
    [
      `especie=${'A,'.repeat(31)}&forma=larga&${november}`,
      'El parámetro «especie» tiene 31 especies. Se admiten como máximo 30 por pedido.',
    ],
  ] as const) {
    assert.equal(await refusal(query), text, query);
  }
});

test('contract 4.5.4: a joined response has an ETag, which changes with a close of any of its instruments', async () => {
  for (const form of ['larga', 'ancha']) {
    const query = `especie=GGAL,COME,NADA&forma=${form}&${november}`;
    const before = await get(query);
    const tag = before.header('etag') ?? '';
    const again = await get(query, { 'if-none-match': tag });
    assert.deepEqual([again.status, again.header('missing-especies')], [304, 'NADA']);
    await server.putCloses('AL30', closesOf(2));
    assert.equal((await get(query)).header('etag'), tag);
    const close = form === 'larga' ? 90.5 : 91.5;
    await server.putCloses('COME', [{ day: days[14] as EpochDay, close, volume: 1 }]);
    const changed = await get(query, { 'if-none-match': tag });
    assert.equal(changed.status, 200);
    assert.match(changed.body, new RegExp(`:${close}[,}]`));
  }
});

test('contract 4.2.9, 4.2.14: a joined response follows the corporate actions, and a session that reaches an ex date', async () => {
  const query = `especie=NUEVA,COME&forma=ancha&ajuste=splits&desde=${dates[0]}&hasta=2026-11-30`;
  const closes = async () => (await rowsOf(query)).map((row) => row['NUEVA']);
  await server.putCloses('NUEVA', [{ day: days[0] as EpochDay, close: 100, volume: 1 }]);
  assert.equal((await closes())[0], 100);
  const before = actions;
  actions = new CorporateActions([
    action('NUEVA', '2026-11-10', { type: 'split', factor: 2 }),
    action('NUEVA', '2026-11-24', { type: 'split', factor: 4 }),
  ]);
  server.revisions.increase(actions.changedSince(before));
  // The last close is before both ex dates, and there is no quote.
  assert.equal((await closes())[0], 100);
  for (const [version, sessionDate, close] of [
    [1_000, '2026-11-20', 50],
    [1_001, '2026-11-24', 12.5],
  ] as const) {
    const quote = makeQuote(sampleUniverse.get('NUEVA' as Ticker), {
      version,
      session: { sessionDate: sessionDate as PlainDate, last: 26, volume: 1 },
      references: {},
    });
    server.board.adopt([quote]);
    assert.equal((await closes())[0], close, sessionDate);
  }
});
