import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { Board } from '../../../src/board/board.ts';
import { IndexSeries } from '../../../src/domain/indices/index-series.ts';
import type { PanelCode } from '../../../src/domain/instruments/panel.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import { makeQuote } from '../../../src/domain/quotes/quote.ts';
import { contractPaths } from '../../support/http/contract-paths.ts';
import { startTestServer, testNow } from '../../support/http/start-test-server.ts';
import { barAt } from '../../support/market/bar-samples.ts';
import { al30 } from '../../support/market/bond-samples.ts';
import { closeOn } from '../../support/market/close-on.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { day, startUdfServer } from '../udf/udf-market.ts';
import { fieldsIn } from '../../support/fields-in.ts';

/** Contract 4.17. The allowed values are those of OpenBB's `widgets-json-reference.md`. */
const universe = makeUniverse(
  [
    { ticker: 'GGAL', name: 'Grupo Financiero Galicia', panels: ['LID', 'LIDGEN'] },
    { ticker: 'YPFD', panels: ['LID', 'LIDGEN'] },
    { ticker: 'AL30', kind: 'bond', panels: ['BONOS', 'BON'] },
    { ticker: 'AL30D', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'mep'] },
    { ticker: 'AL30C', kind: 'bond', currency: 'USD', dollarClass: ['AL30', 'cable'] },
    { ticker: 'DOLAR MEP', kind: 'exchange-rate', panels: ['IND'] },
    { ticker: 'RIESGO PAIS', kind: 'country-risk', panels: ['IND'] },
  ],
  [al30],
);
const today = '2026-11-20' as PlainDate;
const indices = new IndexSeries(1, [
  { index: 'CER', day: day(today), value: 754.9, source: 'test' },
]);
const board = new Board(universe);
const udf = await startUdfServer({ board, indices: () => indices });
after(() => udf[Symbol.asyncDispose]());
await fill();

async function fill(): Promise<void> {
  const prices = { open: 7330, high: 7450, low: 7275 };
  await udf.put('GGAL', [{ day: day('2026-11-19'), ...prices, close: 7310, volume: 5 }]);
  await udf.put('DOLAR MEP', [{ day: day('2026-11-19'), close: 1490, volume: null }]);
  await udf.put('AL30', [{ day: day('2026-11-19'), close: 91_000, volume: 5 }]);
  await udf.record('GGAL', [barAt(today, '11:00', [7330, 7400, 7275, 7380], 10)]);
  const one = { ticker: 'GGAL' as Ticker, source: 'test' };
  udf.adopt([
    { ...one, type: 'split', exDay: day('2024-05-02'), factor: 10 },
    { ...one, type: 'cash-dividend', exDay: day('2025-05-02'), amount: 55, currency: 'ARS' },
    { ...one, type: 'ticker-change', exDay: day('2026-05-04'), newTicker: 'GGALX' as Ticker },
  ]);
  const asOf = Date.parse(`${today}T19:59:58Z`);
  const references = {
    previous: closeOn('2026-11-19', 7310),
    monthBase: closeOn('2026-10-30', 7110),
    yearBase: closeOn('2025-12-30', 6565),
  };
  let version = 0;
  const show = (ticker: string, last: number): void => {
    version += 1;
    const book = { at: asOf, bid: last, ask: last, amount: last * 10 };
    const session = { sessionDate: today, asOf, last, ...prices, volume: 10, book } as const;
    const instrument = universe.get(ticker as Ticker);
    board.adopt([makeQuote(instrument, { version, session, references })]);
  };
  show('GGAL', 7410);
  show('AL30', 91_250);
  show('AL30D', 61);
  show('AL30C', 60);
  show('DOLAR MEP', 1500);
  show('RIESGO PAIS', 573);
}

interface Param {
  readonly paramName: string;
  readonly type: string;
  readonly value: string;
  readonly label: string;
  readonly description: string;
  readonly options?: readonly Option[];
  readonly optionsEndpoint?: string;
}

interface Option {
  readonly label: string;
  readonly value: string;
}

interface Column {
  readonly field: string;
  readonly headerName: string;
  readonly cellDataType: string;
  readonly formatterFn?: string;
  readonly renderFn?: string;
  readonly chartDataType?: string;
}

interface Widget {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly endpoint: string;
  readonly gridData: { readonly w: number; readonly h: number };
  readonly refetchInterval?: number;
  readonly params?: readonly Param[];
  readonly data: { readonly table?: { readonly columnsDefs: readonly Column[] } };
}

type Widgets = Readonly<Record<string, Widget>>;
type Row = Readonly<Record<string, unknown>>;

const widgets = (await udf.server.get('/widgets.json')).json() as Widgets;

/** The widgets that are tables, with their parameters and columns. */
const tables = Object.entries(widgets).flatMap(([id, widget]) => {
  const columns = widget.data.table?.columnsDefs;
  return columns === undefined ? [] : [{ id, widget, columns, params: widget.params ?? [] }];
});

/** The value of a parameter as Workspace sends it: with the day of the user in place of `$currentDate`. */
function resolve(value: string): string {
  const [whole, sign, count, unit] = /^\$currentDate(?:([+-])(\d+)([dwMy]))?$/.exec(value) ?? [];
  if (whole === undefined) return value;
  const date = new Date(testNow);
  const amount = Number(`${sign ?? '+'}${count ?? 0}`);
  if (unit === 'y') date.setUTCFullYear(date.getUTCFullYear() + amount);
  else if (unit === 'M') date.setUTCMonth(date.getUTCMonth() + amount);
  else date.setUTCDate(date.getUTCDate() + amount * (unit === 'w' ? 7 : 1));
  return date.toISOString().slice(0, 10);
}

/** The rows of a widget, with the defaults of its parameters unless they are given. */
async function rowsOf(
  { endpoint, params = [] }: Widget,
  chosen: Readonly<Record<string, string>> = {},
): Promise<readonly Row[]> {
  const query = new URLSearchParams(
    params.map(({ paramName, value }) => [paramName, chosen[paramName] ?? resolve(value)]),
  );
  const answer = await udf.server.get(`/${endpoint}?${query.toString()}`);
  assert.equal(answer.status, 200, `${endpoint}?${query.toString()}`);
  return answer.json() as readonly Row[];
}

test('contract 4.17.1: every widget has the required keys, with values that Workspace allows', () => {
  assert.deepEqual(Object.keys(widgets), [
    'pizarra_panel',
    'pizarra_ranking',
    'pizarra_indicadores',
    'pizarra_historico',
    'pizarra_historico_moneda',
    'pizarra_intradia',
    'pizarra_eventos',
    'pizarra_grafico',
    'pizarra_dolares',
    'pizarra_dolar',
    'pizarra_bonos',
    'pizarra_historia_bono',
    'pizarra_flujos',
    'pizarra_indices',
  ]);
  const allowed = {
    type: ['table', 'advanced_charting'],
    cellDataType: ['text', 'number', 'boolean', 'date', 'dateString', 'object'],
    formatterFn: ['int', 'none', 'percent', 'normalized', 'normalizedPercent', 'dateToYear'],
    renderFn: [
      'greenRed',
      'titleCase',
      'hoverCard',
      'cellOnClick',
      'columnColor',
      'showCellChange',
    ],
    chartDataType: ['category', 'series', 'time', 'excluded'],
    paramType: ['date', 'text', 'ticker', 'number', 'boolean', 'endpoint', 'form', 'tabs'],
  };
  for (const [id, widget] of Object.entries(widgets)) {
    for (const text of [widget.name, widget.description, widget.endpoint]) assert.ok(text, id);
    assert.ok(allowed.type.includes(widget.type), id);
    const { w, h } = widget.gridData;
    assert.ok(w >= 10 && w <= 40 && h >= 4 && h <= 100, id);
    assert.ok(widget.refetchInterval === undefined || widget.refetchInterval >= 1000, id);
  }
  for (const { id, columns, params } of tables) {
    for (const column of columns) {
      const what = `${id} ${column.field}`;
      assert.ok(column.headerName, what);
      for (const key of ['cellDataType', 'formatterFn', 'renderFn', 'chartDataType'] as const) {
        const value = column[key];
        assert.ok(value === undefined || allowed[key].includes(value), `${what} ${key}`);
      }
    }
    for (const { paramName, type, label, description } of params) {
      assert.ok(allowed.paramType.includes(type), `${id} ${paramName}`);
      assert.ok(label && description, `${id} ${paramName}`);
    }
  }
});

test('contract 4.17.2: with its defaults, each widget gets flat rows that have the field of every column', async () => {
  for (const { id, widget, columns } of tables) {
    const rows = await rowsOf(widget);
    assert.ok(rows.length > 0, id);
    const fields = new Set(rows.flatMap((row) => Object.keys(row)));
    for (const { field } of columns) assert.ok(fields.has(field), `${id}: ${field}`);
    for (const [field, value] of rows.flatMap((row) => Object.entries(row)))
      assert.notEqual(value !== null && typeof value, 'object', `${id}: ${field}`);
  }
  const chart = widgets['pizarra_grafico'] ?? assert.fail();
  assert.equal((await udf.server.get(`${chart.endpoint}/config`)).status, 200);
});

test('contract 4.17.2, 4.17.3: each value of each parameter is accepted', async () => {
  let tried = 0;
  for (const { widget, params } of tables) {
    for (const { paramName, options = [], optionsEndpoint } of params) {
      const found =
        optionsEndpoint === undefined
          ? options
          : ((await udf.server.get(`/${optionsEndpoint}`)).json() as readonly Option[]);
      for (const { value } of found) await rowsOf(widget, { [paramName]: value });
      tried += found.length;
    }
  }
  assert.ok(tried > 60, String(tried));
});

test('the values of a parameter are those of the contract, with the names of openapi.json', () => {
  let compared = 0;
  for (const { id, widget, params } of tables) {
    for (const { paramName, options } of params) {
      const { enum: values, 'x-enum-names': names } =
        contractPaths.find(({ path }) => path === `/${widget.endpoint}`)?.schemas[paramName] ?? {};
      if (options === undefined || values === undefined) continue;
      const offered = options.map(({ value }) => value);
      const what = `${id} ${paramName}`;
      if (paramName !== 'panel') assert.deepEqual(offered.toSorted(), values.toSorted(), what);
      for (const { label, value } of options) {
        assert.equal(label, names?.[value] ?? label, what);
        compared += names === undefined ? 0 : 1;
      }
    }
  }
  assert.ok(compared > 20, String(compared));
});

test('contract 4.17.4: a change is in percent only where all instruments are quoted in percent', () => {
  const formats = tables.flatMap(({ id, columns }) =>
    columns.filter(({ field }) => field === 'variacion').map((one) => [id, one.formatterFn]),
  );
  assert.deepEqual(formats, [
    ['pizarra_panel', 'percent'],
    ['pizarra_ranking', 'percent'],
    ['pizarra_indicadores', 'none'],
  ]);
});

interface App {
  readonly tabs: Readonly<
    Record<string, { readonly id: string; readonly layout: readonly Place[] }>
  >;
  readonly groups: readonly {
    readonly name: string;
    readonly paramName: string;
    readonly defaultValue: string;
    readonly widgetIds: readonly string[];
  }[];
}

interface Place {
  readonly i: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly groups: readonly string[];
}

test('contract 4.17: the app shows each widget once, within the grid and without overlaps, and names only what exists', async () => {
  const apps = (await udf.server.get('/apps.json')).json() as readonly App[];
  assert.equal(apps.length, 1);
  const { tabs, groups } = apps[0] ?? assert.fail();
  const places = Object.values(tabs).flatMap(({ layout }) => layout);
  assert.deepEqual(places.map(({ i }) => i).toSorted(), Object.keys(widgets).toSorted());
  for (const [id, tab] of Object.entries(tabs)) {
    assert.equal(tab.id, id);
    for (const [at, a] of tab.layout.entries()) {
      assert.ok(a.x >= 0 && a.y >= 0 && a.x + a.w <= 40, a.i);
      for (const b of tab.layout.slice(at + 1)) {
        const isApart =
          a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
        assert.ok(isApart, `${a.i} covers ${b.i}`);
      }
    }
  }
  for (const { i, groups: named } of places) {
    const holding = groups.filter(({ widgetIds }) => widgetIds.includes(i));
    assert.deepEqual(
      named,
      holding.map(({ name }) => name),
    );
  }
  for (const { name, paramName, defaultValue, widgetIds } of groups) {
    const members = widgetIds.map((id) => widgets[id] ?? assert.fail(`${name}: ${id}`));
    const sharing = members.flatMap(({ params = [] }) =>
      params.filter((one) => one.paramName === paramName),
    );
    assert.ok(sharing.length > 0, name);
    for (const { value } of sharing) assert.equal(value, defaultValue);
  }
});

test('contract 4.17.5: the options of a ticker are the instruments of the universe, or those of a panel', async () => {
  const path = '/widgets/especies.json';
  const all = (await udf.server.get(path)).json() as readonly Option[];
  assert.deepEqual(
    fieldsIn(all, 'value'),
    universe.instruments.map(({ ticker }) => ticker),
  );
  assert.deepEqual((await udf.server.get(`${path}?panel=LID`)).json(), [
    { label: 'GGAL · Grupo Financiero Galicia', value: 'GGAL' },
    { label: 'YPFD', value: 'YPFD' },
  ]);
  const refused = await udf.server.get(`${path}?panel=lid`);
  assert.equal(refused.status, 400);
  assert.match(refused.body, /«lid».*LID, GEN/);
});

/** A board of one instrument in some panels. */
function boardWith(...panels: readonly PanelCode[]): Board {
  return new Board(makeUniverse([{ ticker: 'COME', panels }]));
}

test('contract 4.17.3, 4.17.6: after a change of the universe the options are the new ones, and the ETag is another', async () => {
  await using before = await startTestServer({ board: boardWith('GEN') });
  await using next = await startTestServer({ board: boardWith('GEN', 'CED') });
  const read = async () => {
    const answer = await before.get('/widgets.json');
    const { pizarra_panel: panel } = answer.json() as Widgets;
    return { etag: answer.header('etag'), options: panel?.params?.[0]?.options };
  };
  const first = await read();
  assert.deepEqual(first.options, [{ label: 'Panel general', value: 'GEN' }]);
  assert.deepEqual(await read(), first);
  await before.server.handOver(next.server);
  const authorization = `Bearer ${next.key}`;
  const answer = await before.get('/widgets.json', { authorization });
  const { pizarra_panel: panel } = answer.json() as Widgets;
  assert.deepEqual(panel?.params?.[0]?.options, [
    { label: 'Panel general', value: 'GEN' },
    { label: 'CEDEARs', value: 'CED' },
  ]);
  assert.notEqual(answer.header('etag'), first.etag);
});

test('contract 4.17: the paths need a key, and no client of Pizarra requests them', () => {
  const own = ['/widgets.json', '/apps.json', '/widgets/especies.json'];
  assert.deepEqual(
    contractPaths
      .filter(({ path }) => own.includes(path))
      .map((one) => [one.path, one.needsKey, one.hasTag, one.hasClient]),
    own.map((path) => [path, true, true, false]),
  );
});
