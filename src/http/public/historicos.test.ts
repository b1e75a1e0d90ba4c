import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { nobody, testAnswering } from '../../../test/support/http/answering.ts';
import { clockAt } from '../../../test/support/market/clock-at.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { Board } from '../../board/board.ts';
import { historyRows, historyTable } from '../../contract/paths/historicos.ts';
import { fromEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import { CorporateActions, noActions } from '../../domain/history/corporate-actions.ts';
import { rowsInRange, type BarSeries, type CloseSeries } from '../../domain/history/daily-close.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import type { TableFormat } from '../../contract/table-format.ts';
import { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { HistoryRevisions } from '../../store/contract/history-store.ts';
import type { Content } from '../content/content.ts';
import { historicos } from './historicos.ts';
import { noPayments } from '../../../test/support/market/no-payments.ts';

const universe = makeUniverse(['A', 'B', 'C'].map((ticker) => ({ ticker })));
const [a, b, c] = ['A', 'B', 'C'] as Ticker[] as [Ticker, Ticker, Ticker];
const range = 'desde=1970-01-01&hasta=1979-12-31';
const one = `especie=A&${range}`;
const both = `especie=A,B&forma=larga&${range}`;

/** A history of so many rows, the close of which is the number of the read. */
class CountedHistory {
  reads = 0;
  readsOfBars = 0;
  rows = 1;

  readonly readSeries = async (): Promise<CloseSeries> => {
    this.reads += 1;
    const close = this.reads;
    return {
      days: Int32Array.from({ length: this.rows }, (_, row) => row),
      closes: new Float64Array(this.rows).fill(close),
      volumes: new Float64Array(this.rows).fill(Number.NaN),
    };
  };

  readonly readBars = async (): Promise<BarSeries> => {
    this.readsOfBars += 1;
    const series = await this.readSeries();
    const opens = series.closes.map((close) => close + 0.5);
    return { ...series, opens, highs: opens, lows: opens };
  };

  readonly countCloses = async (tickers: readonly Ticker[]): Promise<readonly number[]> =>
    tickers.map(() => this.rows);
}

function start(
  options: {
    readonly actions?: readonly CorporateAction[];
    readonly rowsMax?: number;
    readonly history?: Pick<CountedHistory, 'readSeries' | 'readBars' | 'countCloses'>;
  } = {},
) {
  const history = new CountedHistory();
  const revisions = new HistoryRevisions();
  const state = {
    now: 0,
    day: undefined as number | undefined,
    actions: options.actions === undefined ? noActions : new CorporateActions(options.actions),
  };
  const { rowsMax = 10 } = options;
  const source = historicos(
    {
      history: options.history ?? history,
      payments: noPayments,
      actions: () => state.actions,
      sessionDay: () => state.day as EpochDay | undefined,
      board: new Board(universe),
      known: undefined as never,
      revisions,
      instants: new InstantTexts(universe),
      rowsMax,
    },
    testAnswering({ clock: clockAt(() => state.now) }),
  );
  const find = (query: string, format: TableFormat = 'json') => source.find(query, format, nobody);
  return {
    history,
    revisions,
    state,
    find,
    textOf: async (query: string, format?: TableFormat) => bodyOf(await find(query, format)),
    /** Whether a response is given without a read. */
    has: (query: string, format?: TableFormat) => !(find(query, format) instanceof Promise),
  };
}

function bodyOf(found: Parsed<Content>): string {
  assert.ok(found.ok);
  const parts = found.value.body.pick(['identity'])?.parts ?? [];
  return Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1'))).toString();
}

function closesIn(body: string): readonly number[] {
  return (JSON.parse(body) as { readonly ultimo: number }[]).map(({ ultimo }) => ultimo);
}

function splitOn(exDay: number, factor: number): CorporateAction {
  return { type: 'split', ticker: a, exDay: exDay as EpochDay, factor, source: 'test' };
}

test('a series is read once for all its ranges, also for those that wait for it', async () => {
  const { history, find, has } = start();
  history.rows = 30;
  const queries = ['desde=1970-01-01', 'desde=1970-01-03', 'desde=1970-01-08'].map(
    (from) => `especie=A&${from}&hasta=1970-01-20`,
  );
  const found = await Promise.all([...queries, ...queries].map(async (query) => find(query)));
  assert.equal(history.reads, 1);
  assert.deepEqual(
    found.map((content) => closesIn(bodyOf(content)).length),
    [20, 18, 13, 20, 18, 13],
  );
  assert.ok(has('especie=A&desde=1970-01-05&hasta=1970-01-06'));
  assert.equal(history.reads, 1);
});

const aDay = fc.integer({ min: 19_000, max: 19_200 });
const aSeries = fc
  .uniqueArray(
    fc.tuple(aDay, fc.double({ min: 0.01, max: 1e7, noNaN: true }), fc.option(fc.nat())),
    { selector: ([day]) => day, maxLength: 120 },
  )
  .map((rows): CloseSeries => {
    const ascending = rows.toSorted(([x], [y]) => x - y);
    return {
      days: Int32Array.from(ascending, ([day]) => day),
      closes: Float64Array.from(ascending, ([, close]) => close),
      volumes: Float64Array.from(ascending, ([, , volume]) => volume ?? Number.NaN),
    };
  });

test('contract 4.2.2: a range of a series is what rendering its rows alone gives', async () => {
  const aFormat = fc.constantFrom<TableFormat>('json', 'csv', 'csv-comma');
  const ranges = fc.array(fc.tuple(aDay, aDay), { maxLength: 5 });
  const instrument = universe.get(a);
  await fc.assert(
    fc.asyncProperty(aSeries, aFormat, ranges, async (series, format, all) => {
      const readSeries = async () => series;
      const { textOf } = start({
        history: { readSeries, readBars: undefined as never, countCloses: undefined as never },
      });
      for (const [x, y] of all) {
        const [from, to] = [Math.min(x, y), Math.max(x, y)] as [EpochDay, EpochDay];
        const { rows } = rowsInRange(series, { from, to });
        const expected = historyTable()
          .with([])
          .render([...historyRows(instrument, rows)], format);
        const query = `especie=A&desde=${fromEpochDay(from)}&hasta=${fromEpochDay(to)}`;
        assert.equal(await textOf(query, format), expected);
      }
    }),
  );
});

test('a range is compressed when it is requested for the second time', async () => {
  const { history, find } = start();
  history.rows = 200;
  await find(one);
  const query = 'especie=A&desde=1970-01-01&hasta=1970-06-30';
  const etagOf = async (): Promise<string> => {
    const found = await find(query);
    assert.ok(found.ok);
    return found.value.body.pick(['gzip', 'identity'])?.etag ?? '';
  };
  assert.doesNotMatch(await etagOf(), /gzip/);
  assert.match(await etagOf(), /gzip/);
});

for (const [name, query] of [
  ['of one instrument', one],
  ['of several instruments', both],
] as const) {
  test(`a response ${name} is read again after a change of its instruments in every format, and of no others`, async () => {
    const { revisions, find, has } = start();
    await Promise.all([find(query), find(query, 'csv'), find(`especie=C&${range}`)]);
    revisions.increase([c]);
    assert.ok(has(query) && has(query, 'csv'));
    assert.ok(!has(`especie=C&${range}`));
    revisions.increase([c, a]);
    assert.ok(!has(query) && !has(query, 'csv'));
  });
}

test('contract 4.2.14: a long table that is too large is refused without reading a row, once', async () => {
  const { history, find } = start({ rowsMax: 1 });
  const problem = { type: 'rows-too-many', count: 2, max: 1 };
  assert.deepEqual(await find(both), { ok: false, problem });
  assert.deepEqual(find(both), { ok: false, problem });
  assert.equal(history.reads, 0);
});

test('contract 4.2.14: the size of a wide table is its dates multiplied by its instruments', async () => {
  const query = `especie=A,B,C&forma=ancha&${range}`;
  const { history, find } = start({ rowsMax: 14 });
  history.rows = 5;
  assert.deepEqual(await find(query), {
    ok: false,
    problem: { type: 'cells-too-many', count: 15, max: 14 },
  });
  assert.equal(history.reads, 1, 'the reading ends as soon as the table is too large');
  const { textOf, history: larger } = start({ rowsMax: 15 });
  larger.rows = 5;
  assert.equal((JSON.parse(await textOf(query)) as unknown[]).length, 5);
});

test('a large wide table is rendered in several turns', async () => {
  const { history, find } = start({ rowsMax: 1e6 });
  history.rows = 3_500;
  const query = `especie=A,B,C&forma=ancha&${range}`;
  let turns = 0;
  let isReading = true;
  const count = (): void => {
    turns += 1;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  const found = await find(query);
  isReading = false;
  const rows = JSON.parse(bodyOf(found)) as readonly { readonly C: number }[];
  assert.equal(rows.length, 3_500);
  assert.ok(rows.every(({ C }) => C === 3));
  assert.ok(turns >= 3 + 3, `${turns} turns`);
});

test('each form of a series is read and kept by itself, and a change drops all of them', async () => {
  const { history, revisions, find, has, textOf } = start({ actions: [splitOn(1, 2)] });
  history.rows = 2;
  const forms: readonly (readonly [string, TableFormat])[] = [
    ['', 'json'],
    ['', 'csv'],
    ['&ajuste=splits', 'json'],
    ['&ajuste=total', 'json'],
    ['&ajuste=splits', 'csv'],
    ['&campos=apertura', 'json'],
    ['&campos=apertura,minimo', 'json'],
    ['&ajuste=splits&campos=apertura', 'json'],
  ];
  for (const [further, format] of forms) await find(one + further, format);
  assert.equal(history.reads, forms.length);
  assert.equal(history.readsOfBars, 3);
  assert.ok(forms.every(([further, format]) => has(one + further, format)));
  assert.match(
    await textOf(`${one}&ajuste=splits&campos=apertura`),
    /^\[\{"especie":"A","fecha":"1970-01-01","ultimo":4,"apertura":4.25,/,
  );
  revisions.increase([a]);
  assert.ok(!forms.some(([further, format]) => has(one + further, format)));
});

test('an adjusted series of an instrument without actions is the unadjusted one', async () => {
  const { history, find, has } = start({ actions: [{ ...splitOn(1, 2), ticker: b }] });
  await find(one);
  assert.ok(has(`${one}&ajuste=total`) && has(`${one}&ajuste=splits`));
  assert.equal(history.reads, 1);
});

test('actions that come while a series is read do not adjust it for those who requested it unadjusted', async () => {
  const { history, revisions, state, find, textOf } = start();
  history.rows = 2;
  const adjusted = find(`${one}&ajuste=splits`);
  const plain = find(one);
  state.actions = new CorporateActions([splitOn(1, 2)]);
  revisions.increase([a]);
  assert.deepEqual(closesIn(bodyOf(await plain)), [1, 1]);
  assert.deepEqual(closesIn(bodyOf(await adjusted)), [1, 1]);
  assert.deepEqual(closesIn(await textOf(`${one}&ajuste=splits`)), [1, 2]);
});

for (const [name, list] of [
  ['of one instrument', one],
  ['of several instruments', `especie=A&forma=larga&${range}`],
] as const) {
  const query = `${list}&ajuste=splits`;

  test(`contract 4.2.6: adjusted closes ${name} are on the basis of the session of the quote, from its first quote on`, async () => {
    const { history, state, has, textOf } = start({ actions: [splitOn(5, 2), splitOn(7, 10)] });
    history.rows = 3;
    assert.deepEqual(closesIn(await textOf(query)), [1, 1, 1]);
    for (const before of [undefined, 1, 4]) {
      state.day = before;
      assert.ok(has(query), `${before}`);
    }
    state.day = 5;
    assert.ok(!has(query));
    assert.deepEqual(closesIn(await textOf(query)), [1, 1, 1]);
    assert.equal(history.reads, 2);
    state.day = 6;
    assert.ok(has(query));
    state.day = 7;
    assert.ok(!has(query));
    assert.deepEqual(closesIn(await textOf(query)), [0.15, 0.15, 0.15]);
    state.day = 99;
    assert.ok(has(query));
  });

  test(`contract 4.2.6: the basis ${name} is the last close if the quote is of an earlier session`, async () => {
    const { history, state, textOf } = start({ actions: [splitOn(2, 4)] });
    history.rows = 3;
    state.day = 1;
    assert.deepEqual(closesIn(await textOf(query)), [0.25, 0.25, 1]);
  });
}

test('contract 4.2.3: the response for an unknown instrument is from memory, and has the header of its fields', async () => {
  const { history, find, has, textOf } = start();
  const query = `especie=Z&campos=apertura,minimo&${range}`;
  assert.equal(await textOf(query), '[]');
  assert.equal(await textOf(query, 'csv'), 'especie,fecha,ultimo,apertura,minimo,volumen\r\n');
  assert.ok(has(query));
  assert.equal(history.reads, 0);
  const found = await find(query);
  assert.deepEqual(found.ok && found.value.fields.list, ['missing-especies', 'Z']);
});
