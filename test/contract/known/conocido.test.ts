import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import {
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../../src/domain/calendar/plain-date.ts';
import type {
  CorporateAction,
  FactorAction,
} from '../../../src/domain/history/corporate-action.ts';
import { CorporateActions } from '../../../src/domain/history/corporate-actions.ts';
import type { DailyClose } from '../../../src/domain/history/daily-close.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { clockAt } from '../../support/market/clock-at.ts';
import { startTestServer, type TestAnswer } from '../../support/http/start-test-server.ts';

/** What was known at an instant: contract 4.18. */

const ypf = 'YPFD' as Ticker;
const come = 'COME' as Ticker;

/** The memory of a new store begins with its creation, so the tests change it from then on. */
let now = Date.now() + 1_000;
let actions = new CorporateActions([]);
const server = await startTestServer({ clock: clockAt(() => now), actions: () => actions });
after(() => server[Symbol.asyncDispose]());

function day(date: string): EpochDay {
  return toEpochDay(date as PlainDate);
}

function close(date: string, value: number, further: Partial<DailyClose> = {}): DailyClose {
  return { day: day(date), close: value, volume: null, ...further };
}

/** Stores closes a second later. @returns the instant of the change */
async function put(ticker: Ticker, ...closes: readonly DailyClose[]): Promise<number> {
  const at = (now += 1_000);
  await server.putCloses(ticker, closes, { origin: 'import', now: () => at });
  return at;
}

/** Changes the actions a second later. @returns the instant of the change */
async function change(...given: readonly CorporateAction[]): Promise<number> {
  const at = (now += 1_000);
  await server.store.actions.apply({ put: given }, { at, origin: 'import' });
  const before = actions;
  actions = new CorporateActions((await server.store.actions.readAll()).values);
  server.revisions.increase(actions.changedSince(before));
  return at;
}

function split(date: string, factor: number): FactorAction {
  return { type: 'split', ticker: ypf, exDay: day(date), factor, source: 'test' };
}

const range = 'desde=2026-08-01&hasta=2026-08-31';

function instant(at: number): string {
  return new Date(at).toISOString();
}

function getAt(at: number, query: string, path = '/historicos'): Promise<TestAnswer> {
  return server.get(`${path}?${query}&conocido=${instant(at)}`);
}

async function closesAt(at: number, query = ''): Promise<readonly number[]> {
  const rows = (await getAt(at, `especie=YPFD&${range}${query}`)).json();
  return (rows as readonly { readonly ultimo: number }[]).map(({ ultimo }) => ultimo);
}

const first = await put(ypf, close('2026-08-06', 82_000), close('2026-08-07', 83_050));
const corrected = await put(ypf, close('2026-08-06', 82_500, { high: 83_000, volume: 10 }));
const later = await put(ypf, close('2026-08-10', 8_300.5));

test('contract 4.18.1: a change is visible from its instant on, and not a millisecond before', async () => {
  now = later + 10_000;
  assert.deepEqual(await closesAt(first), [82_000, 83_050]);
  assert.deepEqual(await closesAt(corrected - 1), [82_000, 83_050]);
  assert.deepEqual(await closesAt(corrected), [82_500, 83_050]);
  assert.deepEqual(await closesAt(later - 1), [82_500, 83_050]);
  assert.deepEqual(await closesAt(later), [82_500, 83_050, 8_300.5]);
});

test('contract 4.18.1: an instant with an offset, and with fractions of a millisecond, is the same instant', async () => {
  const text = instant(corrected).slice(0, -1);
  const query = `/historicos?especie=YPFD&${range}&conocido=`;
  const { body } = await server.get(`${query}${text}Z`);
  const local = new Date(corrected - 3 * 3_600_000).toISOString().slice(0, -1);
  for (const same of [
    `${local}-03:00`,
    `${text}999Z`,
    `${text}%2B00:00`,
    `${text.replace('T', 't')}z`,
  ])
    assert.equal((await server.get(query + same)).body, body, same);
  assert.match(body, /82500/);
});

test('contract 4.18.1, 4.18.7: the response is the one to a request without conocido at that time, in each form and format', async () => {
  const queries = [
    '',
    '&campos=maximo,instante',
    '&formato=csv&decimal=coma',
    '&ajuste=total',
    '&forma=larga&especie=COME',
    '&forma=ancha&campo=maximo&panel=LID',
  ].map((query) => `especie=YPFD&${range}${query}`);
  const before = await Promise.all(queries.map((query) => server.get(`/historicos?${query}`)));
  const at = now;
  await put(ypf, close('2026-08-06', 1), close('2026-08-11', 2));
  await put(come, close('2026-08-06', 3));
  await change(split('2026-08-10', 10));
  now += 1_000;
  for (const [index, query] of queries.entries()) {
    const answer = await getAt(at, query);
    assert.deepEqual([answer.status, answer.body], [200, before[index]?.body], query);
    for (const name of ['content-type', 'etag'])
      assert.equal(answer.header(name), before[index]?.header(name));
    assert.notEqual((await server.get(`/historicos?${query}`)).body, answer.body, query);
  }
});

test('contract 4.18.5: an adjusted series uses the actions that were known, on the basis of the last close that was known', async () => {
  const added = await change(split('2026-08-10', 10));
  const changed = await change(split('2026-08-10', 20));
  now += 1_000;
  for (const [at, factor] of [
    [changed - 1, 10],
    [changed, 20],
  ] as const) {
    const expected = [1 / factor, 83_050 / factor, 8_300.5, 2];
    assert.deepEqual(await closesAt(at, '&ajuste=splits'), expected);
  }
  // Before the first close of the ex date or a later one was stored, the split did not adjust yet.
  assert.ok(added > later);
  assert.deepEqual(await closesAt(corrected, '&ajuste=splits'), [82_500, 83_050]);
});

test('contract 4.18.5: /eventos gives the actions that were known', async () => {
  const query = `especie=YPFD&${range}`;
  const added = await change({ ...split('2026-08-20', 2), type: 'ratio-change' });
  now += 1_000;
  assert.doesNotMatch((await getAt(added - 1, query, '/eventos')).body, /ratio/);
  const answer = await getAt(added, query, '/eventos');
  assert.equal(answer.body, (await server.get(`/eventos?${query}`)).body);
  assert.match(answer.body, /ratio/);
  const joined = `especie=NADA,COME,YPFD&forma=larga&${range}`;
  const several = await getAt(added, joined, '/eventos');
  assert.equal(several.body, (await server.get(`/eventos?${joined}`)).body);
  assert.equal(several.header('missing-especies'), 'NADA');
  assert.doesNotMatch((await getAt(added - 1, joined, '/eventos')).body, /ratio/);
  assert.equal(answer.header('last-modified'), undefined);
  assert.match(answer.header('conocido-desde') ?? '', /Z$/);
});

test('contract 4.18.5: a dividend that the adjustment leaves out is named as without conocido', async () => {
  await change({
    type: 'cash-dividend',
    ticker: ypf,
    exDay: day('2026-08-07'),
    amount: 1,
    currency: 'USD',
    source: 'test',
  });
  const query = `especie=YPFD&${range}&ajuste=total`;
  assert.equal((await getAt(now, query)).header('missing-dividendos'), '2026-08-07');
  assert.equal(
    (await getAt(now, `${query}&forma=larga`)).header('missing-dividendos'),
    'YPFD:2026-08-07',
  );
  assert.equal((await getAt(later, query)).header('missing-dividendos'), undefined);
});

test('contract 4.18.4: each response has Conocido-Desde, and that for an instant before it is empty', async () => {
  const query = `especie=YPFD&${range}`;
  const answer = await getAt(now, query);
  const since = Date.parse(answer.header('conocido-desde') ?? '');
  assert.ok(since <= first, instant(since));
  for (const [path, further] of [
    ['/historicos', ''],
    ['/historicos', '&forma=larga'],
    ['/historicos', '&forma=ancha'],
    ['/eventos', ''],
    ['/eventos', '&forma=larga'],
  ] as const) {
    const before = await getAt(since - 1, query + further, path);
    assert.deepEqual([before.status, before.body], [200, '[]']);
    assert.equal(before.header('conocido-desde'), instant(since));
    const long = await getAt(Date.UTC(1990), query + further, path);
    assert.deepEqual([long.status, long.body], [200, '[]']);
  }
  const unknown = await getAt(now, `especie=NADA&${range}`);
  assert.deepEqual([unknown.status, unknown.body], [200, '[]']);
  assert.equal(unknown.header('missing-especies'), 'NADA');
  assert.match(unknown.header('conocido-desde') ?? '', /Z$/);
  const joined = await getAt(now, `especie=NADA,YPFD&${range}&forma=larga`);
  assert.equal(joined.header('missing-especies'), 'NADA');
});

test('contract 4.18.2: a literal + gets 400 with advice, and so does each other text that is no instant', async () => {
  const paths = [`/historicos?especie=YPFD&${range}`, `/eventos?especie=YPFD&${range}`];
  for (const path of [...paths, `${paths[0]}&forma=ancha`]) {
    const plus = await server.get(`${path}&conocido=2026-11-19T21:30:00+00:00`);
    assert.equal(plus.status, 400);
    assert.match(plus.body, /«2026-11-19T21:30:00 00:00» del parámetro «conocido».*%2B/);
    for (const text of ['', 'ayer', '2026-11-19', '2026-11-19T21:30:00', '2026-02-30T00:00:00Z']) {
      const { status, body } = await server.get(`${path}&conocido=${text}`);
      assert.equal(status, 400, text);
      assert.ok(body.includes(`«${text}» del parámetro «conocido»`), body);
    }
    const twice = await server.get(`${path}&conocido=${instant(first)}&conocido=${instant(first)}`);
    assert.equal(twice.status, 400);
  }
});

test('contract 4.18.3: an instant to come gets 400, but for a minute that a fast clock of a client may be ahead', async () => {
  const query = `especie=YPFD&${range}`;
  const ahead = await getAt(now + 60_000, query);
  assert.equal(ahead.body, (await getAt(now, query)).body);
  for (const path of ['/historicos', '/eventos']) {
    const late = await getAt(now + 60_001, query, path);
    assert.equal(late.status, 400);
    assert.ok(late.body.includes(instant(now)), late.body);
  }
});

test('contract 4.18.3: what was known at an instant that was the present when it was first requested does not go stale', async () => {
  const at = (now += 1_000);
  assert.ok(!(await closesAt(at)).includes(77));
  // A change of the same millisecond that a reader sees only now.
  await server.putCloses(ypf, [close('2026-08-12', 77)], { origin: 'session', now: () => at });
  assert.ok((await closesAt(at)).includes(77));
  await put(ypf, close('2026-08-12', 78));
  assert.ok((await closesAt(at)).includes(77), 'a later correction does not change it');
});

test('contract 4.18.7: the limit of rows counts the rows that were known', async () => {
  await using small = await startTestServer({
    clock: clockAt(() => now),
    limits: { historyRowsMax: 1 },
  });
  const stamp = { origin: 'import', now: () => now } as const;
  const rows = [close('2026-08-06', 1), close('2026-08-07', 2)];
  await small.store.history.transaction((transaction) => transaction.put(ypf, rows), stamp);
  const query = `/historicos?especie=YPFD&${range}&conocido=${instant(now)}`;
  const joined = await small.get(`${query}&forma=larga`);
  assert.equal(joined.status, 400);
  assert.match(joined.body, /tiene 2 filas.*máximo 1 /);
  assert.match((await small.get(`${query}&forma=ancha`)).body, /tiene al menos 2 valores/);
  assert.equal((await small.get(query)).status, 200, 'one instrument is not limited (4.2.4)');
});

test('contract 4.5.1, 4.5.4, 4.18.7: HEAD, 304 and If-Modified-Since work as without conocido', async () => {
  const target = `/historicos?especie=YPFD&${range}&conocido=${instant(later)}`;
  await server.get(target);
  now += 2_000;
  const answer = await server.get(target);
  const [etag = '', modified = ''] = ['etag', 'last-modified'].map((name) => answer.header(name));
  const head = await server.get(target, { method: 'HEAD' });
  assert.deepEqual([head.status, head.body, head.header('etag')], [200, '', etag]);
  assert.equal(head.header('conocido-desde'), answer.header('conocido-desde'));
  for (const headers of [{ 'if-none-match': etag }, { 'if-modified-since': modified }]) {
    const unchanged = await server.get(target, { headers });
    assert.equal(unchanged.status, 304);
    assert.equal(unchanged.header('conocido-desde'), answer.header('conocido-desde'));
  }
  // A later change of the instrument does not change what was known.
  await put(ypf, close('2026-08-13', 1));
  assert.equal((await server.get(target, { headers: { 'if-none-match': etag } })).status, 304);
});

test('contract 1.4: a response without conocido has no Conocido-Desde', async () => {
  for (const path of ['/historicos', '/eventos'])
    assert.equal(
      (await server.get(`${path}?especie=YPFD&${range}`)).header('conocido-desde'),
      undefined,
    );
});
