import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { indexNames } from '../../domain/indices/index-name.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { HistoryBatch } from '../contract/history-source.ts';
import { Secrets } from '../contract/secrets.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import { pizarraType } from './index.ts';

const tickers = Array.from({ length: 120 }, (_, at) => `T${at}`);
const universe = makeUniverse(['GONE', ...tickers].map((ticker) => ({ ticker })));

/** How the origin answers: its list, and a row for each ticker and day of a request. */
interface OriginOptions {
  /** Requests for more tickers get 400. */
  readonly tickersMax?: number;
  readonly rowsPerTicker?: number;
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly spelling?: (ticker: string) => string;
  /** The dates of the rows of each ticker, and of the values of each index. */
  readonly dates?: readonly string[];
  readonly actionsPerTicker?: number;
}

/** An origin, its requests without those for actions, and a source that follows it. */
async function rigOf(t: TestContext, options: OriginOptions = {}) {
  const { tickersMax = 500, rowsPerTicker = 1, spelling = (one: string) => one } = options;
  const { dates, actionsPerTicker = 1 } = options;
  const asked: string[] = [];
  const actionsOf: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    const list = url.searchParams.get('especie')?.split(',') ?? [];
    const send = (body: unknown, status = 200): void => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const type = typeof body === 'string' ? 'text/plain' : 'application/json';
      response.writeHead(status, { 'content-type': type, ...options.headers?.() }).end(text);
    };
    const { searchParams: query } = url;
    if (url.pathname === '/eventos' && list.length <= tickersMax) {
      actionsOf.push(`${list.length} ${query.get('forma') ?? '-'}`);
      const action = { fecha: '2026-01-05', tipo: 'split', factor: 2 };
      send(
        ['BEFORE', ...list].flatMap((especie) =>
          Array.from({ length: actionsPerTicker }, () => ({ especie, ...action })),
        ),
      );
      return;
    }
    const range = `${query.get('desde') ?? ''} ${query.get('hasta') ?? ''}`;
    asked.push(`${url.pathname} ${list.length} ${query.get('forma') ?? '-'} ${range}`.trim());
    if (url.pathname === '/especies.txt') send(tickers.map((one) => `${spelling(one)}\n`).join(''));
    else if (url.pathname === '/indices') {
      const indice = query.get('indice');
      send((dates ?? ['2026-12-02']).map((fecha) => ({ indice, fecha, valor: 712.5 })));
    } else if (list.length > tickersMax) send({ error: 'Son demasiadas.' }, 400);
    else {
      const rows = list.flatMap((especie) =>
        Array.from({ length: rowsPerTicker }, (_, at) => {
          return { especie, fecha: dates?.[at] ?? '2026-11-20', ultimo: 7 };
        }),
      );
      send(rows);
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const rig = { asked, actionsOf, pauses: [] as number[], now: 0 };
  const deps = {
    universe,
    clock: { now: () => Date.parse('2026-11-20T20:00:00Z'), monotonic: () => rig.now },
    random: () => 0,
    pause: (ms: number) => {
      rig.pauses.push(ms);
      rig.now += ms;
      return Promise.resolve();
    },
    directory: '.',
    secrets: new Secrets({ env: { KEY: 'pz_x' }, directory: '.' }),
  } as unknown as FeedDeps;
  const config = pizarraType.schema.parse({
    name: 'office',
    type: 'pizarra',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: { env: 'KEY' },
  });
  const source = pizarraType.createHistory?.(config, deps) ?? assert.fail();
  const fetch = (ticker: string, from = '2026-11-02', to = '2026-11-20'): Promise<HistoryBatch> =>
    source.fetch(
      { ticker: ticker as Ticker, from: from as PlainDate, to: to as PlainDate },
      new AbortController().signal,
    );
  return Object.assign(rig, { source, fetch, config, deps });
}

test('one request reads many instruments, and those after it are not requested again', async (t) => {
  const rig = await rigOf(t);
  assert.deepEqual([rig.source.name, rig.source.isCopy], ['office', true]);
  assert.deepEqual(rig.source.instruments, ['GONE', ...tickers]);
  const batch = await rig.fetch('T0');
  assert.deepEqual(batch, {
    closes: [{ day: 20_777, close: 7, volume: null }],
    rejected: [],
    actions: ['BEFORE', 'T0'].map((ticker) => {
      return { ticker, exDay: 20_458, type: 'split', factor: 2, source: 'office' };
    }),
  });
  for (const ticker of tickers.slice(1)) {
    const { closes, actions } = await rig.fetch(ticker);
    assert.equal(closes.length, 1);
    assert.equal(actions?.at(-1)?.ticker, ticker);
  }
  const range = '2026-10-26 2026-11-27';
  assert.deepEqual(rig.asked, ['/especies.txt 0 -', `/historicos 120 larga ${range}`]);
  assert.deepEqual(rig.actionsOf, ['120 larga']);
});

test('closes that were read with others are used once, for a range within theirs, and for ten minutes', async (t) => {
  const rig = await rigOf(t);
  const requests = () => rig.asked.length;
  await rig.fetch('T0');
  await rig.fetch('T1', '2026-10-26', '2026-11-27');
  assert.equal(requests(), 2);
  await rig.fetch('T1');
  assert.equal(requests(), 3, 'used before');
  await rig.fetch('T2', '2026-10-25');
  assert.equal(requests(), 4, 'an earlier day');
  await rig.fetch('T3', '2026-11-02', '2026-11-28');
  assert.equal(requests(), 5, 'a later day');
  rig.now += 10 * 60_000;
  await rig.fetch('T4');
  assert.equal(requests(), 6, 'read too long ago');
  rig.now += 60 * 60_000;
  await rig.fetch('T5');
  assert.deepEqual(rig.asked.slice(-2, -1), ['/especies.txt 0 -']);
});

test('an instrument that the origin does not have is not requested', async (t) => {
  const rig = await rigOf(t);
  assert.deepEqual(await rig.fetch('GONE'), {
    closes: [],
    rejected: [{ reason: 'not-offered', sample: 'GONE', symbol: 'GONE' }],
  });
  assert.deepEqual([rig.asked, rig.actionsOf], [['/especies.txt 0 -'], []]);
});

test('an origin that refuses many instruments is asked for fewer, down to one', async (t) => {
  const few = await rigOf(t, { tickersMax: 20 });
  await few.fetch('T0');
  assert.deepEqual(
    few.asked.map((one) => one.split(' ').slice(0, 3).join(' ')),
    ['/especies.txt 0 -', '/historicos 120 larga', '/historicos 15 larga'],
  );
  const one = await rigOf(t, { tickersMax: 1 });
  await one.fetch('T0');
  assert.deepEqual(
    one.asked.slice(1).map((each) => each.split(' ').slice(1, 3).join(' ')),
    ['120 larga', '15 larga', '2 larga', '1 larga'],
  );
  const none = await rigOf(t, { tickersMax: 0 });
  await assert.rejects(none.fetch('T0'), { code: 'invalid-request', message: /older version/ });
});

test('a request for many days names few instruments, so that its rows stay within the limit of the origin', async (t) => {
  const rig = await rigOf(t);
  await rig.fetch('T0');
  await rig.fetch('T0', '2000-01-01');
  assert.deepEqual(
    rig.asked.slice(1).map((one) => one.split(' ')[1]),
    ['120', '6'],
  );
});

test('a spelling of the origin in another case is that of the instrument here', async (t) => {
  const rig = await rigOf(t, { spelling: (ticker) => ticker.toLowerCase() });
  const { closes, actions } = await rig.fetch('T7');
  assert.deepEqual([closes.length, actions?.[1]?.ticker], [1, 'T7']);
});

test('when the plan of the key has no requests left, the next one waits until it has', async (t) => {
  let left = 3;
  const rig = await rigOf(t, {
    headers: () => ({
      'ratelimit-policy': '"free";q=20;w=20',
      ratelimit: `"free";r=${(left -= 1)};t=8`,
    }),
  });
  left = 9;
  await rig.fetch('T0');
  assert.deepEqual(rig.pauses, []);
  left = 3;
  await rig.fetch('T1', '2026-01-02');
  assert.deepEqual(rig.pauses, [8_000]);
});

test('a demonstration is refused, because its prices are made up', async (t) => {
  const headers = { 'data-source': 'simulated' };
  const rig = await rigOf(t, { headers: () => headers });
  await assert.rejects(rig.fetch('T0'), { code: 'refused', message: /is a demonstration/ });
  const indices = pizarraType.createIndices?.(rig.config, rig.deps) ?? assert.fail();
  const request = { index: 'CER', from: '2026-11-02' as PlainDate, to: undefined } as const;
  await assert.rejects(indices.fetch(request, new AbortController().signal), { code: 'refused' });
});

test('the values of an index are those of a range, which may be open', async (t) => {
  const rig = await rigOf(t);
  const indices = pizarraType.createIndices?.(rig.config, rig.deps) ?? assert.fail();
  const from = '2026-11-02' as PlainDate;
  const fetch = (to: PlainDate | undefined) =>
    indices.fetch({ index: 'CER', from, to }, new AbortController().signal);
  assert.deepEqual(await fetch(undefined), {
    values: [{ day: 20_789, value: 712.5 }],
    rejected: [],
  });
  await fetch('2026-11-30' as PlainDate);
  assert.deepEqual(rig.asked, ['/indices 0 - 2026-11-02', '/indices 0 - 2026-11-02 2026-11-30']);
  assert.deepEqual(indices.indices, indexNames);
});

test('of days that were not requested, or that no index has yet, nothing is kept', async (t) => {
  const dates = ['1900-01-01', '2026-11-20', '2027-12-31', '9999-12-31'];
  const rig = await rigOf(t, { dates, rowsPerTicker: dates.length });
  const { closes } = await rig.fetch('T0');
  assert.deepEqual(
    closes.map(({ day }) => day),
    [20_777],
  );
  const indices = pizarraType.createIndices?.(rig.config, rig.deps) ?? assert.fail();
  const request = { index: 'CER', from: '2026-11-02' as PlainDate, to: undefined } as const;
  const { values } = await indices.fetch(request, new AbortController().signal);
  assert.deepEqual(
    values.map(({ day }) => day),
    [20_777],
  );
});

test('more corporate actions than an instrument can have are refused', async (t) => {
  const rig = await rigOf(t, { actionsPerTicker: 501 });
  await assert.rejects(rig.fetch('T0'), {
    code: 'unintelligible',
    message: /1002 corporate actions of T0/,
  });
});
