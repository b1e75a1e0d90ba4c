import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import type { DailyClose } from '../../../src/domain/history/daily-close.ts';
import type { Bar } from '../../../src/domain/quotes/minute-bar.ts';
import { barAt } from '../../support/market/bar-samples.ts';
import { sampleUniverse } from '../../support/market/sample-market.ts';
import { day, dayTime, startUdfServer, type History } from './udf-market.ts';

/** Contract 4.15.7 and 4.15.8. */
const udf = await startUdfServer();
after(() => udf[Symbol.asyncDispose]());

const now = dayTime('2026-11-21');

function close(date: string, value: number, more: Partial<DailyClose> = {}): DailyClose {
  return { day: day(date), close: value, volume: null, ...more };
}

/** The rows of `/historicos` as dates with closes. */
async function closesOf(ticker: string): Promise<readonly (readonly [number, number])[]> {
  const answer = await udf.server.get(
    `/historicos?especie=${encodeURIComponent(ticker)}&desde=1990-01-01&hasta=2026-12-31&ajuste=splits`,
  );
  const rows = answer.json() as readonly { readonly fecha: string; readonly ultimo: number }[];
  return rows.map(({ fecha, ultimo }) => [dayTime(fecha), ultimo]);
}

function pairs({ t, c }: History): readonly (readonly [number, number])[] {
  return t.map((time, index) => [time, c[index] ?? Number.NaN]);
}

await udf.put('YPFD', [
  close('2026-11-12', 80_000, { open: 81_000, high: 82_500, low: 79_750.5, volume: 300 }),
  // A high below the close and a low above it, as some sources report.
  close('2026-11-13', 81_000, { open: 80_500, high: 80_900, low: 80_700, volume: 200 }),
  close('2026-11-16', 8_150, { high: 8_300 }),
  close('2026-11-17', 8_200, { open: 8_150, high: 8_250, low: 8_100, volume: 5_000.5 }),
]);
udf.adopt([
  { type: 'split', ticker: 'YPFD' as never, exDay: day('2026-11-16'), factor: 10, source: 'test' },
]);
udf.show('YPFD', {
  date: '2026-11-20',
  last: 8_340.5,
  open: 8_290,
  high: 8_355,
  low: 8_270,
  volume: 9,
});

test('contract 4.15.7 and 4.15.8: daily bars are the closes adjusted for splits, then the session of the quote, without nulls', async () => {
  assert.deepEqual(await udf.history(`symbol=ypfd&resolution=1D&from=0&to=${now}`), {
    s: 'ok',
    t: ['2026-11-12', '2026-11-13', '2026-11-16', '2026-11-17', '2026-11-20'].map(dayTime),
    o: [8_100, 8_050, 8_150, 8_150, 8_290],
    h: [8_250, 8_100, 8_300, 8_250, 8_355],
    l: [7_975.05, 8_050, 8_150, 8_100, 8_270],
    c: [8_000, 8_100, 8_150, 8_200, 8_340.5],
    v: [3_000, 2_000, 0, 5_000.5, 9],
  });
  assert.deepEqual(
    await udf.history(`symbol=BYMA:YPFD&resolution=D&from=0&to=${now}`),
    await udf.history(`symbol=YPFD&resolution=1D&from=0&to=${now}`),
  );
});

test('contract 4.15.7: countback gives the last bars before `to`, whatever `from`; a bar that starts at `to` is absent', async () => {
  const times = (await udf.history(`symbol=YPFD&resolution=1D&from=0&to=${now}`)).t;
  for (let count = 1; count <= 7; count += 1) {
    for (const [index, to] of times.entries()) {
      const body = await udf.history(
        `symbol=YPFD&resolution=1D&countback=${count}&from=${now}&to=${to}`,
      );
      const expected = times.slice(Math.max(0, index - count), index);
      assert.deepEqual(index === 0 ? body : body.t, index === 0 ? { s: 'no_data' } : expected);
    }
  }
});

/** 00:00 UTC of dates, in seconds. */
function startsOf(dates: readonly string[]): readonly number[] {
  return dates.map(dayTime);
}

/** The starts of the daily bars of YPFD between two dates. */
async function timesOf(from: string, to: string): Promise<readonly number[]> {
  return (await udf.history(`symbol=YPFD&resolution=1D&from=${dayTime(from)}&to=${dayTime(to)}`)).t;
}

test('contract 4.15.7: without countback the bars start at `from`, and there are at least two where they exist', async () => {
  assert.deepEqual(
    await timesOf('2026-11-13', '2026-11-17'),
    startsOf(['2026-11-13', '2026-11-16']),
  );
  assert.deepEqual(
    await timesOf('2026-11-17', '2026-11-18'),
    startsOf(['2026-11-16', '2026-11-17']),
  );
  assert.deepEqual(
    await timesOf('2026-11-18', '2026-11-19'),
    startsOf(['2026-11-16', '2026-11-17']),
  );
  assert.deepEqual(await timesOf('2026-11-19', '2026-11-13'), startsOf(['2026-11-12']));
});

test('contract 4.15.7: paging backwards gives every bar once, and ends with no_data without nextTime', async () => {
  const closes = Array.from({ length: 173 }, (_, index) => ({
    day: (day('2026-05-01') + index) as DailyClose['day'],
    close: 100 + index,
    volume: index,
  }));
  await udf.put('COME', closes);
  const pages: (readonly (readonly [number, number])[])[] = [];
  let to = now;
  let ended = false;
  // One request more than there are pages, for `no_data`.
  for (let request = 0; request < 5; request += 1) {
    const answer = await udf.server.get(
      `/udf/history?symbol=COME&resolution=1D&countback=50&from=0&to=${to}`,
    );
    assert.doesNotMatch(answer.body, /nextTime/);
    const body = answer.json() as History;
    ended = body.s === 'no_data';
    if (body.s === 'no_data') break;
    pages.unshift(pairs(body));
    to = body.t[0] ?? assert.fail('an empty page');
  }
  assert.ok(ended);
  assert.equal(pages.length, 4);
  const session = [dayTime('2026-11-20'), 88.35] as const;
  assert.deepEqual(pages.flat(), [...(await closesOf('COME')), session]);
});

test('contract 4.15.7: the bar of the session is the quote until the session is a close, and then there is still one of that date', async () => {
  const last = async (): Promise<unknown> => {
    const { t, c } = await udf.history(`symbol=GD30&resolution=1D&countback=5&from=0&to=${now}`);
    return [t.length, t.at(-1), c.at(-1)];
  };
  await udf.put('GD30', [close('2026-11-19', 93_000.5)]);
  assert.deepEqual(await last(), [2, dayTime('2026-11-20'), 93_100]);
  udf.show('GD30', { date: '2026-11-20', last: 93_200 });
  assert.deepEqual(await last(), [2, dayTime('2026-11-20'), 93_200]);
  await udf.put('GD30', [close('2026-11-20', 93_210)]);
  assert.deepEqual(await last(), [2, dayTime('2026-11-20'), 93_210]);
});

test('contract 4.15.7: the series is on the basis of the quote as soon as its session is that of a split', async () => {
  await udf.put('AAPL', [close('2026-11-19', 22_000)]);
  const split = { type: 'split', ticker: 'AAPL' as never, factor: 4, source: 'test' } as const;
  udf.adopt([{ ...split, exDay: day('2026-11-23') }]);
  const closes = async (): Promise<unknown> =>
    (await udf.history(`symbol=AAPL&resolution=1D&countback=9&from=0&to=${now * 2}`)).c;
  udf.show('AAPL', { date: '2026-11-20', last: 21_900, volume: 1 });
  assert.deepEqual(await closes(), [22_000, 21_900]);
  udf.show('AAPL', { date: '2026-11-23', last: 5_450, volume: 1 });
  assert.deepEqual(await closes(), [5_500, 5_450]);
});

test('contract 4.15.8: an instrument with closes only has t and c, and one without volume has no v', async () => {
  await udf.put('DOLAR/EURO', [close('2026-11-18', 1.15), close('2026-11-19', 1.16)]);
  assert.deepEqual(
    await udf.history(`symbol=DOLAR/EURO&resolution=1D&from=0&to=${dayTime('2026-11-20')}`),
    { s: 'ok', t: ['2026-11-18', '2026-11-19'].map(dayTime), c: [1.15, 1.16] },
  );
  udf.show('DOLAR MEP', { date: '2026-11-20', last: 1_502.35, open: 1_500 });
  assert.deepEqual(await udf.history(`symbol=DOLAR+MEP&resolution=1D&from=0&to=${now}`), {
    s: 'ok',
    t: [dayTime('2026-11-20')],
    o: [1_500],
    h: [1_502.35],
    l: [1_500],
    c: [1_502.35],
  });
});

test('contract 4.15.7: bars within sessions start at the instant of their fecha and hora, on both sides of a US clock change', async () => {
  const bars = [
    // The clocks of New York went back on 1 November 2026.
    barAt('2026-10-30', '10:31', [300, 301, 299, 300.5], 7),
    barAt('2026-11-02', '11:31', [302, 303, 301, 302.5], 8),
    barAt('2026-11-20', '11:36', [310, 311, 309, 310.5], 9),
  ];
  await udf.record('AAPL_US', bars);
  for (const resolution of ['1', '5', '15', '60']) {
    const body = await udf.history(`symbol=AAPL_US&resolution=${resolution}&from=0&to=${now}`);
    const answer = await udf.server.get(
      `/intradiarios?especie=AAPL_US&desde=2026-01-01&hasta=2026-12-31&intervalo=${resolution}m`,
    );
    const rows = answer.json() as readonly Readonly<Record<string, string | number>>[];
    assert.equal(rows.length, 3);
    assert.deepEqual(body, {
      s: 'ok',
      t: rows.map(({ fecha, hora }) => Date.parse(`${fecha}T${hora}-03:00`) / 1000),
      o: rows.map(({ apertura }) => apertura),
      h: rows.map(({ maximo }) => maximo),
      l: rows.map(({ minimo }) => minimo),
      c: rows.map(({ ultimo }) => ultimo),
      v: rows.map(({ volumen }) => volumen),
    });
  }
});

/** A minute of one price. */
function at(time: string, price: number): Bar {
  return barAt('2026-11-20', time, [price, price, price, price], 1);
}

test('contract 4.15.7: the bar under way follows the quote, and a finished minute comes from the store', async () => {
  const closes = async (resolution: string): Promise<unknown> =>
    (await udf.history(`symbol=AL30&resolution=${resolution}&from=0&to=${now}`)).c;
  const show = (bar: Bar): void =>
    udf.show('AL30', { date: '2026-11-20', last: bar.last, volume: 1 }, { bar });
  await udf.record('AL30', [barAt('2026-11-19', '16:59', [1, 1, 1, 1], 1)]);
  show(at('10:31', 10));
  assert.deepEqual(
    [await closes('1'), await closes('5')],
    [
      [1, 10],
      [1, 10],
    ],
  );
  show(at('10:31', 11));
  assert.deepEqual(
    [await closes('1'), await closes('5')],
    [
      [1, 11],
      [1, 11],
    ],
  );
  await udf.record('AL30', [at('10:31', 12)]);
  show(at('10:32', 13));
  assert.deepEqual(
    [await closes('1'), await closes('5')],
    [
      [1, 12, 13],
      [1, 13],
    ],
  );
  await udf.record('AL30', [at('10:32', 14)]);
  show(barAt('2026-11-23', '10:30', [15, 15, 15, 15], 1));
  assert.deepEqual(
    (await udf.history(`symbol=AL30&resolution=5&from=0&to=${dayTime('2026-11-24')}`)).c,
    [1, 14, 15],
  );
});

test('contract 4.15.8: no response of any instrument and resolution has a null, columns have one length, t ascends, and the range contains open and close', async () => {
  for (const { ticker } of sampleUniverse.instruments) {
    for (const resolution of ['1', '5', '15', '60', 'D', '1D']) {
      const symbol = encodeURIComponent(ticker);
      const answer = await udf.server.get(
        `/udf/history?symbol=${symbol}&resolution=${resolution}&from=-999999999999&to=${now * 2}`,
      );
      assert.doesNotMatch(answer.body, /null|NaN|Infinity/);
      const { s, t, c, o = c, h = c, l = c, v = c } = answer.json() as History;
      if (s === 'no_data') continue;
      assert.deepEqual(
        new Set([t, o, h, l, c, v].map(({ length }) => length)),
        new Set([t.length]),
      );
      for (const [index, time] of t.entries()) {
        assert.ok(index === 0 || time > (t[index - 1] ?? Number.NaN), ticker);
        for (const column of [o, c]) {
          const value = column[index] ?? Number.NaN;
          assert.ok((l[index] ?? Number.NaN) <= value && value <= (h[index] ?? Number.NaN), ticker);
        }
      }
    }
  }
});

test('contract 4.15.7: more bars than the limit are 400 with both numbers, one less is not', async () => {
  const limits = { historyRowsMax: 4 };
  await using small = await startUdfServer({ limits });
  await small.put(
    'YPFD',
    [1, 2, 3, 4].map((one) => close(`2026-11-0${one}`, one)),
  );
  const ask = (query: string) =>
    small.server.get(`/udf/history?symbol=YPFD&resolution=1D&to=${now}&${query}`);
  assert.equal((await ask('countback=4')).status, 200);
  for (const query of ['from=0', 'countback=5']) {
    const refused = await ask(query);
    assert.equal(refused.status, 400);
    assert.match(refused.body, /"errmsg":"El pedido tiene 5 filas\. Se admiten como máximo 4 /);
  }
});

test('contract 4.15.11: the bars of an unknown symbol are the error that the library knows', async () => {
  const unknown = await udf.server.get('/udf/history?symbol=NO&resolution=1D&from=0&to=1');
  assert.equal(unknown.body, '{"s":"error","errmsg":"unknown_symbol"}');
});

test('contract 4.15.7: the instants within a day or a minute request the same bars', async () => {
  // The last of the minutes that a test before has recorded.
  const minute = Date.parse('2026-11-20T11:36:00-03:00') / 1000;
  for (const [query, length, start] of [
    ['symbol=YPFD&resolution=1D', 86_400, dayTime('2026-11-13')],
    ['symbol=AAPL_US&resolution=1', 60, minute],
  ] as const) {
    const between = (from: number, to: number) => udf.history(`${query}&from=${from}&to=${to}`);
    const whole = await between(start, start + length);
    assert.equal(whole.t.at(-1), start);
    assert.deepEqual(await between(start - length + 1, start + 1), whole);
    assert.notDeepEqual(await between(start - length + 1, start), whole);
  }
});

/** The starts of all bars of YPFD of a length. */
async function timesBy(resolution: string): Promise<unknown> {
  return (await udf.history(`symbol=YPFD&resolution=${resolution}&to=${now}&countback=20000`)).t;
}

test('contract 4.15.7: bars have 1, 5, 15 or 60 minutes, a day, a week or a month', async () => {
  for (const name of ['1', '5', '15', '60']) assert.equal(await timesBy(name), undefined, name);
  const days = ['2026-11-12', '2026-11-13', '2026-11-16', '2026-11-17', '2026-11-20'];
  for (const [names, starts] of [
    [['D', '1D'], days],
    [
      ['W', '1W'],
      ['2026-11-12', '2026-11-16'],
    ],
    [['M', '1M'], ['2026-11-12']],
  ] as const) {
    for (const name of names) assert.deepEqual(await timesBy(name), starts.map(dayTime), name);
  }
});

test('contract 4.15: a response has a tag that changes with its bars and with nothing else', async () => {
  const ask = (fields: Readonly<Record<string, string>> = {}, to = now) =>
    udf.server.get(`/udf/history?symbol=MERVAL&resolution=1D&countback=9&to=${to}`, {
      headers: fields,
    });
  const etag = (await ask()).header('etag') ?? assert.fail('no tag');
  udf.show('GGAL', { date: '2026-11-20', last: 7_411 });
  assert.equal((await ask({ 'if-none-match': etag }, now + 10)).status, 304);
  udf.show('MERVAL', { date: '2026-11-20', last: 2_310_451 });
  assert.equal((await ask({ 'if-none-match': etag })).status, 200);
});
