import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';

/**
 * The layers of `src/`: which folders a folder may import besides itself, and whether it is pure (no
 * Node, no npm). ARCHITECTURE.md explains them; this table is the truth.
 */
const layers: Record<string, { readonly may: readonly string[]; readonly pure?: true }> = {
  lib: { may: [] },
  domain: { may: ['lib'], pure: true },
  engine: { may: ['domain', 'lib'], pure: true },
  board: { may: ['domain', 'lib'], pure: true },
  wire: { may: ['domain', 'lib'], pure: true },
  auth: { may: ['domain', 'lib'] },
  universe: { may: ['domain', 'lib'] },
  feeds: { may: ['domain', 'lib'] },
  bus: { may: ['domain', 'lib'] },
  store: { may: ['domain', 'lib'] },
  import: { may: ['store', 'domain', 'lib'] },
  pipeline: { may: ['engine', 'board', 'feeds', 'bus', 'store', 'domain', 'lib'] },
  http: { may: ['board', 'auth', 'wire', 'store', 'domain', 'lib'] },
  app: {
    may: [
      'http',
      'pipeline',
      'import',
      'store',
      'bus',
      'feeds',
      'universe',
      'auth',
      'wire',
      'board',
      'engine',
      'domain',
      'lib',
    ],
  },
  cli: { may: ['app', 'domain', 'lib'] },
};

/** Folders whose root is a contract and whose subfolders are implementations, for `app` alone. */
const withImplementations = new Set(['store', 'bus', 'feeds']);

const source = resolve(import.meta.dirname, '../src');
const importPattern = /\bfrom\s+'([^']+)'|\bimport\s*\(\s*'([^']+)'|^import\s+'([^']+)'/gm;

function sourceFiles(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(source, file));
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

function folderOf(file: string): string {
  return relative(source, file).split(sep)[0] ?? '';
}

test('every folder of src has its place in the layer table', () => {
  const folders = new Set(sourceFiles().map(folderOf));
  assert.deepEqual(
    [...folders].filter((folder) => !(folder in layers)),
    [],
  );
});

test('imports point down, and only to the folders that the table names', () => {
  const wrong: string[] = [];
  for (const file of sourceFiles()) {
    const from = folderOf(file);
    for (const target of importsOf(file).filter((name) => name.startsWith('.'))) {
      const to = folderOf(resolve(dirname(file), target));
      if (to !== from && !layers[from]?.may.includes(to)) {
        wrong.push(`${relative(source, file)} imports ${target}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

test('only app imports an implementation of a store, a bus or a feed', () => {
  const wrong: string[] = [];
  for (const file of sourceFiles()) {
    const from = folderOf(file);
    for (const target of importsOf(file).filter((name) => name.startsWith('.'))) {
      const path = relative(source, resolve(dirname(file), target)).split(sep);
      const folder = path[0] ?? '';
      const isImplementation = withImplementations.has(folder) && path.length > 2;
      if (isImplementation && from !== folder && from !== 'app') {
        wrong.push(`${relative(source, file)} imports ${target}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

test('domain, engine, board and wire import neither Node nor npm', () => {
  const wrong = sourceFiles()
    .filter((file) => layers[folderOf(file)]?.pure === true)
    .flatMap((file) =>
      importsOf(file)
        .filter((name) => !name.startsWith('.'))
        .map((name) => `${relative(source, file)} imports ${name}`),
    );
  assert.deepEqual(wrong, []);
});

test('only http imports the web framework', () => {
  const wrong = sourceFiles()
    .filter((file) => folderOf(file) !== 'http')
    .filter((file) => importsOf(file).some((name) => /^@?fastify/.test(name)))
    .map((file) => relative(source, file));
  assert.deepEqual(wrong, []);
});
