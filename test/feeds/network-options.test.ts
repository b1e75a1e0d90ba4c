import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { feedTypes, networkTypes } from '../../src/config/feeds/feed-types.ts';
import { createFeed, historySources } from '../../src/node/market/open-feeds.ts';
import { readFeedConfig, type ConfiguredFeed } from '../../src/feeds/contract/feed-config.ts';
import { FeedFault, type FeedBatch } from '../../src/feeds/contract/feed.ts';
import { Secrets } from '../../src/feeds/contract/secrets.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { silentLog } from '../../src/lib/reports/log.ts';
import { pauseInRealTime } from '../../src/lib/time/pause.ts';
import type { PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { makeCertificate } from '../support/program/make-certificate.ts';
import { makeUniverse } from '../support/market/make-universe.ts';
import { temporaryDirectory } from '../support/program/program.ts';
import { healthy, SourceServer } from '../support/http/source-server.ts';

const universe = makeUniverse([
  { ticker: 'DOLAR BLUE VENTA' },
  { ticker: 'BTC', market: 'CRIPTO' },
  { ticker: 'GGAL' },
]);
const context = { universe, clock: systemClock, log: silentLog };
const userAgent = 'Mesa de ejemplo/1.0 (+https://mesa.example)';

/** The fields of a configuration, as they are read from a file in a directory. */
function read(fields: Readonly<Record<string, unknown>>, directory: string) {
  return readFeedConfig([{ name: 'one', ...fields }], { types: feedTypes, universe, directory });
}

function configured(fields: Readonly<Record<string, unknown>>, directory: string): ConfiguredFeed {
  const result = read(fields, directory);
  assert.ok(result.ok, JSON.stringify(result));
  return result.feeds[0] ?? assert.fail('there is no feed');
}

/** The first batch of a feed of a configuration. */
async function firstBatch(one: ConfiguredFeed): Promise<FeedBatch> {
  const stop = new AbortController();
  const secrets = new Secrets({ env: { KEY: 'a-key-4f1c' }, directory: '.' });
  const deps = { ...context, random: () => 0, pause: pauseInRealTime, directory: '.', secrets };
  try {
    for await (const batch of createFeed(one, deps)?.batches(stop.signal) ?? []) return batch;
  } finally {
    stop.abort();
  }
  return assert.fail('the feed ended');
}

const rate = { moneda: 'USD', casa: 'blue', compra: 1_540, venta: 1_560 };
const dollars = JSON.stringify([{ ...rate, fechaActualizacion: '2026-11-20T17:59:00.000Z' }]);
const trade = JSON.stringify({
  channel: 'trade',
  data: [{ symbol: 'BTC/USD', price: 91_250.5, timestamp: '2026-11-20T17:59:58.123456Z' }],
});

/** A server whose certificate no authority of the system has signed, and a directory with that certificate. */
async function startUnknown() {
  const certificate = makeCertificate();
  if (certificate === undefined) return undefined;
  const server = await SourceServer.start(certificate);
  server.respond = healthy(({ url }) => {
    if (url === '/v1/dolares') return { body: dollars };
    if (url.startsWith('/api/v3/klines')) return { body: '[]' };
    return url === '/auth/getToken'
      ? { body: '', headers: { 'x-auth-token': 'token-77' } }
      : undefined;
  });
  server.upgrade = (_, __, accept) =>
    accept((socket) =>
      socket.on('message', () => {
        socket.send(trade);
      }),
    );
  const directory = await temporaryDirectory();
  await writeFile(join(directory.path, 'authority.pem'), certificate.cert);
  return {
    server,
    path: directory.path,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

test('with `ca`, a source is trusted whose certificate the system does not verify; another source is not', async (t) => {
  await using unknown = await startUnknown();
  if (unknown === undefined) return t.skip('needs openssl');
  const { server, path } = unknown;
  for (const fields of [
    { type: 'dolarapi', url: server.url },
    { type: 'kraken', url: server.socketUrl },
  ]) {
    const trusting = configured({ ...fields, ca: 'authority.pem' }, path);
    const { updates } = await firstBatch(trusting);
    assert.ok(updates.length > 0, fields.type);
    const fault = await firstBatch(configured(fields, path)).catch((one: unknown) => one);
    assert.ok(fault instanceof FeedFault && fault.code === 'untrusted', fields.type);
  }
});

test('every request and connection of a source has `userAgent` and `ca`: polls, logins, WebSockets and history', async (t) => {
  await using unknown = await startUnknown();
  if (unknown === undefined) return t.skip('needs openssl');
  const { server, path } = unknown;
  const common = { ca: 'authority.pem', userAgent };
  await firstBatch(configured({ ...common, type: 'dolarapi', url: server.url }, path));
  const key = { env: 'KEY' };
  const account = { type: 'primary', url: server.socketUrl, key, secret: key };
  await firstBatch(configured({ ...common, ...account }, path));
  const feed = { ...common, type: 'binance', url: server.socketUrl, historyUrl: server.url };
  const feeds = [configured(feed, path)];
  const [history] = historySources({ feeds, directory: path }, context);
  const day = '2026-11-20' as PlainDate;
  await history?.fetch({ ticker: 'BTC' as Ticker, from: day, to: day }, t.signal);
  const paths = server.requests.map(({ url }) => url.split('?')[0]);
  assert.deepEqual(paths, ['/v1/dolares', '/auth/getToken', '/', '/api/v3/klines']);
  for (const { headers, url } of server.requests)
    assert.equal(headers['user-agent'], userAgent, url);
});

test('without `userAgent`, a source sends its own or the name of the program', async () => {
  await using server = await SourceServer.start();
  server.respond = healthy(() => ({ body: dollars }));
  await firstBatch(configured({ type: 'dolarapi', url: server.url }, '.'));
  await firstBatch(configured({ type: 'yahoo', url: server.url }, '.')).catch(() => undefined);
  const sent = server.requests.map(({ headers }) => headers['user-agent']);
  assert.equal(sent[0], 'Pizarra');
  assert.match(sent[1] ?? '', /^Mozilla/);
});

test('every network source has `ca` and `userAgent`, and the other types refuse them', () => {
  for (const { type, schema } of feedTypes) {
    const isNetwork = networkTypes.some((one) => one.type === type);
    assert.equal('ca' in schema.shape && 'userAgent' in schema.shape, isNetwork, type);
  }
});

test('`ca` and `userAgent` are checked with the configuration, and a fault says what is wrong', async () => {
  await using directory = await temporaryDirectory();
  await writeFile(join(directory.path, 'empty.pem'), 'nothing');
  const faultsOf = (fields: Readonly<Record<string, unknown>>): readonly string[] => {
    const result = read({ type: 'dolarapi', ...fields }, directory.path);
    return result.ok ? [] : result.faults.map((one) => `${one.path} ${one.message}`);
  };
  const place = join(directory.path, 'empty.pem');
  assert.deepEqual(faultsOf({ ca: 'empty.pem' }), [
    `feeds[0].ca must be a PEM file with certificates, and ${place} has none`,
  ]);
  assert.match(faultsOf({ ca: 'gone.pem' })[0] ?? '', /gone\.pem is not: ENOENT$/);
  assert.deepEqual(faultsOf({ ca: 'a\u0000b' }), ['feeds[0].ca must be the path of a PEM file']);
  const message =
    'feeds[0].userAgent must be at most 256 printable ASCII characters, without white space at either end';
  const bad = [
    '',
    ' a',
    'a ',
    'a\r\nX-Other: 1',
    'a\u0000',
    'a\u007f',
    'señal',
    'a'.repeat(257),
    7,
  ];
  for (const value of bad) assert.deepEqual(faultsOf({ userAgent: value }), [message]);
  assert.deepEqual(faultsOf({ userAgent: 'a b' }), []);
});
