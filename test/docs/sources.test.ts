import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { feedTypes } from '../../src/config/feeds/feed-types.ts';
import { presets } from '../../src/config/feeds/presets.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/sources.md'), 'utf8');
const semantics = readFileSync(join(import.meta.dirname, '../../docs/field-semantics.md'), 'utf8');
const data = readFileSync(join(import.meta.dirname, '../../docs/source-data.md'), 'utf8');

/** The rows of all tables by their first cell, which is code. */
const rows = new Map(
  [...text.matchAll(/^\| `([\w-]+)` +\|(.*)\|$/gm)].map(([, name = '', cells = '']) => [
    name,
    cells.split('|').map((cell) => cell.trim()),
  ]),
);

/** The types that connect to a source of their own. The URL of `http` and of `pizarra` is that of the operator. */
const sources = feedTypes.filter(
  ({ type, schema }) => !['http', 'pizarra'].includes(type) && 'url' in schema.shape,
);

test('docs/sources.md has a row with the delay and the interval of every source', () => {
  const expected = sources.map(({ type, schema }) => {
    const keys = ['key', 'secret'].filter((field) => field in schema.shape);
    const secrets = Object.fromEntries(keys.map((field) => [field, { env: 'KEY' }]));
    const read = schema.try({ type, name: 'one', ...secrets });
    assert.ok(read.ok, type);
    const { delayMinutes, pollSeconds } = read.value as {
      readonly delayMinutes?: number;
      readonly pollSeconds?: number;
    };
    const isStated = delayMinutes !== undefined || pollSeconds === undefined;
    return [type, isStated ? String(delayMinutes ?? 0) : '–', intervalText(pollSeconds)];
  });
  const documented = sources.map(({ type }) => {
    const [, , delay, interval] = rows.get(type) ?? [];
    return [type, delay, interval];
  });
  assert.deepEqual(documented, expected);
});

test('docs/sources.md says for every source whether it has a history', () => {
  for (const type of sources) {
    const [, , , , history] = rows.get(type.type) ?? [];
    assert.equal(history !== '–', 'createHistory' in type, type.type);
  }
});

test('docs/sources.md has the sources of each preset, in their order', () => {
  for (const [name, preset] of Object.entries(presets)) {
    if (name === 'none') continue;
    const expected = preset.sources.map(({ feed }) => feed.name).join(', ');
    assert.ok(text.includes(`\n- \`${name}\`: ${expected}\n`), name);
  }
});

test('docs/source-data.md has a section about every source', () => {
  for (const { type } of sources) assert.ok(data.includes(`\n## \`${type}\`\n`), type);
});

test('docs/field-semantics.md has every reason for which a pushed update is refused', () => {
  for (const [file, type] of [
    ['engine/plausibility.ts', 'RefusalReason'],
    ['feeds/shapes/map-update.ts', 'PushRefusal'],
  ] as const) {
    const source = readFileSync(join(import.meta.dirname, '../../src', file), 'utf8');
    const union = new RegExp(`type ${type} =([^;]*);`).exec(source)?.[1] ?? '';
    const reasons = Array.from(union.matchAll(/'([\w-]+)'/g), ([, reason = '']) => reason);
    assert.ok(reasons.length >= 8, `${type}: ${reasons.length} reasons`);
    for (const reason of reasons) assert.match(semantics, new RegExp(`^- \`${reason}\`:`, 'm'));
  }
});

function intervalText(seconds: number | undefined): string {
  if (seconds === undefined) return 'WebSocket';
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
