import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockAt } from '../../../test/support/market/clock-at.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { fixed, SourceServer } from '../../../test/support/http/source-server.ts';
import { fromEpochDay, parsePlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import { reject } from '../contract/feed.ts';
import { dailyHistory, epochSeconds, type BarsRequest } from './daily-history.ts';

const universe = makeUniverse([{ ticker: 'GGAL' }]);
const ticker = 'GGAL' as Ticker;
const date = parsePlainDate('2026-11-20') ?? assert.fail();
/** The close of the session plus the time in which its bar may still change. */
const overAt = Date.parse('2026-11-20T17:30:00-03:00');

/** The history of a source whose response `bars` maps, with a clock of its own. */
function historyOf(
  server: SourceServer,
  bars: (request: BarsRequest, body: unknown) => ReturnType<Source['bars']>,
  options: { readonly refusesUnknown?: boolean; readonly now?: () => number } = {},
) {
  const { refusesUnknown, now = () => overAt } = options;
  const create = dailyHistory({
    offers: [ticker],
    spacingMs: 7,
    ...(refusesUnknown === undefined ? {} : { refusesUnknown }),
    bars: async (request) => bars(request, await request.read(new URL(server.url))),
  });
  const config = { name: 'bars', type: 'test', staleAfterSeconds: 1 };
  return create(config, { universe, clock: clockAt(now) } as unknown as FeedDeps);
}

type Source = Parameters<typeof dailyHistory>[0];

const withoutBody = async () => assert.fail('there is no body');

const request = { ticker, from: date, to: date };
const missing = { closes: [], rejected: [reject('not-offered', ticker, ticker)] };

test('a source has the name of its configuration, its instruments and its spacing', async () => {
  await using server = await SourceServer.start();
  const { name, instruments, spacingMs } = historyOf(server, async () => undefined);
  assert.deepEqual(
    { name, instruments, spacingMs },
    {
      name: 'bars',
      instruments: [ticker],
      spacingMs: 7,
    },
  );
});

test('an instrument without bars is not offered', async (t) => {
  await using server = await SourceServer.start();
  server.respond = fixed(200, {}, '[]');
  const history = historyOf(server, async () => undefined);
  assert.deepEqual(await history.fetch(request, t.signal), missing);
});

test('rows that are no bar are rejected before bars without a price', async (t) => {
  await using server = await SourceServer.start();
  server.respond = fixed(200, {}, '{"c":7550.5}');
  const row = reject('unintelligible', 'row');
  const history = historyOf(server, async ({ from, instrument, calendar }, body) => {
    assert.equal(instrument, universe.get(ticker));
    assert.equal(calendar.market, universe.marketOf(instrument));
    return {
      bars: [
        { date: from, close: (body as { c: number }).c },
        { date, close: 0 },
      ],
      rejected: [row],
    };
  });
  const { closes, rejected } = await history.fetch(request, t.signal);
  assert.deepEqual(
    closes.map(({ day, close }) => [fromEpochDay(day), close]),
    [[date, 7550.5]],
  );
  assert.deepEqual(
    rejected.map(({ reason }) => reason),
    ['unintelligible', 'no-price'],
  );
});

test('a refused request is a missing instrument where the source refuses what it does not have', async (t) => {
  await using server = await SourceServer.start();
  server.respond = fixed(404);
  const refusing = historyOf(server, withoutBody, { refusesUnknown: true });
  assert.deepEqual(await refusing.fetch(request, t.signal), missing);
  for (const one of [
    historyOf(server, withoutBody),
    historyOf(server, withoutBody, { refusesUnknown: false }),
  ]) {
    await assert.rejects(one.fetch(request, t.signal), { code: 'invalid-request' });
  }
  server.respond = fixed(500);
  await assert.rejects(refusing.fetch(request, t.signal), { code: 'unavailable' });
});

test('a session that ends while the request is under way is not over', async (t) => {
  await using server = await SourceServer.start();
  let now = overAt - 1;
  server.respond = (_, response) => {
    now = overAt;
    response.end('[]');
  };
  const history = historyOf(server, async () => ({ bars: [{ date, close: 7550 }] }), {
    now: () => now,
  });
  assert.deepEqual((await history.fetch(request, t.signal)).closes, []);
  assert.equal((await history.fetch(request, t.signal)).closes.length, 1);
});

test('an instant in seconds has no fraction', () => {
  assert.equal(epochSeconds(1_795_197_599_999), '1795197599');
});
