import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineCounter, parseDocument } from 'yaml';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { feedTypes } from '../../config/feeds/feed-types.ts';
import { yamlPlaceOf } from '../../lib/text/yaml-places.ts';
import { readFeedConfig, type FeedConfigResult } from './feed-config.ts';

const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'BTC', market: 'CRIPTO' }]);

function read(yaml: string): FeedConfigResult {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines });
  const { feeds } = (document.toJS() ?? {}) as { readonly feeds?: unknown };
  return readFeedConfig(feeds, {
    types: feedTypes,
    universe,
    placeOf: (path, part) => yamlPlaceOf(document, lines, path, part),
  });
}

/** The values of the feeds, with defaults filled in. */
function configs(yaml: string): readonly unknown[] {
  const result = read(yaml);
  assert.ok(result.ok, JSON.stringify(result));
  return result.feeds.map(({ type, config }) => {
    assert.equal(config.type, type.type);
    return config;
  });
}

/** The faults with their lines and columns. */
function faults(yaml: string): readonly string[] {
  const result = read(yaml);
  if (result.ok) return [];
  return result.faults.map(({ path, place, message }) => {
    return `${place?.line}:${place?.column} ${path} ${message}`;
  });
}

test('reads every type of feed, with its defaults', () => {
  assert.deepEqual(configs('feeds: [{ name: desk, type: push }]'), [
    { name: 'desk', type: 'push', staleAfterSeconds: 300 },
  ]);
  assert.deepEqual(configs('feeds: [{ name: y2025, type: replay, files: [a.ndjson] }]'), [
    {
      name: 'y2025',
      type: 'replay',
      staleAfterSeconds: 7_200,
      files: ['a.ndjson'],
      format: 'updates',
      speed: 1,
    },
  ]);
  assert.deepEqual(configs('feeds: [{ name: demo, type: simulated }]'), [
    {
      name: 'demo',
      type: 'simulated',
      staleAfterSeconds: 60,
      seed: 1,
      updatesPerSecond: 50,
      alwaysOpen: false,
    },
  ]);
  assert.deepEqual(
    configs('feeds: [{ name: dolar, type: dolarapi }, { name: x, type: binance }]'),
    [
      {
        name: 'dolar',
        type: 'dolarapi',
        staleAfterSeconds: 14_400,
        url: 'https://dolarapi.com',
        pollSeconds: 900,
        delayMinutes: 0,
      },
      {
        name: 'x',
        type: 'binance',
        staleAfterSeconds: 60,
        url: 'wss://data-stream.binance.vision',
        historyUrl: 'https://data-api.binance.vision',
      },
    ],
  );
});

test('reads every field', () => {
  assert.deepEqual(
    configs(`
feeds:
  - name: dolar
    type: replay
    staleAfterSeconds: 90
    markets: [BYMA, CRIPTO]
    files: [a.ndjson, /b.ndjson]
    format: dolarapi
    speed: max
`),
    [
      {
        name: 'dolar',
        type: 'replay',
        staleAfterSeconds: 90,
        markets: ['BYMA', 'CRIPTO'],
        files: ['a.ndjson', '/b.ndjson'],
        format: 'dolarapi',
        speed: 'max',
      },
    ],
  );
  const network = `
feeds:
  - { name: d, type: dolarapi, url: 'http://127.0.0.1:1/x', pollSeconds: 60, delayMinutes: 20,
      instruments: { include: [ggal], exclude: [BTC] } }
`;
  assert.deepEqual(configs(network), [
    {
      name: 'd',
      type: 'dolarapi',
      staleAfterSeconds: 14_400,
      url: 'http://127.0.0.1:1/x',
      pollSeconds: 60,
      delayMinutes: 20,
      instruments: { include: ['ggal'], exclude: ['BTC'] },
    },
  ]);
});

test('a field without a value is an absent field', () => {
  assert.deepEqual(configs('feeds: [{ name: desk, type: push, staleAfterSeconds: }]'), [
    { name: 'desk', type: 'push', staleAfterSeconds: 300 },
  ]);
});

test('a configuration without feeds is valid', () => {
  for (const yaml of ['', 'port: 1', 'feeds:', 'feeds: []']) {
    assert.deepEqual(read(yaml), { ok: true, feeds: [] }, yaml);
  }
});

test('all faults are reported together, each with its line, its column and what is valid', () => {
  const all = faults(`
feeds:
  - name: Desk
    type: push
    staleAfterSeconds: 0
    sped: 1
  - name: demo
    type: simulated
    seed: 1.5
    updatesPerSecond: many
    alwaysOpen: yes please
  - name: demo2
    type: push
    markets: [BYMA, NYC]
  - name: dolar
    type: replay
    files: a.ndjson
    format: csv
    speed: 0
  - type: dolarapi
    url: ftp://user:pass@example.com
    pollSeconds: 1
    instruments: { included: [GGAL] }
  - name: usd
    type: dolarapi
    instruments: { exclude: [GGAL, NOPE] }
  - name: other
    type: sftp
  - just a text
`);
  const expected = [
    /^6:5 feeds\[0\]\.sped is not a known field; the type push has name, type/,
    /^3:11 feeds\[0\]\.name must be a name/,
    /^5:24 feeds\[0\]\.staleAfterSeconds must be a number from 1/,
    /^9:11 feeds\[1\]\.seed must be a whole number/,
    /^10:23 feeds\[1\]\.updatesPerSecond must be a number/,
    /^11:17 feeds\[1\]\.alwaysOpen must be true or false/,
    /^14:21 feeds\[2\]\.markets\[1\] must be a market of the universe: BYMA, .*CRIPTO/,
    /^17:12 feeds\[3\]\.files must be a list of paths/,
    /^18:13 feeds\[3\]\.format must be one of updates, dolarapi/,
    /^19:12 feeds\[3\]\.speed must be a number above 0.*, or max/,
    /^20:5 feeds\[4\]\.name is missing/,
    /^21:10 feeds\[4\]\.url must be a URL that begins with https:.*without a user name/,
    /^22:18 feeds\[4\]\.pollSeconds must be a number from 60/,
    /^23:20 feeds\[4\]\.instruments\.included is not a known field/,
    /^26:36 feeds\[5\]\.instruments\.exclude\[1\] must be a ticker of the universe, and "NOPE"/,
    /^28:11 feeds\[6\]\.type must be one of push, replay, simulated, .*dolarapi/,
    /^29:5 feeds\[7\] must be a map/,
  ];
  for (const pattern of expected) {
    assert.equal(
      all.filter((fault) => pattern.test(fault)).length,
      1,
      `${pattern}\n${all.join('\n')}`,
    );
  }
  assert.equal(all.length, expected.length, all.join('\n'));
});

test('feeds that are valid one by one but cannot run together are faults', () => {
  const push = 'name: a, type: push';
  assert.deepEqual(faults(`feeds: [{ ${push} }, { name: b, type: push }]`), [
    '1:8 feeds can have one feed of type push: all keys push to the same one',
  ]);
  assert.match(faults(`feeds: [{ ${push} }, { ${push} }]`)[0] ?? '', /two feeds named a/);
  const replay = '{ name: r, type: replay, files: [x] }';
  assert.match(
    faults(`feeds: [{ ${push} }, ${replay}]`)[0] ?? '',
    /no other feed beside one of type replay/,
  );
  assert.match(
    faults(`feeds: [{ name: s, type: simulated }, { name: b, type: binance }]`)[0] ?? '',
    /no other feed beside one of type simulated: real and invented prices never mix/,
  );
});

test('what is no list of feeds is a fault', () => {
  assert.deepEqual(faults('feeds: { name: a }'), ['1:8 feeds must be a list of feeds']);
});
