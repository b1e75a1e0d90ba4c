import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadUniverse } from '../../universe/load-universe.ts';
import type { Settings } from '../settings/settings.ts';
import { feedTypes } from './feed-types.ts';
import { presets, presetTerms, presetUniverse } from './presets.ts';
import { readFeeds } from './read-feeds.ts';

const loaded = await loadUniverse(new URL('../../../universe', import.meta.url).pathname);
assert.ok(loaded.ok);
const { universe } = loaded;

/** Feeds of a configuration file with these `feeds:`. */
function read(market: Settings['market'], feeds: unknown) {
  const file = { name: '/etc/pizarra.yaml', values: {}, feeds };
  return readFeeds({ settings: { market }, file }, universe);
}

function names(market: Settings['market'], feeds: unknown): readonly string[] {
  return read(market, feeds).feeds.map(({ config }) => config.name);
}

const argentina = presets.argentina.sources.map(({ feed }) => feed.name);

test('a preset is a list of valid feeds, in its order', () => {
  for (const [market, { sources }] of Object.entries(presets)) {
    const expected = sources.map(({ feed }) => feed.name);
    assert.deepEqual(names(market as Settings['market'], undefined), expected);
  }
});

test('without a preset there are only the feeds of the file', () => {
  assert.deepEqual(names('none', [{ name: 'desk', type: 'push' }]), ['desk']);
  assert.deepEqual(readFeeds({ settings: { market: 'none' }, file: undefined }, universe), {
    feeds: [],
    directory: '.',
  });
  assert.equal(presetTerms({ market: 'none' }), undefined);
});

test('every source that needs no account is in argentina-completo', () => {
  const needAccount = new Set(['alpaca', 'pizarra', 'primary']);
  const needConfiguration = new Set(['http', 'push', 'replay', 'simulated']);
  const types = feedTypes
    .map(({ type }) => type)
    .filter((type) => !needAccount.has(type) && !needConfiguration.has(type));
  const completo = presets['argentina-completo'].sources.map(({ feed }) => feed.type);
  assert.deepEqual(completo.toSorted(), types.toSorted());
});

test('sources whose terms are doubtful must be asked for by name', () => {
  for (const doubtful of ['data912', 'byma', 'cnbc', 'yahoo']) {
    assert.ok(!argentina.includes(doubtful), doubtful);
  }
});

test('the feeds of the file come before those of a preset, and one with the same name replaces it in its place', () => {
  const url = 'http://localhost:1';
  const feeds = [
    { name: 'dolarapi', type: 'dolarapi', url },
    { name: 'desk', type: 'push' },
  ];
  assert.deepEqual(names('argentina', feeds), ['desk', ...argentina]);
  const replaced = read('argentina', feeds).feeds.find(({ config }) => config.name === 'dolarapi');
  assert.equal((replaced?.config as { readonly url?: string } | undefined)?.url, url);
});

test('a fault in a feed of the file has the index of the file', () => {
  const feeds = [{ name: 'dolarapi', type: 'dolarapi', pollSeconds: 1 }];
  assert.throws(() => read('argentina', feeds), /feeds\[0\]\.pollSeconds must be/);
  assert.throws(() => read('argentina', 'dolarapi'), /feeds must be a list/);
  assert.throws(() => read('argentina', [null]), /feeds\[0\] must be a map/);
});

function derived(market: Settings['market']): readonly string[] {
  return presetUniverse(universe, { market }).derived.map(({ instrument }) => instrument.ticker);
}

test('DOLAR MEP and DOLAR CCL come from a source where their bonds have none', () => {
  const all = derived('none');
  assert.deepEqual(derived('argentina-completo'), all);
  assert.deepEqual(
    all.filter((ticker) => !derived('argentina').includes(ticker)),
    ['DOLAR MEP', 'DOLAR CCL'],
  );
});

test('the terms of a preset name each of its sources once', () => {
  const terms = presetTerms({ market: 'argentina-completo' })?.split(', ') ?? [];
  assert.equal(new Set(terms).size, presets['argentina-completo'].sources.length);
});
