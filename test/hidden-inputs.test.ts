import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { Visitor, type Node } from 'oxc-parser';

import { imported } from '../web/build/inputs-digest.ts';
import { parseSource, readSourceTree, type SourceFile } from './support/project/source-tree.ts';

/**
 * Below `config` and `node`, time, the environment and randomness are arguments, so that tests control
 * them. The only real clock is in `lib/time/clock.ts`, and only these folders and those above pass it on.
 */
const theClock = 'lib/time/clock.ts';

/** Members that read the clock, the environment or a random source, by their object. */
const readers: Readonly<Record<string, ReadonlySet<string>>> = {
  Temporal: new Set(['Now']),
  process: new Set(['hrtime', 'uptime', 'env']),
  Math: new Set(['random']),
  crypto: new Set(['randomUUID', 'getRandomValues', 'randomBytes', 'randomInt', 'webcrypto']),
};

/** Exports of modules that read the clock or the environment. */
const readingImports: Readonly<Record<string, ReadonlySet<string>>> = {
  'node:perf_hooks': new Set(['performance', 'default']),
  'node:process': new Set(['hrtime', 'uptime', 'env', 'default']),
  'node:crypto': readers['crypto'] ?? new Set(),
};

/** The members of `Date` that do not read the clock. */
const pureDateMembers = new Set(['parse', 'UTC']);

/** The expressions of a file that read the clock, the environment or a random source. */
function readsOf({ program, text }: SourceFile): readonly string[] {
  const found: string[] = [];
  const allowed = new Set<Node>();
  const report = (node: Node): void => void found.push(text.slice(node.start, node.end));
  new Visitor({
    NewExpression(node) {
      if (node.arguments.length > 0) allowed.add(node.callee);
    },
    MemberExpression(node) {
      const { object, property, computed } = node;
      if (!computed) allowed.add(property);
      if (object.type !== 'Identifier') return;
      const member = computed || property.type !== 'Identifier' ? undefined : property.name;
      if (object.name === 'Date' && pureDateMembers.has(member ?? '')) allowed.add(object);
      const reading = readers[object.name];
      // A computed member could be any of them.
      if (reading !== undefined && (member === undefined || reading.has(member))) report(node);
    },
    Property(node) {
      if (!node.computed && !node.shorthand) allowed.add(node.key);
    },
    TSTypeReference(node) {
      if (node.typeName.type === 'Identifier') allowed.add(node.typeName);
    },
    TSPropertySignature(node) {
      allowed.add(node.key);
    },
    ImportDeclaration(node) {
      const reading = readingImports[node.source.value];
      for (const one of node.specifiers) {
        const name =
          one.type === 'ImportSpecifier' && one.imported.type === 'Identifier'
            ? one.imported.name
            : 'default';
        if (reading?.has(name) === true) report(one);
      }
    },
    Identifier(node) {
      if (allowed.has(node)) return;
      if (node.name === 'Date' || node.name === 'performance') report(node);
    },
  }).visit(program);
  return found;
}

const tree = readSourceTree();
const isAbove = (path: string): boolean => /^(?:config|node|operator|commands|cli)\//.test(path);

test('only lib/time/clock.ts reads the time, and nothing below config and node reads the environment or a random source', () => {
  const wrong = tree
    .filter(({ path }) => path !== theClock)
    .flatMap((file) => {
      const reads = readsOf(file).filter(
        (one) => !isAbove(file.path) || /Date|performance|Temporal|time/.test(one),
      );
      return reads.map((one) => `${file.path}: ${one}`);
    });
  assert.deepEqual(wrong, []);
});

test('only config, node, operator, commands and cli use the real clock', () => {
  const wrong = tree
    .filter(({ path, text }) => !isAbove(path) && path !== theClock && /\bsystemClock\b/.test(text))
    .map(({ path }) => path);
  assert.deepEqual(wrong, []);
});

test('the check finds every way to read the time, the environment or a random source, and nothing else', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['const a = Date.now();', ['Date']],
    ['const a = new Date();', ['Date']],
    ['const a = Date();', ['Date']],
    ['const { now } = Date;', ['Date']],
    ['const clocks = { Date };', ['Date', 'Date']],
    ['const a = performance.now() + performance.timeOrigin;', ['performance', 'performance']],
    ['const a = globalThis.Temporal; Temporal.Now.instant();', ['Temporal.Now']],
    ["Temporal['Now'].instant();", ["Temporal['Now']"]],
    ['process.hrtime.bigint(); process.env.HOME;', ['process.hrtime', 'process.env']],
    ["import { performance as p } from 'node:perf_hooks';", ['performance as p', 'performance']],
    ["import * as os from 'node:process';", ['* as os']],
    ["import { randomUUID } from 'node:crypto';", ['randomUUID']],
    ['const a = Math.random() + crypto.randomUUID();', ['Math.random', 'crypto.randomUUID']],
    ['const a = new Date(0).toISOString(); Date.parse(a); Date.UTC(2026);', []],
    ['const a: Date = b; interface C { performance: number }; d.performance; ({ Date: 1 });', []],
    ["import { createHash } from 'node:crypto'; Math.max(1, 2);", []],
  ];
  for (const [source, expected] of cases) {
    assert.deepEqual(
      readsOf(parseSource('case.ts', source)).toSorted(),
      expected.toSorted(),
      source,
    );
  }
});

test('the page is built again when code changes that it imports from outside of web/', async () => {
  const project = join(import.meta.dirname, '..');
  const found = new Set<string>();
  for await (const file of glob('web/src/**/*.{ts,tsx}', { cwd: project })) {
    const text = await readFile(join(project, file), 'utf8');
    for (const [, path = ''] of text.matchAll(/from '(?:\.\.\/)+((?:src|clients)\/[^']+)'/g))
      found.add(path);
  }
  assert.ok(found.size > 3);
  assert.deepEqual(
    [...found].filter((path) => !imported.some((folder) => path.startsWith(`${folder}/`))),
    [],
  );
});
