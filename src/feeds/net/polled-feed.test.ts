import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUniverse, sketchMarkets } from '../../../test/support/market/make-universe.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { Universe } from '../../domain/instruments/universe.ts';
import { FeedFault, type FeedBatch, type FeedFaultCode } from '../contract/feed.ts';
import type { Fetched, FetchRequest } from './fetch-limited.ts';
import { createPoll, type PollOptions, type PollRequest, type Polled } from './polled-feed.ts';
import { TradingHours } from '../contract/trading-hours.ts';
import { at } from '../../../test/support/market/drive-engine.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'AAPL_US', market: 'NYSE' }]);
const emptyBatch = { updates: [], rejected: [] };

/** What a source answers to a request. */
type Answer =
  | (Partial<Extract<Fetched, { isUnchanged: false }>> & { readonly fails?: FeedFaultCode })
  | 'unchanged';

/** A poller on a clock that only its own pauses move, and a source that answers at once. */
function studio(options: {
  readonly from: number;
  readonly markets?: readonly string[];
  readonly answer?: (request: FetchRequest, count: number) => Answer;
  readonly paths?: readonly string[];
  readonly random?: () => number;
  readonly poll?: Partial<PollOptions>;
}): {
  readonly polls: number[];
  readonly requests: FetchRequest[];
  readonly polled: Polled[];
  readonly repeated: number[];
  readonly run: (until: number) => Promise<readonly FeedBatch[]>;
} {
  const {
    from,
    markets = ['BYMA'],
    answer = () => ({}),
    paths = ['/'],
    random = () => 0,
  } = options;
  let now = from;
  const [polls, requests, polled]: [number[], FetchRequest[], Polled[]] = [[], [], []];
  const repeated: number[] = [];
  let stopping = new AbortController();
  let end = Infinity;
  const poll = createPoll(
    {
      requests: paths.map((path) => ({
        request: () => ({ url: new URL(path, 'https://source.test') }),
        map: (one) => {
          polled.push(one);
          return emptyBatch;
        },
        repeat: (snapshotAt) => void repeated.push(snapshotAt),
      })),
      tickers: new Set(universe.instruments.map(({ ticker }) => ticker)),
      hours: new TradingHours(universe, { markets: new Set(markets), graceMs: 30 * minuteMs }),
      pollSeconds: 60,
      closedPollSeconds: 3_600,
      delayMs: 0,
      ...options.poll,
    },
    {
      clock: { now: () => now, monotonic: () => now },
      random,
      async pause(ms) {
        assert.ok(ms > 0, `a pause of ${ms} ms`);
        now += ms;
        if (now >= end) stopping.abort();
      },
      async fetch(request) {
        polls.push(now);
        requests.push(request);
        const given = answer(request, requests.length);
        if (given === 'unchanged') return { isUnchanged: true, ageMs: 0 };
        const { fails, ...rest }: Exclude<Answer, string> = given;
        if (fails !== undefined) throw new FeedFault(fails, fails);
        const usual = { text: '', contentType: '', validators: {}, ageMs: 0 };
        return { isUnchanged: false, ...usual, ...rest };
      },
    },
  );
  return {
    polls,
    requests,
    polled,
    repeated,
    async run(until) {
      end = until;
      stopping = new AbortController();
      const batches: FeedBatch[] = [];
      for await (const batch of poll(stopping.signal)) batches.push(batch);
      return batches;
    },
  };
}

function pathsOf(requests: readonly FetchRequest[]): readonly string[] {
  return requests.map(({ url }) => url.pathname);
}

function single(path: string): PollRequest {
  return { request: () => ({ url: new URL(path, 'https://source.test') }), map: () => emptyBatch };
}

/** How often a source was polled on each day, in Buenos Aires. */
function perDay(polls: readonly number[]): Readonly<Record<string, number>> {
  const days: Record<string, number> = {};
  for (const poll of polls) {
    const day = new Date(poll - 3 * hourMs).toISOString().slice(0, 10);
    days[day] = (days[day] ?? 0) + 1;
  }
  return days;
}

test('over a week a source is polled often in the session and seldom at night, at weekends and on holidays', async () => {
  // 21 and 22 November 2026 are a weekend, the 23rd is a holiday of BYMA.
  const it = studio({ from: at('2026-11-20', '00:00') });
  await it.run(at('2026-11-27', '00:00'));
  const session = 7 * 60; // from 10:30 to 17:00, and half an hour for the closing prices
  const night = 17; // hourly from 17:30 to 9:30
  assert.deepEqual(perDay(it.polls), {
    // The week begins at midnight.
    '2026-11-20': session + night + 1,
    '2026-11-21': 24,
    '2026-11-22': 24,
    '2026-11-23': 24,
    '2026-11-24': session + night,
    '2026-11-25': session + night,
    '2026-11-26': session + night,
  });
});

test('the first poll of a session comes at the open, before and after a change to daylight-saving time', async () => {
  // New York leaves daylight-saving time on 1 November 2026: 9:30 moves from 13:30 to 14:30 UTC.
  const it = studio({
    from: Date.parse('2026-10-30T00:00:00Z'),
    markets: ['NYSE'],
    random: () => 0.5,
  });
  await it.run(Date.parse('2026-11-04T00:00:00Z'));
  for (const open of ['2026-10-30T13:30:00Z', '2026-11-02T14:30:00Z', '2026-11-03T14:30:00Z']) {
    const opensAt = Date.parse(open);
    const first = it.polls.find((poll) => poll >= opensAt) ?? assert.fail(open);
    assert.ok(first - opensAt <= 10_000, `${first - opensAt} ms after ${open}`);
    const before = it.polls.findLast((poll) => poll < opensAt) ?? assert.fail(open);
    assert.ok(opensAt - before > 10 * minuteMs, 'seldom until then');
  }
});

test('over a week that holds a weekend, a holiday and a change of the clock, every session is polled from its open to its close, and nothing else is', async () => {
  // New York leaves daylight-saving time on Sunday, 1 November 2026. Tuesday is made a holiday.
  const usual = sketchMarkets.get('NYSE') ?? assert.fail('no market');
  const holidays = new Map([['2026-11-03' as PlainDate, 'Feriado']]);
  const markets = new Map([['NYSE', { ...usual, holidays }]]);
  const panels = new Map();
  const week = new Universe({ instruments: [], markets, panels, derived: [], bondTerms: [] });
  const it = studio({
    from: Date.parse('2026-10-29T22:00:00Z'),
    poll: { hours: new TradingHours(week, { markets: new Set(['NYSE']), graceMs: 30 * minuteMs }) },
  });
  await it.run(Date.parse('2026-11-05T22:00:00Z'));

  const sessions = [
    ['2026-10-30T13:30:00Z', '2026-10-30T20:30:00Z'],
    ['2026-11-02T14:30:00Z', '2026-11-02T21:30:00Z'],
    ['2026-11-04T14:30:00Z', '2026-11-04T21:30:00Z'],
    ['2026-11-05T14:30:00Z', '2026-11-05T21:30:00Z'],
  ].map(([from = '', until = '']) => ({ from: Date.parse(from), until: Date.parse(until) }));
  for (const { from, until } of sessions) {
    const within = it.polls.filter((poll) => poll >= from && poll < until);
    assert.equal(within.length, 7 * 60, new Date(from).toISOString());
    assert.equal(within[0], from, 'the first poll is at the open');
  }
  const isWithin = (poll: number): boolean =>
    sessions.some(({ from, until }) => poll >= from && poll < until);
  const outside = it.polls.filter((poll) => !isWithin(poll));
  const openMs = sessions.reduce((sum, { from, until }) => sum + until - from, 0);
  const closedHours = (7 * 24 * hourMs - openMs) / hourMs;
  assert.ok(Math.abs(outside.length - closedHours) <= sessions.length, `${outside.length} polls`);
});

test('a source of two markets is polled often while either is open', async () => {
  const it = studio({ from: at('2026-11-23', '00:00'), markets: ['BYMA', 'NYSE'] });
  await it.run(at('2026-11-24', '00:00'));
  assert.ok((perDay(it.polls)['2026-11-23'] ?? 0) > 6 * 60, 'NYSE is open on the holiday of BYMA');
});

test('polls are spread at random, and never come more often than configured', async () => {
  let drawn = 0;
  const random = (): number => (drawn += 0.37) % 1;
  const it = studio({ from: at('2026-11-20', '11:00'), random });
  await it.run(at('2026-11-20', '16:00'));
  const pauses = it.polls.slice(1).map((poll, index) => poll - (it.polls[index] ?? 0));
  assert.ok(pauses.every((ms) => ms >= minuteMs && ms <= 1.1 * minuteMs));
  assert.ok(new Set(pauses).size > 10);
});

test('a response is requested again only when it has changed', async () => {
  const validators = { etag: '"1"', lastModified: 'Fri, 20 Nov 2026 12:00:00 GMT' };
  const it = studio({
    from: at('2026-11-20', '11:00'),
    answer: (_, count) => (count === 2 ? 'unchanged' : { validators, text: `${count}` }),
  });
  const batches = await it.run(at('2026-11-20', '11:03'));
  assert.deepEqual(
    it.requests.map(({ known }) => known),
    [undefined, validators, validators],
  );
  assert.deepEqual(
    it.polled.map(({ text }) => text),
    ['1', '3'],
  );
  assert.deepEqual(it.repeated, [it.polls[1]], 'an unchanged response is one of a later instant');
  assert.deepEqual(batches, [emptyBatch, emptyBatch, emptyBatch], 'unchanged means healthy');
});

test('a body that was not understood is requested in full the next time', async () => {
  let isBroken = true;
  const it = studio({
    from: at('2026-11-20', '11:00'),
    answer: () => ({ validators: { etag: '"1"' } }),
    poll: {
      requests: [
        {
          request: () => ({ url: new URL('https://source.test/') }),
          map: () => {
            if (isBroken) throw new FeedFault('unintelligible', 'half of it');
            return emptyBatch;
          },
        },
      ],
    },
  });
  await assert.rejects(it.run(Infinity), { code: 'unintelligible' });
  isBroken = false;
  await it.run(at('2026-11-20', '11:01'));
  assert.equal(it.requests[1]?.known, undefined);
});

test('the instant of a snapshot is the request minus the delay and the age of the response', async () => {
  const from = at('2026-11-20', '11:00');
  const it = studio({ from, answer: () => ({ ageMs: 45_000 }), poll: { delayMs: 20 * minuteMs } });
  await it.run(from + 1);
  assert.equal(it.polled[0]?.snapshotAt, from - 45_000 - 20 * minuteMs);
});

test('one request that fails does not stop the others, and is reported with them', async () => {
  const it = studio({
    from: at('2026-11-20', '11:00'),
    paths: ['/a', '/gone', '/c'],
    answer: ({ url }) => (url.pathname === '/gone' ? { fails: 'invalid-request' } : {}),
  });
  const batches = await it.run(at('2026-11-20', '11:00') + 1);
  assert.equal(it.requests.length, 3);
  assert.deepEqual(
    batches.map(({ failed = [] }) => failed.map(({ code }) => code)),
    [[], [], ['invalid-request']],
  );
});

test('a request that found the source unavailable is sent once more soon after, even while the market is closed', async () => {
  for (const [answersAgain, failed] of [
    [true, []],
    [false, ['unavailable']],
  ] as const) {
    const from = at('2026-11-21', '11:00');
    const it = studio({
      from,
      paths: ['/a', '/late', '/c'],
      answer: ({ url }, count) =>
        url.pathname === '/late' && (count < 4 || !answersAgain) ? { fails: 'unavailable' } : {},
    });
    const batches = await it.run(from + hourMs / 2);
    assert.deepEqual(pathsOf(it.requests), ['/a', '/late', '/c', '/late']);
    assert.deepEqual(
      it.polls.map((poll) => poll - from),
      [0, 0, 0, 15_000],
    );
    assert.deepEqual(
      batches.flatMap((batch) => batch.failed ?? []).map(({ code }) => code),
      failed,
    );
  }
});

test('a request that is sent again delays no poll, and is not sent if the next poll is sooner', async () => {
  for (const [pollSeconds, seconds] of [
    [60, [0, 0, 15, 60, 60, 75]],
    [10, [0, 0, 10, 10, 20, 20]],
  ] as const) {
    const from = at('2026-11-20', '11:00');
    const it = studio({
      from,
      paths: ['/a', '/late'],
      answer: ({ url }) => (url.pathname === '/late' ? { fails: 'unavailable' } : {}),
      poll: { pollSeconds },
    });
    await it.run(from + 120_000);
    assert.deepEqual(
      it.polls.slice(0, 6).map((poll) => (poll - from) / 1_000),
      seconds,
    );
  }
});

test('a poll whose requests all fail is a fault', async () => {
  const it = studio({
    from: at('2026-11-20', '11:00'),
    paths: ['/a', '/b'],
    answer: () => ({ fails: 'invalid-request' }),
  });
  await assert.rejects(it.run(Infinity), { code: 'invalid-request' });
  assert.equal(it.requests.length, 2);
});

test('a limit and a wrong certificate end a poll at once, an outage after three requests, refusals after ten', async () => {
  for (const [code, requests] of [
    ['limited', 1],
    ['refused', 10],
    ['untrusted', 1],
    ['unavailable', 3],
  ] as const) {
    const it = studio({
      from: at('2026-11-20', '11:00'),
      paths: Array.from({ length: 15 }, (_, index) => `/${index}`),
      answer: () => ({ fails: code }),
    });
    await assert.rejects(it.run(Infinity), { code });
    assert.equal(it.requests.length, requests, code);
  }
});

for (const refused of ['/a', '/b', '/c']) {
  test(`a refusal is about its path, and does not end the poll: ${refused} of three`, async () => {
    const from = at('2026-11-20', '11:00');
    const it = studio({
      from,
      paths: ['/a', '/b', '/c'],
      answer: ({ url }) => (url.pathname === refused ? { fails: 'refused' } : {}),
    });
    const batches = await it.run(from + 1);
    assert.deepEqual(pathsOf(it.requests), ['/a', '/b', '/c']);
    assert.deepEqual(
      batches.flatMap(({ failed = [] }) => failed.map(({ code }) => code)),
      ['refused'],
    );
  });
}

test('after a limit, the next poll begins with the request that was limited, and in time serves all', async () => {
  const from = at('2026-11-20', '11:00');
  const it = studio({
    from,
    paths: ['/a', '/b', '/c', '/d'],
    // Every third request is one too many.
    answer: (_, count) => (count % 3 === 0 ? { fails: 'limited' } : {}),
  });
  for (let polls = 0; polls < 3; polls += 1) {
    await assert.rejects(it.run(Infinity), { code: 'limited' });
  }
  assert.deepEqual(pathsOf(it.requests), ['/a', '/b', '/c', '/c', '/d', '/a', '/a', '/b', '/c']);
});

test('requests are sent in place of one that gives no data, and count as its success', async () => {
  const from = at('2026-11-20', '11:00');
  const requests = [{ ...single('/many'), instead: [single('/one'), single('/two')] }];
  for (const [fails, paths] of [
    ['invalid-request', ['/many', '/one', '/two']],
    ['refused', ['/many', '/one', '/two']],
    ['unintelligible', ['/many', '/one', '/two']],
  ] as const) {
    const answer = ({ url }: FetchRequest): Answer => (url.pathname === '/many' ? { fails } : {});
    const it = studio({ from, poll: { requests }, answer });
    const batches = await it.run(from + 1);
    assert.deepEqual(pathsOf(it.requests), paths);
    assert.deepEqual(
      batches.map(({ failed = [] }) => failed.map(({ code }) => code)),
      [[], [], [fails]],
    );
  }
  const limited = studio({
    from,
    poll: { requests },
    answer: (_, count) => (count === 1 ? { fails: 'invalid-request' } : { fails: 'limited' }),
  });
  await assert.rejects(limited.run(Infinity), { code: 'limited' });
  assert.deepEqual(pathsOf(limited.requests), ['/many', '/one']);
});

test('of several prices of an instrument in one response the first is used, and the others are rejected by name', async () => {
  const from = at('2026-11-20', '11:00');
  const [ggal, aapl] = ['GGAL', 'AAPL_US'] as unknown as readonly [Ticker, Ticker];
  const updates = [
    { ticker: ggal, at: from, last: 1 },
    { ticker: ggal, at: from, bid: 2 },
    { ticker: aapl, at: from, last: 3 },
    { ticker: ggal, at: from, last: 4 },
  ];
  const request: PollRequest = {
    request: () => ({ url: new URL('https://source.test') }),
    map: () => ({ updates, rejected: [] }),
  };
  const [snapshot] = await studio({ from, poll: { requests: [request] } }).run(from + 1);
  assert.deepEqual(snapshot?.updates, updates.slice(0, 3));
  assert.deepEqual(
    snapshot?.rejected.map(({ reason, symbol }) => [reason, symbol]),
    [['repeated', 'GGAL']],
  );
  const series = { ...request, hasSeries: true };
  const [all] = await studio({ from, poll: { requests: [series] } }).run(from + 1);
  assert.deepEqual(all?.updates, updates, 'a series has many prices of one instrument');
});

test('the requests of one poll are spaced', async () => {
  const from = at('2026-11-20', '11:00');
  const it = studio({ from, paths: ['/a', '/b', '/c'], poll: { spacingMs: 500 } });
  await it.run(from + 1_001);
  assert.deepEqual(
    it.polls.map((poll) => poll - from),
    [0, 500, 1_000],
  );
});
