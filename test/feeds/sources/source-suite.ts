import assert from 'node:assert/strict';
import { test as nodeTest, type TestContext } from 'node:test';
import { fromEpochDay, type PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { Universe } from '../../../src/domain/instruments/universe.ts';
import type { Update } from '../../../src/domain/quotes/update.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { readFeedConfig } from '../../../src/feeds/contract/feed-config.ts';
import type { FeedDeps, FeedType } from '../../../src/feeds/contract/feed-type.ts';
import {
  FeedFault,
  type Feed,
  type FeedBatch,
  type FeedFaultCode,
  type Rejected,
} from '../../../src/feeds/contract/feed.ts';
import type { HistorySource } from '../../../src/feeds/contract/history-source.ts';
import { Secrets } from '../../../src/feeds/contract/secrets.ts';
import { silentLog } from '../../../src/lib/reports/log.ts';
import type { WebSocket } from 'ws';
import { makeCertificate } from '../../support/program/make-certificate.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { pauseInRealTime } from '../../../src/lib/time/pause.ts';
import {
  drip,
  endless,
  fixed,
  gzipBomb,
  hang,
  healthy,
  reset,
  SourceServer,
  stall,
  truncate,
  type ReceivedRequest,
  type Responder,
  type SourceResponse,
  type Upgrader,
} from '../../support/http/source-server.ts';
import { deferred } from '../../support/wait.ts';

/** What both kinds of sources tell the suite. */
interface TestedSource {
  readonly type: FeedType;
  readonly universe: Universe;
  /** The fields of the configuration besides `name`, `type` and `url`. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The time of the recording, in epoch milliseconds. */
  readonly now: number;
  /** Exactly the updates that the recording gives, in any order. */
  readonly expected: readonly Update[];
  /** The source may have any instrument: it has no table of symbols. */
  readonly offersAny?: boolean;
}

/** A source that is polled. */
export interface TestedPoll extends TestedSource {
  /** The recorded response to a request. */
  readonly respond: (request: ReceivedRequest) => SourceResponse | undefined;
  /** The path of the URL in the configuration, where it has one. */
  readonly path?: string;
  /** Bodies with status 200 that hold no data: an empty list in the form of the source. */
  readonly emptyBodies?: readonly string[];
  /**
   * An earlier poll, for a source whose rows count only when they have changed since: each feed of the
   * suite polls once, with these responses, before the test begins.
   */
  readonly before?: {
    /** The time of the poll, in epoch milliseconds. */
    readonly now: number;
    readonly respond: TestedPoll['respond'];
    /** The number of requests of a poll. */
    readonly requests: number;
  };
}

/** A source that sends over a WebSocket. */
export interface TestedSocket extends TestedSource {
  /** The recorded messages. */
  readonly frames: readonly string[];
  /** How many messages the feed sends before it gets the first one. */
  readonly subscriptions?: number;
  /** Answers the requests that the feed sends before it connects. */
  readonly respond?: Responder;
}

/** The value of every key in the suite. A source that leaks it fails. */
const secret = 'sk-5f2c9e01b7';

/** The environment variable that holds it: `key: { env: SOURCE_KEY }`. */
const env = { SOURCE_KEY: secret, SOURCE_SECRET: secret };

/** Limits that no healthy response exceeds, on a busy machine either. */
const patientLimits = {
  headMs: 20_000,
  idleMs: 20_000,
  totalMs: 20_000,
  bodyBytesMax: 4 * 1_048_576,
};

/**
 * Limits for a test that waits until they are exceeded. A healthy response that is slower is requested
 * again.
 */
export const shortLimits = { ...patientLimits, headMs: 200, idleMs: 200, totalMs: 400 };

/** The limits of the feeds of the test under way. */
let fetchLimits = patientLimits;

/** As {@link patientLimits}, for connections. */
const patientSocketLimits = { handshakeMs: 20_000, idleMs: 10_000, messageBytesMax: 65_536 };

/** As {@link shortLimits}, for connections. */
const shortSocketLimits = { ...patientSocketLimits, handshakeMs: 400, idleMs: 200 };

let socketLimits = patientSocketLimits;

/** The maximum time of one test, in milliseconds. */
const timeout = 600_000;

/** Aborts when the test under way ends, however it ends: no feed outlives its test. */
let running = new AbortController();

/** A test with a limit for all of its waiting. */
function test(name: string, run: (t: TestContext) => Promise<void>): void {
  void nodeTest(name, { timeout }, async (t) => {
    running = new AbortController();
    fetchLimits = patientLimits;
    socketLimits = patientSocketLimits;
    t.after(() => running.abort());
    await run(t);
  });
}

/** The maximum number of times that a feed is started again until it has recovered. */
const startsMax = 20;

/** A faulty response of a source, and the fault that the feed must report for it. */
interface Misbehaviour {
  readonly name: string;
  readonly respond: Responder;
  readonly code: FeedFaultCode;
  readonly retryAfterMs?: number;
}

const unexpectedUnchanged = 'status 304 that was not asked for';
const html = '<!doctype html><html><title>Just a moment…</title></html>';
const page = { 'content-type': 'text/html' };
const json = { 'content-type': 'application/json' };

/** The responses that exceed a limit of time. */
const slowResponses: readonly Misbehaviour[] = [
  { name: 'no answer', respond: hang, code: 'unavailable' },
  { name: 'a body that stalls', respond: stall, code: 'unavailable' },
  { name: 'a body that drips', respond: drip, code: 'unavailable' },
];

function misbehaviours(body: string, emptyBodies: readonly string[]): readonly Misbehaviour[] {
  const echo: Responder = (request, response) => {
    const text = `wrong key: ${JSON.stringify(request.headers)} ${request.url}`;
    response.writeHead(401, json).end(text);
  };
  return [
    {
      name: 'status 429 with Retry-After',
      respond: fixed(429, { 'retry-after': '7' }),
      code: 'limited',
      retryAfterMs: 7_000,
    },
    { name: 'status 429', respond: fixed(429), code: 'limited' },
    { name: 'status 418', respond: fixed(418), code: 'limited' },
    {
      name: 'a text about a limit with status 200',
      respond: fixed(200, { 'content-type': 'text/plain' }, 'Exceeded the daily hits limit'),
      code: 'limited',
    },
    { name: 'status 500', respond: fixed(500, page, html), code: 'unavailable' },
    {
      name: 'status 503 with Retry-After',
      respond: fixed(503, { 'retry-after': '30' }),
      code: 'unavailable',
      retryAfterMs: 30_000,
    },
    { name: 'status 401 that repeats the request', respond: echo, code: 'refused' },
    { name: 'status 403', respond: fixed(403, page, html), code: 'refused' },
    { name: 'status 404', respond: fixed(404, json, '{}'), code: 'invalid-request' },
    { name: unexpectedUnchanged, respond: fixed(304), code: 'unintelligible' },
    { name: 'a page with status 200', respond: fixed(200, page, html), code: 'unintelligible' },
    { name: 'an empty body', respond: fixed(200, json), code: 'unintelligible' },
    {
      name: 'half of the JSON',
      respond: fixed(200, json, body.slice(0, body.length / 2)),
      code: 'unintelligible',
    },
    { name: 'another JSON', respond: fixed(200, json, '{"status":"ok"}'), code: 'unintelligible' },
    { name: 'null', respond: fixed(200, json, 'null'), code: 'unintelligible' },
    ...emptyBodies.map((text) => ({
      name: `no data: ${text.slice(0, 40)}`,
      respond: fixed(200, json, text),
      code: 'unintelligible' as const,
    })),
    { name: 'a body that ends too early', respond: truncate(body), code: 'unavailable' },
    { name: 'a reset in the middle', respond: reset(body), code: 'unavailable' },
    { name: 'a body without an end', respond: endless, code: 'unintelligible' },
    { name: 'a gzip bomb', respond: gzipBomb, code: 'unintelligible' },
    {
      name: 'a redirect to another server',
      respond: fixed(302, { location: 'https://example.com/' }),
      code: 'unintelligible',
    },
    {
      name: 'a redirect to itself',
      respond: (request, response) => response.writeHead(302, { location: request.url }).end(),
      code: 'unintelligible',
    },
  ];
}

/** A source of which no instrument is served connects to nothing. */
function testWithoutInstruments(source: TestedSource & { readonly isSocket: boolean }): void {
  test(`${source.type.type}: without an instrument in the universe it connects to nothing and ends`, async () => {
    await using server = await SourceServer.start();
    const universe = makeUniverse([{ ticker: 'NONE OF ITS', kind: 'spread', market: 'CRIPTO' }]);
    const { config = {} } = source;
    // The instruments of the configuration are not in this universe.
    const others = Object.fromEntries(
      Object.entries(config).filter(([key]) => key !== 'instruments'),
    );
    const url = source.isSocket ? server.socketUrl : server.url;
    const feed = createFeed({ ...source, universe, config: others }, url);
    for await (const _ of feed.batches(running.signal)) assert.fail('there is nothing to send');
    assert.deepEqual(server.requests, []);
  });
}

/** The guarantees of every polled source. */
export function testPolledSource(source: TestedPoll): void {
  const { type, path = '', respond } = source;
  if (source.offersAny !== true) testWithoutInstruments({ ...source, isSocket: false });
  const good = healthy(respond);

  test(`${type.type}: a poll gives exactly the updates of the recording`, async () => {
    await using server = await SourceServer.start();
    const feed = await createPolledOnce(source, server);
    server.respond = good;
    await recovers(feed, source);
    if (source.config?.['key'] !== undefined) {
      const carriers = server.requests.filter((one) => JSON.stringify(one).includes(secret));
      assert.ok(carriers.length > 0, 'the key is sent');
    }
  });

  test(`${type.type}: a second poll that finds nothing new gives an empty batch`, async () => {
    await using server = await SourceServer.start();
    const feed = await createPolledOnce(source, server);
    server.respond = good;
    await recovers(feed, source);
    const before = server.requests.length;
    const updates = await firstUpdates(feed, 1);
    const repeated = server.requests.slice(before);
    if (repeated.every(({ headers }) => headers['if-none-match'] !== undefined)) {
      assert.deepEqual(updates, []);
    }
  });

  // The content of this body does not matter: each case damages it, or sends it with another status.
  const body = JSON.stringify([{ some: 'data', that: 'ends', with: 'nothing' }]);
  const faultsAndRecovers = async (misbehaviour: Misbehaviour): Promise<void> => {
    await using server = await SourceServer.start();
    const feed = await createPolledOnce(source, server);
    server.respond = misbehaviour.respond;
    const fault = await faultOf(feed);
    assert.equal(fault.code, misbehaviour.code, fault.message);
    assert.equal(fault.retryAfterMs, misbehaviour.retryAfterMs);
    server.respond = good;
    await recovers(feed, source);
  };

  for (const misbehaviour of misbehaviours(body, source.emptyBodies ?? ['[]'])) {
    const { name, code } = misbehaviour;
    // After an earlier poll, the source may well say that nothing has changed.
    if (name === unexpectedUnchanged && source.before !== undefined) continue;
    test(`${type.type}: ${name} is a fault "${code}", and the source recovers`, () =>
      faultsAndRecovers(misbehaviour));
  }

  const slow = slowResponses.map(({ name }) => name).join(', ');
  // All at once, because each waits until its limit is exceeded.
  test(`${type.type}: ${slow} is a fault "unavailable", and the source recovers`, async () => {
    fetchLimits = shortLimits;
    await Promise.all(slowResponses.map(faultsAndRecovers));
  });

  test(`${type.type}: a server that does not exist is unavailable`, async () => {
    const server = await SourceServer.start();
    await server[Symbol.asyncDispose]();
    assert.equal((await faultOf(createFeed(source, server.url + path))).code, 'unavailable');
  });

  test(`${type.type}: a certificate that does not verify is a fault "untrusted"`, async (t) => {
    const certificate = makeCertificate();
    if (certificate === undefined) {
      t.skip('needs openssl');
      return;
    }
    await using server = await SourceServer.start(certificate);
    server.respond = good;
    assert.equal((await faultOf(createFeed(source, server.url + path))).code, 'untrusted');
    assert.deepEqual(server.requests, []);
  });
}

/** The guarantees of every source over a WebSocket. */
export function testSocketSource(source: TestedSocket): void {
  const { type, frames, subscriptions = 0 } = source;
  const name = type.type;
  testWithoutInstruments({ ...source, isSocket: true });

  test(`${name}: a connection gives the updates of the recording and no others`, async () => {
    await using server = await startSocketServer(source);
    server.upgrade = sendsAndCloses(frames, subscriptions);
    assertRecorded(source, await untilFault(createFeed(source, server.socketUrl)));
    if (source.config?.['key'] !== undefined) {
      assert.ok(
        JSON.stringify([server.requests, server.messages]).includes(secret),
        'the key is sent',
      );
    }
  });

  for (const [what, upgrade, code, retryAfterMs] of badUpgrades()) {
    test(`${name}: ${what} is a fault "${code}", and the source recovers`, async () => {
      await using server = await startSocketServer(source);
      server.upgrade = upgrade;
      if (what === 'no answer') socketLimits = shortSocketLimits;
      const feed = createFeed(source, server.socketUrl);
      const fault = await faultOf(feed);
      assert.equal(fault.code, code, fault.message);
      assert.equal(fault.retryAfterMs, retryAfterMs);
      server.upgrade = sendsAndCloses(frames, subscriptions);
      for (let starts = 1; ; starts += 1) {
        const after = await untilFault(feed);
        // On a busy machine even the healthy server may take longer than the limits of the suite.
        if (after.updates.length === 0 && starts < startsMax) continue;
        assertRecorded(source, after);
        break;
      }
    });
  }

  test(`${name}: what came before a reset is not lost, and the reset is a fault`, async () => {
    await using server = await startSocketServer(source);
    server.upgrade = (_, socket, accept) =>
      accept((webSocket) => {
        afterSubscriptions(webSocket, subscriptions, () => {
          for (const frame of frames) webSocket.send(frame);
          // The frames are in flight before the connection breaks.
          webSocket.ping('', false, () => void socket.destroy());
        });
      });
    const all = await untilFault(createFeed(source, server.socketUrl));
    assert.equal(all.fault.code, 'unavailable');
    assertRecorded(source, all);
  });

  test(`${name}: a half-open connection is noticed by the missing answer to a ping`, async () => {
    await using server = await startSocketServer(source);
    server.upgrade = (_, __, accept) => accept(() => undefined, { answersPings: false });
    socketLimits = shortSocketLimits;
    const fault = await faultOf(createFeed(source, server.socketUrl));
    assert.equal(fault.code, 'unavailable');
    assert.match(fault.message, /ping/);
  });

  test(`${name}: messages that are not understood are rejected, and the connection stays`, async () => {
    await using server = await startSocketServer(source);
    const odd = ['', 'null', '[]', '{}', '7', html, '{"e":', '{"data":null}', '"text"'];
    server.upgrade = sendsAndCloses([...odd, ...frames], subscriptions);
    const all = await untilFault(createFeed(source, server.socketUrl));
    assertRecorded(source, all);
    assert.ok(all.rejected.some(({ reason }) => reason === 'unintelligible'));
    assert.equal(server.requests.filter(({ headers }) => 'upgrade' in headers).length, 1);
  });

  test(`${name}: duplicated and reordered messages give the same quotes`, async () => {
    await using server = await startSocketServer(source);
    const disorder = [...frames.slice(1), ...frames.toReversed(), ...frames];
    server.upgrade = sendsAndCloses(disorder, subscriptions);
    const { updates } = await untilFault(createFeed(source, server.socketUrl));
    // A price may be given the instant of another message that repeats it.
    const prices = new Set(source.expected.map(({ ticker, last }) => `${ticker} ${last}`));
    assert.deepEqual(
      updates.filter(({ ticker, last }) => !prices.has(`${ticker} ${last}`)),
      [],
    );
    assert.deepEqual(quotesOf(source, updates), quotesOf(source, source.expected));
  });

  test(`${name}: at the end of its lifetime a connection is replaced before it is closed`, async () => {
    await using server = await startSocketServer(source);
    let opened = 0;
    const openedAtClose = deferred<number>();
    server.upgrade = (_, __, accept) =>
      accept((webSocket) => {
        opened += 1;
        const isFirst = opened === 1;
        afterSubscriptions(webSocket, subscriptions, () => {
          // Without a batch from the old connection, the feed is not asked for the next one.
          if (!isFirst) for (const frame of frames) webSocket.send(frame);
        });
        webSocket.on('close', () => isFirst && openedAtClose.resolve(opened));
      });
    const feed = createFeed(source, server.socketUrl, {
      socketLimits: { ...socketLimits, lifetimeMs: 100 },
    });
    for await (const { updates } of untilAborted(feed)) if (updates.length > 0) break;
    assert.ok((await openedAtClose.promise) >= 2);
  });

  test(`${name}: a certificate that does not verify is a fault "untrusted"`, async (t) => {
    const certificate = makeCertificate();
    if (certificate === undefined) {
      t.skip('needs openssl');
      return;
    }
    await using server = await SourceServer.start(certificate);
    server.upgrade = sendsAndCloses(frames, subscriptions);
    assert.equal((await faultOf(createFeed(source, server.socketUrl))).code, 'untrusted');
    assert.deepEqual(server.requests, []);
  });
}

/** A server that answers what the feed requests before it connects. */
async function startSocketServer({ respond }: TestedSocket): Promise<SourceServer> {
  const server = await SourceServer.start();
  if (respond !== undefined) server.respond = respond;
  return server;
}

/** Answers the request for a WebSocket with another status. */
function answers(head: string): Upgrader {
  return (_, socket) =>
    void socket.end(`HTTP/1.1 ${head}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Opens the WebSocket and does something with it. */
function opens(act: (webSocket: WebSocket) => void): Upgrader {
  return (_, __, accept) => accept(act);
}

function badUpgrades(): readonly (readonly [string, Upgrader, FeedFaultCode, number?])[] {
  return [
    ['status 429', answers('429 Too Many Requests\r\nRetry-After: 7'), 'limited', 7_000],
    ['status 401', answers('401 Unauthorized'), 'refused'],
    ['status 404', answers('404 Not Found'), 'invalid-request'],
    ['status 500', answers('500 Internal Server Error'), 'unavailable'],
    ['status 200', answers('200 OK'), 'unintelligible'],
    ['a redirect', answers('302 Found\r\nLocation: wss://example.com/'), 'unintelligible'],
    ['no answer', () => undefined, 'unavailable'],
    ['a reset', (_, socket) => void socket.destroy(), 'unavailable'],
    ['a close', opens((socket) => socket.close(1013)), 'unavailable'],
    ['a message over the limit', opens((one) => one.send(' '.repeat(70_000))), 'unintelligible'],
    ['a binary message', opens((one) => one.send(Buffer.from([1, 2, 3]))), 'unintelligible'],
  ];
}

/** Sends messages as soon as the client has subscribed, and closes the connection after them. */
function sendsAndCloses(frames: readonly string[], subscriptions: number): Upgrader {
  return (_, __, accept) =>
    accept((webSocket) =>
      afterSubscriptions(webSocket, subscriptions, () => {
        for (const frame of frames) webSocket.send(frame);
        webSocket.close(1000);
      }),
    );
}

function afterSubscriptions(
  webSocket: { on(event: 'message', listener: () => void): unknown },
  count: number,
  act: () => void,
): void {
  let messages = 0;
  if (count === 0) act();
  webSocket.on('message', () => {
    messages += 1;
    if (messages === count) act();
  });
}

/** What a source is built from, besides what differs from test to test. */
type Built = Pick<TestedSource, 'type' | 'universe' | 'now'> & Partial<TestedSource>;

/** A feed as the service builds it from a configuration, with the limits of the suite. */
export function createFeed(source: Built, url: string, moreDeps: Partial<FeedDeps> = {}): Feed {
  const { type, config } = configure(source, url);
  assert.ok(type.create !== undefined);
  return type.create(config, { ...depsOf(source), ...moreDeps });
}

/** The history of a source as the service builds it, with the limits of the suite. */
export function createHistory(
  source: Built,
  url: string,
  moreDeps: Partial<FeedDeps> = {},
): HistorySource {
  const { type, config } = configure(source, url);
  assert.ok(type.createHistory !== undefined);
  return type.createHistory(config, { ...depsOf(source), ...moreDeps });
}

/** A request for the history of an instrument, and how the source answers. */
interface PlayedHistory {
  readonly ticker: string;
  readonly from: string;
  readonly to: string;
  readonly respond: Responder;
}

/** What the history of a source gives about one instrument, and what it has requested. */
export async function playHistory(source: Built, { ticker, from, to, respond }: PlayedHistory) {
  await using server = await SourceServer.start();
  server.respond = respond;
  const isSocket = 'historyUrl' in source.type.schema.shape;
  const config = { ...source.config, ...(isSocket && { historyUrl: server.url }) };
  const url = isSocket ? server.socketUrl : server.url;
  // The pauses between pages are left out.
  const history = createHistory({ ...source, config }, url, { pause: async () => undefined });
  const request = { ticker: ticker as Ticker, from: from as PlainDate, to: to as PlainDate };
  const batch = await history.fetch(request, AbortSignal.timeout(timeout));
  return {
    actions: batch.actions,
    closes: batch.closes.map(({ day, ...close }) => ({ date: fromEpochDay(day), ...close })),
    rejected: batch.rejected.map(({ reason }) => reason),
    instruments: history.instruments,
    requests: server.requests,
    urls: server.requests.map((one) => one.url),
  };
}

/** What is no history is a fault of every source, and no part of it is given. */
export function testHistoryFaults(
  { type }: FeedType,
  history: (respond: Responder) => Promise<unknown>,
): void {
  for (const { name, respond, code, retryAfterMs } of misbehaviours('[{"some":"data"}]', [])) {
    // A source may say in this way that it does not have the instrument.
    if (name === 'status 404') continue;
    test(`${type}: instead of a history, ${name} is a fault "${code}"`, async () => {
      await assert.rejects(history(respond), (fault) => {
        assert.ok(fault instanceof FeedFault, String(fault));
        assertNoSecret(fault);
        assert.deepEqual([fault.code, fault.retryAfterMs], [code, retryAfterMs], fault.message);
        return true;
      });
    });
  }
}

function configure({ type, universe, config = {} }: Built, url: string) {
  const value = [{ name: 'tested', type: type.type, url, ...config }];
  const read = readFeedConfig(value, { types: [type], universe });
  assert.ok(read.ok, JSON.stringify(read));
  const [feed] = read.feeds;
  assert.ok(feed !== undefined);
  return feed;
}

function depsOf({ universe, now }: Built): FeedDeps {
  return {
    universe,
    clock: { now: () => now, monotonic: () => performance.now() },
    log: silentLog,
    random: () => 0,
    pause: pauseInRealTime,
    directory: '.',
    secrets: new Secrets({ env, directory: '.' }),
    fetchLimits,
    socketLimits,
  };
}

/** A feed that polls without pauses, after the earlier poll where the source needs one. */
async function createPolledOnce(source: TestedPoll, server: SourceServer): Promise<Feed> {
  const { before, now, path = '' } = source;
  let time = before?.now ?? now;
  const feed = createFeed(source, server.url + path, {
    clock: { now: () => time, monotonic: () => performance.now() },
    pause: (_, signal) => pauseInRealTime(1, signal),
  });
  if (before === undefined) return feed;
  server.respond = healthy(before.respond);
  for (let starts = 1; ; starts += 1) {
    try {
      assert.deepEqual(await firstUpdates(feed, before.requests), []);
      break;
    } catch (fault) {
      // On a busy machine even the healthy server may take longer than the limits of the suite.
      if (!(fault instanceof FeedFault) || starts === startsMax) throw fault;
    }
  }
  server.requests.length = 0;
  time = now;
  return feed;
}

/** The fault that ends a feed. Nothing may have been invented before, and no key is in the fault. */
async function faultOf(feed: Feed): Promise<FeedFault> {
  const { updates, fault } = await untilFault(feed);
  assert.deepEqual(updates, []);
  return fault;
}

interface Received {
  readonly updates: readonly Update[];
  readonly rejected: readonly Rejected[];
}

/** All that a feed sends until it fails. */
async function untilFault(feed: Feed): Promise<Received & { readonly fault: FeedFault }> {
  const updates: Update[] = [];
  const rejected: Rejected[] = [];
  try {
    for await (const batch of feed.batches(running.signal)) {
      updates.push(...batch.updates);
      rejected.push(...batch.rejected);
    }
  } catch (fault) {
    assert.ok(fault instanceof FeedFault, String(fault));
    assertNoSecret(fault);
    assert.ok(!JSON.stringify(rejected).includes(secret), 'a rejection contains the key');
    return { updates, rejected, fault };
  }
  return assert.fail('the feed ended without a fault');
}

/** A fault and everything that caused it, as a log would show it. */
function assertNoSecret(fault: unknown): void {
  for (let one = fault; one instanceof Error; one = one.cause) {
    const text = `${one.message} ${one.stack} ${JSON.stringify(one)}`;
    assert.ok(!text.includes(secret), 'a fault contains the key');
  }
}

/** The feed gives exactly the updates of the recording, after a fault or without one. */
async function recovers(feed: Feed, source: TestedSource): Promise<void> {
  for (let starts = 1; ; starts += 1) {
    try {
      const { updates } = await received(feed, source);
      assertSameUpdates(updates, source.expected);
      return;
    } catch (fault) {
      // On a busy machine even the healthy server may take longer than the limits of the suite.
      if (!(fault instanceof FeedFault) || starts === startsMax) throw fault;
    }
  }
}

/** What a feed sends until it has sent as many updates as the recording has. */
async function received(feed: Feed, { expected }: TestedSource): Promise<Received> {
  const updates: Update[] = [];
  const rejected: Rejected[] = [];
  for await (const batch of untilAborted(feed)) {
    updates.push(...batch.updates);
    rejected.push(...batch.rejected);
    for (const one of batch.failed ?? []) throw one;
    if (updates.length >= expected.length) break;
  }
  assert.ok(!JSON.stringify(rejected).includes(secret), 'a rejection contains the key');
  return { updates, rejected };
}

async function firstUpdates(feed: Feed, batches: number): Promise<readonly Update[]> {
  const updates: Update[] = [];
  let seen = 0;
  for await (const batch of untilAborted(feed)) {
    updates.push(...batch.updates);
    // What was not received counts as never seen, and its changes would not be passed on later.
    for (const one of batch.failed ?? []) throw one;
    seen += 1;
    if (seen === batches) break;
  }
  return updates;
}

/** The batches of a feed, until the caller breaks out of the loop. */
async function* untilAborted(feed: Feed): AsyncGenerator<FeedBatch> {
  const stopping = new AbortController();
  try {
    yield* feed.batches(AbortSignal.any([running.signal, stopping.signal]));
  } finally {
    stopping.abort();
  }
}

function assertSameUpdates(actual: readonly Update[], expected: readonly Update[]): void {
  assert.deepEqual(actual.map(updateText).sort(), expected.map(updateText).sort());
}

/** The updates are of the recording, and they make the same quotes as all of its updates. */
function assertRecorded(source: TestedSocket, { updates }: Received): void {
  const recorded = new Set(source.expected.map(updateText));
  const invented = updates.filter((update) => !recorded.has(updateText(update)));
  assert.deepEqual(invented, []);
  assert.deepEqual(quotesOf(source, updates), quotesOf(source, source.expected));
}

function updateText(update: Update): string {
  return JSON.stringify(update, Object.keys(update).sort());
}

/** The quotes that updates produce, without the fields that depend only on the order of the updates. */
function quotesOf({ universe, now }: TestedSource, updates: readonly Update[]): readonly string[] {
  const engine = new Engine(universe, { settleDelayMs: 900_000, nextVersion: 1 });
  engine.apply(updates, now);
  return engine
    .quotes()
    .map(({ instrument, sessionDate, last, high, low, asOf }) => {
      return JSON.stringify([instrument.ticker, sessionDate, last, high, low, asOf]);
    })
    .sort();
}
