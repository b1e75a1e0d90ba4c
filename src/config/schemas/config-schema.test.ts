import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { parse } from 'yaml';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { readFeedConfig } from '../../feeds/contract/feed-config.ts';
import { resolveSettings } from '../settings/resolve-settings.ts';
import { settingNames, settingOf } from '../settings/settings.ts';
import { feedTypes } from '../feeds/feed-types.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import { configSchema } from './config-schema.ts';

const project = resolve(import.meta.dirname, '../../..');
const ajv = new Ajv({ allErrors: true, strictTypes: false, strictRequired: false });
const validate = ajv.compile(configSchema());
const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'AL30' }]);

/** Whether the program accepts a configuration. */
function isAccepted(config: Readonly<Record<string, unknown>>): boolean {
  const { feeds, ...values } = config;
  try {
    if (Object.keys(values).length > 0)
      resolveSettings({ flags: {}, environment: {}, file: { name: 'x', values } });
  } catch (fault) {
    assert.ok(fault instanceof UsageFault, String(fault));
    return false;
  }
  return readFeedConfig(feeds, { types: feedTypes, universe }).ok;
}

/** Settings of which only the program can check the whole value. The schema accepts more. */
const loose = new Set(['behindProxy', 'privateBehindProxy', 'corsOrigins', 'plans']);

/** The texts of the faults that a schema names. */
function faults(): string {
  return JSON.stringify(
    validate.errors?.map(({ instancePath, message }) => [instancePath, message]),
  );
}

/** The schema accepts what the program does, and refuses what it does, if it can tell. Gives what the program does. */
function assertAgreement(config: Readonly<Record<string, unknown>>, isLoose = false): boolean {
  const [byProgram, bySchema] = [isAccepted(config), validate(config)];
  if (byProgram)
    assert.ok(bySchema, `refused by the schema: ${JSON.stringify(config)} ${faults()}`);
  else if (!isLoose) assert.ok(!bySchema, `accepted by the schema: ${JSON.stringify(config)}`);
  return byProgram;
}

/** Values of every type, at and beyond the limits of settings and fields. */
const odd: readonly unknown[] = [
  null,
  true,
  false,
  [],
  ['a'],
  {},
  { a: 1 },
  -1,
  0,
  1,
  8080,
  0.5,
  1.5,
  65_535,
  65_536,
  1e21,
  '',
    ' ',
    '0',
    '8080',
    '08080',
    '65536',
    '-1',
    '1.5',
    '1e3',
    'auto',
    'max',
    'off',
    'all',
    'none',
  '/v5', '/v5/x', 'v5', '/v 5', '/var/lib/pizarra', 'a\nb', '-----BEGIN KEY', './a-----BEGIN',
  'postgres://u@h/d', 'POSTGRESQL://u@h/d', 'mysql://h/d', 'http://h', 'C:\\data', 'a://b',
  'unlimited',
    '60/min',
    ' 60 / min burst 20 ',
    '0/min',
    '60/week',
    '60/min burst',
    'free',
    'Free',
  '10.0.0.0/8',
    '10.0.0.1, ::1',
    '10.0.0.0/33',
    'https://a.example',
    'https://a.example/x',
    '{',
  '{"free":"60/min"}', '{"free":60}', 'x'.repeat(33),
];

test('the schema and the program agree on every setting, one value at a time', () => {
  let accepted = 0;
  let refused = 0;
  for (const name of settingNames) {
    const { kind, fallback } = settingOf(name);
    const limits = /from (\d+) to (\d+)/.exec(kind.valid)?.slice(1).map(Number) ?? [];
    const near = limits.flatMap((limit) => [limit - 1, limit, limit + 1]);
    const values = [...odd, ...near, ...near.map(String), ...(kind.words ?? []), fallback];
    for (const value of values) {
      const config = { [name]: value };
      if (assertAgreement(config, loose.has(name))) accepted += 1;
      else refused += 1;
    }
  }
  assert.ok(accepted > 500 && refused > 500, `${accepted} accepted, ${refused} refused`);
});

test('the schema and the program agree on mappings of plans', () => {
  for (const plans of [
    {},
    { free: '60/min' },
    { free: 'unlimited', inside: '10/s burst 100' },
    { Free: '60/min' },
    { ['x'.repeat(33)]: '60/min' },
    { free: 60 },
    { free: null },
    { free: '60/year' },
    [],
    ['60/min'],
  ]) {
    assertAgreement({ plans });
  }
});

test('an unknown name is refused by both', () => {
  for (const config of [
    { prot: 8080 },
    { Port: 8080 },
    { data: 'a' },
    { PIZARRA_PORT: 8080 },
  ]) {
    assertAgreement(config);
  }
  assert.equal(isAccepted({ prot: 1 }), false);
});

test('the schema and the program agree on configurations of several settings', () => {
  const exact = settingNames.filter((name) => !loose.has(name));
  const values = fc.dictionary(
    fc.constantFrom(...exact, 'prot'),
    fc.oneof(fc.constantFrom(...odd), fc.jsonValue({ maxDepth: 1 })),
    { maxKeys: 6 },
  );
  const runs = Number(process.env['PROPERTY_RUNS'] ?? 300);
  fc.assert(
    fc.property(values, (config) => void assertAgreement(config)),
    { numRuns: runs },
  );
});

/** A valid feed of each type. */
const feeds: Readonly<Record<string, Readonly<Record<string, unknown>>>> = Object.fromEntries(
  feedTypes.map(({ type }) => [
    type,
    {
      name: 'a',
      type,
      ...(type === 'replay' && { files: ['a.ndjson'] }),
      ...(type === 'http' && { url: 'https://h.example/x', expression: '$' }),
      ...((type === 'alpaca' || type === 'primary') && {
        key: { env: 'KEY' },
        secret: { file: 'secret' },
      }),
      ...(type === 'pizarra' && { url: 'https://p.example', key: { env: 'KEY' } }),
    },
  ]),
);

/** Fields of which only the program can check the whole value: names of the universe, files, URLs, expressions. */
const looseFields = new Set(['markets', 'instruments', 'ca', 'url', 'historyUrl', 'expression']);

const oddFields: readonly unknown[] = [
  ...odd,
  ['BYMA'],
  [''],
  ['a', 1],
  { env: 'A' },
  { file: 'b' },
  { env: 'A', file: 'b' },
  { env: '' },
  { env: 1 },
  { include: ['GGAL'] },
  { include: ['GGAL'], exclude: ['AL30'] },
  { include: [] },
  { included: ['GGAL'] },
  'https://h.example', 'HTTP://h.example', ' https://h', 'wss://h', 'ftp://h', 'h.example',
  'json',
    'csv',
    'updates',
    'dolarapi',
    'name',
    'Name',
    'a b',
    'X-Key',
    'Agent/1 (x)',
    ' x',
    'x\r',
  19, 20, 60, 300, 900, 86_400, 86_401, 604_800, 604_801, 1440, 1441, 1_000_000, 1_000_001,
];

test('the schema and the program agree on every field of every type of feed, one value at a time', () => {
  let checked = 0;
  for (const { type, schema } of feedTypes) {
    const valid = feeds[type] ?? {};
    assert.ok(isAccepted({ feeds: [valid] }), type);
    assertAgreement({ feeds: [valid] });
    for (const field of [...Object.keys(schema.shape), 'unknownField']) {
      const { [field]: _, ...without } = valid;
      assertAgreement({ feeds: [without] });
      for (const value of oddFields) {
        // Another type needs other fields, which the loop has with that type.
        assertAgreement({ feeds: [{ ...valid, [field]: value }] }, looseFields.has(field));
        checked += 1;
      }
    }
  }
  assert.ok(checked > 5_000, `${checked} feeds`);
});

test('the schema and the program agree on lists of feeds', () => {
  const push = feeds['push'];
  const replay = feeds['replay'];
  for (const value of [null, [], {}, 'a', [null], ['a'], [[]], [push], [replay, push], [{}]]) {
    assertAgreement({ feeds: value });
  }
  assert.equal(isAccepted({ feeds: [replay, push] }), false);
});

test('the schema accepts every configuration in the documents and the examples', () => {
  const inDocuments = globSync('{README.md,docs/*.md}', { cwd: project }).flatMap((file) =>
    Array.from(
      readFileSync(join(project, file), 'utf8').matchAll(/```yaml\n(# pizarra\.yaml\n[^]*?)```/g),
      ([, text = '']) => ({ file, text }),
    ),
  );
  const example = {
    file: 'example',
    text: readFileSync(join(project, 'deploy/pizarra.example.yaml'), 'utf8'),
  };
  assert.ok(inDocuments.length >= 5, `${inDocuments.length} configurations`);
  for (const { file, text } of [...inDocuments, example]) {
    assert.ok(validate(parse(text)), `${file}: ${faults()}\n${text}`);
  }
});

test('the schema names the place of a fault', () => {
  validate({ port: 'x', feeds: [{ name: 'a', type: 'bcra', pollSeconds: 1 }], prot: 1 });
  const paths = new Set(validate.errors?.map(({ instancePath }) => instancePath));
  for (const path of ['/port', '/feeds/0/pollSeconds', '']) assert.ok(paths.has(path), path);
});
