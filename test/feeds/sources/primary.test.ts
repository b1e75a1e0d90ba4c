import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { Update } from '../../../src/domain/quotes/update.ts';
import { FeedFault } from '../../../src/feeds/contract/feed.ts';
import { PrimaryMapper, isOffered, primaryType } from '../../../src/feeds/sources/primary.ts';
import { Secrets } from '../../../src/feeds/contract/secrets.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { sharedOrSkip } from '../../support/program/shared-data.ts';
import {
  fixed,
  hang,
  SourceServer,
  type ReceivedRequest,
  type Responder,
} from '../../support/http/source-server.ts';
import { createFeed, shortLimits, testSocketSource } from './source-suite.ts';
import { deferred } from '../../support/wait.ts';

const universe = makeUniverse([
  { ticker: 'GGAL' },
  { ticker: 'YPFD' },
  { ticker: 'AL30', kind: 'bond' },
  { ticker: 'CAUCION 1D', kind: 'interest-rate' },
  { ticker: 'AAPL_US', market: 'NYSE' },
]);

/** An instant of Friday, 20 November 2026, in Buenos Aires. */
function at(time: string, date = '2026-11-20'): number {
  return Date.parse(`${date}T${time}-03:00`);
}

const now = at('12:30:00');
const token = 'token-7c41d0aa93';

/** A message as the source sends it, with made-up values. */
function frame(symbol: string, time: string, marketData: object): string {
  const instrumentId = { marketId: 'ROFX', symbol };
  return JSON.stringify({ type: 'Md', timestamp: at(time), instrumentId, marketData });
}

function trade(price: number, date: unknown): object {
  return { LA: { price, size: 10, date } };
}

const ggal = 'MERV - XMEV - GGAL - 24hs';
const al30 = 'MERV - XMEV - AL30 - 24hs';

const logIn: Responder = ({ method, url, headers }, response) => {
  const { 'x-username': user, 'x-password': password } = headers;
  const isRight = method === 'POST' && url === '/auth/getToken';
  assert.ok(isRight && user !== undefined && password !== undefined);
  response.writeHead(200, { 'x-auth-token': token }).end();
};

function update(ticker: string, time: string, rest: Omit<Update, 'ticker' | 'at'>): Update {
  return { ticker: ticker as Ticker, at: at(time), ...rest };
}

const config = { key: { env: 'SOURCE_KEY' }, secret: { env: 'SOURCE_SECRET' } };

testSocketSource({
  type: primaryType,
  universe,
  config: { ...config, instruments: { exclude: ['YPFD'] } },
  now,
  respond: logIn,
  // One for each of GGAL and AL30, six for the shortest repurchase agreement.
  subscriptions: 8,
  frames: [
    // Nothing has traded.
    frame(al30, '12:00:00', { OP: null, NV: 0 }),
    frame(ggal, '12:00:01', {
      ...trade(6_000, at('12:00:00')),
      OP: 5_990,
      HI: 6_010,
      LO: 5_980,
      NV: 100,
    }),
    frame('MERV - XMEV - PESOS - 1D', '12:00:02', trade(17.5, at('12:00:02'))),
    // The next session is on Tuesday, because Monday is a holiday.
    frame('MERV - XMEV - PESOS - 4D', '12:00:03', {
      ...trade(21.5, at('12:00:03')),
      NV: 5_000_000,
    }),
    frame(ggal, '12:00:05', {
      ...trade(6_020, at('12:00:04')),
      OP: 5_990,
      HI: 6_020,
      LO: 5_980,
      NV: 150,
    }),
    frame(al30, '12:00:06', { ...trade(83_900, at('12:00:05')), OP: 0, HI: 0, LO: 0 }),
    frame('MERV - XMEV - YPFD - 24hs', '12:00:07', trade(8_300, at('12:00:07'))),
    frame(al30, '12:00:08', trade(0, at('12:00:08'))),
  ],
  expected: [
    update('GGAL', '12:00:00', { last: 6_000, open: 5_990, high: 6_010, low: 5_980, volume: 100 }),
    update('CAUCION 1D', '12:00:03', { last: 21.5 }),
    update('GGAL', '12:00:04', { last: 6_020, open: 5_990, high: 6_020, low: 5_980, volume: 150 }),
    update('AL30', '12:00:05', { last: 83_900 }),
  ],
});

/** What a new mapper makes of messages. */
function map(...texts: readonly string[]): readonly unknown[] {
  const mapper = new PrimaryMapper(universe, universe.instruments);
  return texts.flatMap((text) => {
    const { updates, rejected } = mapper.map(text);
    return [...updates, ...rejected.map(({ reason }) => reason)];
  });
}

test('primary: a trade of an earlier session keeps its instant, and takes no values of today', () => {
  const yesterday = at('16:59:00', '2026-11-19');
  const today = { OP: 5_990, HI: 6_010, LO: 5_980, NV: 100 };
  assert.deepEqual(map(frame(ggal, '10:31:00', { ...trade(6_000, yesterday), ...today })), [
    { ticker: 'GGAL', at: yesterday, last: 6_000 },
  ]);
});

test('primary: the book is that of the instant of the message, once the instrument has traded today', () => {
  const book = {
    BI: [{ price: 6_005, size: 120 }],
    OF: [{ price: 6_010.5, size: 40 }],
    EV: 15_964_000,
    TC: 812,
  };
  const traded = trade(6_010, at('12:00:00'));
  const price = update('GGAL', '12:00:00', { last: 6_010 });
  const all = { bid: 6_005, bidSize: 120, ask: 6_010.5, askSize: 40 };
  assert.deepEqual(map(frame(ggal, '12:00:05', { ...traded, ...book })), [
    price,
    update('GGAL', '12:00:05', { ...all, amount: 15_964_000, trades: 812 }),
  ]);
  const empty = { ...traded, BI: [], OF: null, EV: null, TC: 0 };
  assert.deepEqual(map(frame(ggal, '12:00:05', empty)), [
    price,
    update('GGAL', '12:00:05', { bidSize: 0, askSize: 0, trades: 0 }),
  ]);
  assert.deepEqual(map(frame(ggal, '12:00:05', book)), [], 'nothing has traded');
  const yesterday = at('16:59:00', '2026-11-19');
  assert.deepEqual(map(frame(ggal, '12:00:05', { ...trade(6_000, yesterday), ...book })), [
    { ticker: 'GGAL', at: yesterday, last: 6_000 },
  ]);
  const repo = frame('MERV - XMEV - PESOS - 4D', '12:00:05', { ...traded, ...book });
  assert.deepEqual(map(repo), [
    update('CAUCION 1D', '12:00:00', { last: 6_010 }),
    update('CAUCION 1D', '12:00:05', { bid: 6_005, ask: 6_010.5, trades: 812 }),
  ]);
});

test('primary: the shortest repurchase agreement ends on the next settlement day, over a bridge day', () => {
  // On Friday, 4 December 2026: nothing settles on Monday, and Tuesday is a holiday.
  const traded = at('12:00:00', '2026-12-04');
  const repo = (days: number): string => {
    const symbol = `MERV - XMEV - PESOS - ${days}D`;
    const instrumentId = { marketId: 'ROFX', symbol };
    const marketData = trade(25, traded);
    return JSON.stringify({ type: 'Md', timestamp: traded, instrumentId, marketData });
  };
  assert.deepEqual(map(repo(3)), ['no-instrument']);
  assert.deepEqual(map(repo(5)), [{ ticker: 'CAUCION 1D', at: traded, last: 25 }]);
});

test('primary: a trade without an instant that can be is rejected', () => {
  for (const date of [null, undefined, 0, -62_135_596_800_000, 1.5, '2026-11-20', 1e18]) {
    assert.deepEqual(map(frame(ggal, '12:00:00', trade(6_000, date))), ['bad-instant']);
  }
});

test('primary: an error about a symbol names it, and any other is not understood', () => {
  const sent = JSON.stringify({ type: 'smd', products: [{ symbol: ggal, marketId: 'ROFX' }] });
  const error = { status: 'ERROR', description: `Product ${ggal}:ROFX doesn't exist` };
  const mapper = new PrimaryMapper(universe, []);
  assert.deepEqual(mapper.map(JSON.stringify({ ...error, message: sent })).rejected, [
    { reason: 'not-offered', symbol: ggal, sample: error.description },
  ]);
  assert.deepEqual(map(JSON.stringify(error)), ['unintelligible']);
});

test('primary: each instrument has the symbol of its market, and futures of A3 are their own', () => {
  const offered = makeUniverse([
    { ticker: 'BA.C', kind: 'cedear' },
    { ticker: 'CAUCION 7D', kind: 'interest-rate' },
    { ticker: 'MERVAL', kind: 'index' },
    { ticker: 'AAPL_US', market: 'NYSE' },
  ]);
  const { instruments } = offered;
  const [first] = instruments;
  assert.ok(first !== undefined);
  const dollars = {
    ...first,
    ticker: 'DLR/DIC26' as Ticker,
    kind: 'exchange-rate',
    market: 'A3',
  } as const;
  const rate = { ...dollars, ticker: 'DOLAR CCL MTR' as Ticker };
  assert.ok(isOffered(dollars));
  assert.ok(!isOffered(rate));
  const mapper = new PrimaryMapper(offered, instruments);
  const symbols = mapper.subscriptions().map((text) => {
    const { products } = JSON.parse(text) as { products: { symbol: string }[] };
    return products.map(({ symbol }) => symbol).join();
  });
  assert.deepEqual(symbols, ['MERV - XMEV - BA.C - 24hs', 'MERV - XMEV - PESOS - 7D']);
});

test('primary: the recorded message without a trade gives nothing', (t) => {
  const file = sharedOrSkip(t, 'payloads/primary/ws-md-frames.ndjson');
  if (file === undefined) return;
  assert.deepEqual(map(...readFileSync(file, 'utf8').trim().split('\n')), []);
});

/** The fault of a feed that never connects, and the requests that it sent. */
async function faultOf(
  respond: Responder,
  secrets?: Secrets,
): Promise<{ readonly fault: FeedFault; readonly requests: readonly ReceivedRequest[] }> {
  await using server = await SourceServer.start();
  server.respond = respond;
  const feed = createFeed({ type: primaryType, universe, now, config }, server.socketUrl, {
    // A healthy server that is slow on a busy machine must not look like one that hangs.
    ...(respond === hang && { fetchLimits: shortLimits }),
    ...(secrets && { secrets }),
  });
  try {
    for await (const _ of feed.batches(AbortSignal.timeout(600_000))) assert.fail('a batch came');
  } catch (fault) {
    assert.ok(fault instanceof FeedFault, String(fault));
    return { fault, requests: server.requests };
  }
  return assert.fail('the feed ended without a fault');
}

test('primary: a login that fails is a fault, and no connection is opened', async () => {
  for (const [code, respond, retryAfterMs] of [
    ['refused', fixed(401)],
    ['refused', fixed(403)],
    ['limited', fixed(429, { 'retry-after': '7' }), 7_000],
    ['unavailable', fixed(500)],
    ['unavailable', hang],
    ['unintelligible', fixed(200, { 'content-type': 'text/html' }, '<html></html>')],
    ['unintelligible', fixed(200, { 'x-auth-token': '' })],
    ['unintelligible', fixed(302, { location: 'https://example.com/' })],
  ] as const) {
    const { fault, requests } = await faultOf(respond);
    assert.equal(fault.code, code, fault.message);
    assert.equal(fault.retryAfterMs, retryAfterMs);
    assert.ok(requests.every(({ headers }) => !('upgrade' in headers)));
    assert.doesNotMatch(`${fault.message} ${fault.stack}`, /sk-5f2c9e01b7/);
  }
});

test('primary: without a user or a password nothing is sent', async () => {
  const secrets = new Secrets({ env: { SOURCE_KEY: 'user' }, directory: '.' });
  const { fault, requests } = await faultOf(logIn, secrets);
  assert.equal(fault.code, 'refused');
  assert.match(fault.message, /SOURCE_SECRET/);
  assert.deepEqual(requests, []);
});

test('primary: the token opens the connection, and is removed from texts', async () => {
  await using server = await SourceServer.start();
  server.respond = logIn;
  const opened = deferred<ReceivedRequest>();
  server.upgrade = (request, socket) => {
    opened.resolve(request);
    socket.destroy();
  };
  const secrets = new Secrets({
    env: { SOURCE_KEY: 'user', SOURCE_SECRET: 'password' },
    directory: '.',
  });
  const source = { type: primaryType, universe, now, config };
  const feed = createFeed(source, server.socketUrl, { secrets });
  await assert.rejects(
    async () => {
      for await (const _ of feed.batches(AbortSignal.timeout(600_000))) assert.fail('a batch came');
    },
    { code: 'unavailable' },
  );
  const { headers, url } = await opened.promise;
  assert.equal(headers['x-auth-token'], token);
  assert.equal(url, '/');
  assert.equal(secrets.redact(`echo ${token}`), 'echo [secret]');
});
