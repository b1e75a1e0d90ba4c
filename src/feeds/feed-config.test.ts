import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readFeedConfig } from './feed-config.ts';
import type { FeedConfigResult } from './feed-config.ts';

const markets = new Set(['BYMA', 'CRIPTO']);

function read(yaml: string): FeedConfigResult {
  return readFeedConfig((parse(yaml) as { readonly feeds?: unknown } | null)?.feeds, markets);
}

function faults(yaml: string): readonly string[] {
  const result = read(yaml);
  return result.ok ? [] : result.faults.map(({ path, message }) => `${path} ${message}`);
}

test('every type of feed is read, with its defaults', () => {
  assert.deepEqual(read('feeds: [{ name: desk, type: push }]'), {
    ok: true,
    feeds: [{ type: 'push', name: 'desk', staleAfterMs: 300_000, markets: undefined }],
  });
  assert.deepEqual(read('feeds: [{ name: y2025, type: replay, files: [a.ndjson] }]'), {
    ok: true,
    feeds: [
      {
        type: 'replay',
        name: 'y2025',
        staleAfterMs: 7_200_000,
        markets: undefined,
        files: ['a.ndjson'],
        format: 'updates',
        speed: 1,
      },
    ],
  });
  assert.deepEqual(read('feeds: [{ name: demo, type: simulated }]'), {
    ok: true,
    feeds: [
      {
        type: 'simulated',
        name: 'demo',
        staleAfterMs: 60_000,
        markets: undefined,
        seed: 1,
        updatesPerSecond: 50,
        alwaysOpen: false,
      },
    ],
  });
});

test('every field is read', () => {
  const result = read(`
feeds:
  - name: dolar
    type: replay
    staleAfterSeconds: 90
    markets: [BYMA, CRIPTO]
    files: [a.ndjson, /b.ndjson]
    format: dolarapi
    speed: max
`);
  assert.deepEqual(result, {
    ok: true,
    feeds: [
      {
        type: 'replay',
        name: 'dolar',
        staleAfterMs: 90_000,
        markets,
        files: ['a.ndjson', '/b.ndjson'],
        format: 'dolarapi',
        speed: 'max',
      },
    ],
  });
});

test('a configuration without feeds is valid', () => {
  for (const yaml of ['', 'port: 1', 'feeds:', 'feeds: []']) {
    assert.deepEqual(read(yaml), { ok: true, feeds: [] }, yaml);
  }
});

test('all faults are reported at once, each with its field and what would be valid', () => {
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
    markets: [NYSE]
  - name: dolar
    type: replay
    files: a.ndjson
    format: csv
    speed: 0
  - name: other
    type: sftp
  - just a text
`);
  const expected = [
    /^feeds\[0\]\.sped is not a field of this type of feed; the fields are name, type/,
    /^feeds\[0\]\.name must be a name/,
    /^feeds\[0\]\.staleAfterSeconds must be a number from 1/,
    /^feeds\[1\]\.markets .* BYMA, CRIPTO$/,
    /^feeds\[1\]\.seed must be a whole number/,
    /^feeds\[1\]\.updatesPerSecond must be a number/,
    /^feeds\[1\]\.alwaysOpen must be true or false/,
    /^feeds\[2\]\.files must be a list of paths/,
    /^feeds\[2\]\.format must be one of dolarapi, updates/,
    /^feeds\[2\]\.speed must be a number above 0.*, or max/,
    /^feeds\[3\]\.type must be one of push, replay, simulated/,
    /^feeds\[4\] must be a map/,
    /^feeds\[4\]\.type/,
    /^feeds cannot contain another feed beside a replay/,
    /^feeds cannot contain another feed beside a simulated one/,
  ];
  for (const [index, pattern] of expected.entries()) assert.match(all[index] ?? '', pattern);
  assert.equal(all.length, expected.length);
});

test('feeds that are valid one by one but cannot be combined are faults', () => {
  assert.deepEqual(faults('feeds: [{ name: a, type: push }, { name: b, type: push }]'), [
    'feeds can contain only one push feed, because all ingest keys push to the same one',
  ]);
  assert.match(
    faults('feeds: [{ name: a, type: push }, { name: a, type: push }]')[0] ?? '',
    /two feeds named a/,
  );
});

test('a value that is not a list of feeds is a fault', () => {
  assert.deepEqual(faults('feeds: { name: a }'), ['feeds must be a list of feeds']);
});
