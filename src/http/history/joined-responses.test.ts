import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { testAnswering } from '../../../test/support/http/answering.ts';
import { clockAt } from '../../../test/support/market/clock-at.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { deferred, until } from '../../../test/support/wait.ts';
import { Board } from '../../board/board.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { noActions } from '../../domain/history/corporate-actions.ts';
import type { CloseSeries } from '../../domain/history/daily-close.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import type { Content } from '../content/content.ts';
import { JoinedResponses } from './joined-responses.ts';
import { HistoryRevisions } from '../answers/history-revisions.ts';

const board = new Board(makeUniverse(['A', 'B', 'C'].map((ticker) => ({ ticker }))));
const query = {
  selection: { tickers: ['A', 'B'] },
  from: '1970-01-01' as PlainDate,
  to: '1970-12-31' as PlainDate,
  adjustment: 'none',
  fields: [],
  form: 'long',
  cell: 'closes',
} as const;

/** A history of one row for each instrument, whose close is how often the history was read. */
function countedHistory(letGo: () => Promise<unknown> = () => Promise.resolve()) {
  const counted = { reads: 0 };
  const readSeries = async (): Promise<CloseSeries> => {
    counted.reads += 1;
    const close = counted.reads;
    await letGo();
    return {
      days: Int32Array.of(0),
      closes: Float64Array.of(close),
      volumes: Float64Array.of(Number.NaN),
    };
  };
  return { counted, history: { readSeries, readBars, countCloses } };
}

async function countCloses(tickers: readonly Ticker[]): Promise<readonly number[]> {
  return tickers.map(() => 1);
}

function readBars(): Promise<never> {
  return Promise.reject(new Error('no bars were requested'));
}

const caller = { key: undefined, departure: undefined };

let now = 0;

let revisions = new HistoryRevisions();

function responsesOf(
  history: ReturnType<typeof countedHistory>['history'],
  limits: { readonly rowsMax?: number; readonly bytesMax?: number } = {},
): JoinedResponses {
  revisions = new HistoryRevisions();
  const { bytesMax = 2 ** 16 } = limits;
  return new JoinedResponses({
    history,
    actions: () => noActions,
    sessionDay: () => undefined,
    board,
    rowsMax: limits.rowsMax ?? 10,
    revisions,
    memory: testAnswering({ clock: clockAt(() => now), bytesMax }).memory,
  });
}

function bodyOf(found: Parsed<Content>): string {
  assert.ok(found.ok);
  return String(found.value.body.pick(['identity'])?.parts);
}

test('a response is read once for all who request it, and then given at once', async () => {
  const { counted, history } = countedHistory();
  const responses = responsesOf(history);
  const found = [
    responses.find('q', query, 'json', caller),
    responses.find('q', query, 'json', caller),
  ] as const;
  const [first, second] = [await found[0], await found[1]];
  assert.ok(first.ok && second.ok);
  assert.equal(first.value.body, second.value.body);
  const again = responses.find('q', query, 'json', caller);
  assert.ok(!(again instanceof Promise));
  assert.equal(counted.reads, 2);
  const csv = responses.find('q', query, 'csv', caller);
  assert.ok(csv instanceof Promise);
  assert.match(bodyOf(await csv), /^especie,/);
});

test('responses are built one after the other, also after one that failed', async () => {
  const gate = deferred<undefined>();
  const { counted, history } = countedHistory(() => gate.promise);
  const responses = responsesOf(history);
  const found = ['q', 'r', 's'].map(
    async (key) => await responses.find(key, query, 'json', caller),
  );
  const settled = Promise.allSettled(found);
  await until('the first read', () => counted.reads === 1, { everyTurn: true });
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  assert.equal(counted.reads, 1);
  gate.reject(new Error('the store is gone'));
  for (const { status } of await settled) assert.equal(status, 'rejected');
  assert.equal(counted.reads, 3);
});

test('contract 4.2.14: what is too large is refused without reading a row, once', async () => {
  const { counted, history } = countedHistory();
  const responses = responsesOf(history, { rowsMax: 1 });
  const problem = { type: 'rows-too-many', count: 2, max: 1 };
  assert.deepEqual(await responses.find('q', query, 'json', caller), { ok: false, problem });
  assert.deepEqual(responses.find('q', query, 'json', caller), { ok: false, problem });
  assert.equal(counted.reads, 0);
});

test('a change drops the responses with its instrument, and no others', async () => {
  const { history } = countedHistory();
  const responses = responsesOf(history);
  await responses.find('q', query, 'json', caller);
  revisions.increase(['C' as Ticker]);
  assert.ok(!(responses.find('q', query, 'json', caller) instanceof Promise));
  revisions.increase(['C', 'B'] as Ticker[]);
  assert.ok(responses.find('q', query, 'json', caller) instanceof Promise);
});

test('what changes while it is read is not kept, and is read again for those who request it afterwards', async () => {
  const gate = deferred<undefined>();
  const { history } = countedHistory(() => gate.promise);
  const responses = responsesOf(history);
  const before = responses.find('q', query, 'json', caller);
  revisions.increase(['A' as Ticker]);
  const after = responses.find('q', query, 'json', caller);
  gate.resolve(undefined);
  assert.notEqual(bodyOf(await before), bodyOf(await after));
  assert.equal(bodyOf(await responses.find('q', query, 'json', caller)), bodyOf(await after));
});

test('a fault of the store is not kept', async () => {
  let fault: Error | undefined = new Error('the store does not respond');
  const { history } = countedHistory(async () => {
    if (fault !== undefined) throw fault;
  });
  const responses = responsesOf(history);
  await assert.rejects(async () => responses.find('q', query, 'json', caller), /does not respond/);
  fault = undefined;
  assert.match(bodyOf(await responses.find('q', query, 'json', caller)), /"ultimo":3,/);
});

test('contract 4.5.4: Last-Modified appears when its second has passed', async () => {
  now = 5_400;
  const responses = responsesOf(countedHistory().history);
  const first = await responses.find('q', query, 'json', caller);
  assert.ok(first.ok && first.value.lastModified === undefined);
  now = 6_000;
  const later = await responses.find('q', query, 'json', caller);
  assert.ok(later.ok);
  assert.equal(later.value.lastModified, 6_000);
  assert.deepEqual(later.value.fields.list, ['last-modified', 'Thu, 01 Jan 1970 00:00:06 GMT']);
});

test('the cache has a limit: the response that was requested least recently is dropped', async () => {
  const { history } = countedHistory();
  const responses = responsesOf(history, { bytesMax: 2_500 });
  for (const name of ['one', 'two', 'three']) await responses.find(name, query, 'json', caller);
  assert.ok(responses.find('one', query, 'json', caller) instanceof Promise);
  assert.ok(!(responses.find('three', query, 'json', caller) instanceof Promise));
});
