import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';

import { computedImport, parseSource, readSourceTree } from './support/source-tree.ts';
import type { SourceFile } from './support/source-tree.ts';

/**
 * The layers of `src/`: which folders a folder may import besides itself, and whether it is pure (no
 * Node, no npm). ARCHITECTURE.md explains them. This table is authoritative.
 */
const layers: Record<string, { readonly may: readonly string[]; readonly pure?: true }> = {
  lib: { may: [] },
  domain: { may: ['lib'], pure: true },
  cluster: { may: ['lib'], pure: true },
  engine: { may: ['domain', 'lib'], pure: true },
  board: { may: ['domain', 'lib'], pure: true },
  wire: { may: ['domain', 'lib'], pure: true },
  auth: { may: ['domain', 'lib'] },
  universe: { may: ['domain', 'lib'] },
  feeds: { may: ['domain', 'lib'] },
  bus: { may: ['cluster', 'domain', 'lib'] },
  store: { may: ['cluster', 'domain', 'lib'] },
  import: { may: ['feeds', 'store', 'universe', 'domain', 'lib'] },
  pipeline: { may: ['engine', 'board', 'feeds', 'bus', 'store', 'domain', 'lib'] },
  http: { may: ['board', 'auth', 'wire', 'store', 'domain', 'lib'] },
  mcp: { may: ['domain', 'lib'] },
  app: {
    may: [
      'http',
      'mcp',
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
      'cluster',
      'domain',
      'lib',
    ],
  },
  cli: { may: ['app', 'domain', 'lib'] },
  embed: { may: ['app', 'store', 'auth', 'domain', 'lib'] },
};

/**
 * Folders of implementations of one contract, which only `app` may import. Every folder above may
 * import what is `open`: the contract, and tools that belong to it. Implementations may also import
 * what is `shared`, but not each other.
 */
const contracts: Record<
  string,
  { readonly open?: readonly string[]; readonly shared?: readonly string[] }
> = {
  store: { open: ['contract', 'continued'], shared: ['encoding'] },
  bus: { open: ['bus.ts'] },
  feeds: { open: ['contract', 'shapes'], shared: ['net'] },
};

/** The same of files and folders of one folder, which any file of that folder may import. */
const variants: Record<string, { readonly shared: readonly string[] }> = {
  'import/layouts': { shared: ['layout.ts', 'headings.ts'] },
  'http/carriers': { shared: ['listener.ts', 'connection', 'stop'] },
};

const tree = readSourceTree();

/** An import of one file of `src/` by another, both as paths from `src/`. */
interface Edge {
  readonly from: string;
  readonly to: string;
}

function edgesOf(files: readonly SourceFile[]): readonly Edge[] {
  return files.flatMap(({ path, imports }) =>
    imports
      .filter((name) => name.startsWith('.'))
      .map((name) => ({ from: path, to: posix.join(posix.dirname(path), name) })),
  );
}

const edges = edgesOf(tree);
const text = ({ from, to }: Edge): string => `${from} imports ${to}`;
const layerOf = (path: string): string => path.split('/')[0] ?? '';
/** The file or folder of a layer to which a path belongs. */
const placeIn = (path: string): string => path.split('/')[1] ?? '';

test('no file of src loads a module whose name is computed, because no rule could see it', () => {
  const wrong = tree.filter(({ imports }) => imports.includes(computedImport));
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  );
});

test('every folder of src has its place in the layer table', () => {
  const folders = new Set(tree.map(({ path }) => layerOf(path)));
  assert.deepEqual(
    [...folders].filter((folder) => !(folder in layers)),
    [],
  );
});

test('imports point down, and only to the folders that the table names', () => {
  const wrong = edges.filter(({ from, to }) => {
    const [above, below] = [layerOf(from), layerOf(to)];
    return below !== above && layers[above]?.may.includes(below) !== true;
  });
  assert.deepEqual(wrong.map(text), []);
});

test('only app imports an implementation of a store, a bus or a feed', () => {
  const wrong = edges.filter(({ from, to }) => {
    const layer = layerOf(to);
    const isClosed = layer in contracts && contracts[layer]?.open?.includes(placeIn(to)) !== true;
    return isClosed && layerOf(from) !== layer && layerOf(from) !== 'app';
  });
  assert.deepEqual(wrong.map(text), []);
});

/** The one file that selects the implementation of a store. */
const selectsTheStore = 'app/place/open-place.ts';

test('of app, one file imports the implementations of a store', () => {
  const wrong = edges.filter(({ from, to }) => {
    const isClosed =
      layerOf(to) === 'store' && contracts['store']?.open?.includes(placeIn(to)) !== true;
    return isClosed && layerOf(from) === 'app' && from !== selectsTheStore;
  });
  assert.deepEqual(wrong.map(text), []);
});

test('domain, engine, board, wire and cluster import neither Node nor npm', () => {
  const wrong = tree
    .filter(({ path }) => layers[layerOf(path)]?.pure === true)
    .flatMap(({ path, imports }) =>
      imports.filter((name) => !name.startsWith('.')).map((name) => `${path} imports ${name}`),
    );
  assert.deepEqual(wrong, []);
});

test('no file imports a web framework', () => {
  const wrong = tree
    .filter(({ imports }) => imports.some((name) => /^@?(?:fastify|express|hono|koa)/.test(name)))
    .map(({ path }) => path);
  assert.deepEqual(wrong, []);
});

/** The modules of Node with which carriers transport bytes. */
const transports = new Set(['node:http', 'node:https', 'node:http2', 'node:net', 'node:tls']);

test('of http, only the carriers import the servers and sockets of Node', () => {
  const wrong = tree
    .filter(({ path }) => path.startsWith('http/') && !path.startsWith('http/carriers/'))
    // It takes one pure function from there: whether a text is an IP address.
    .filter(({ path }) => path !== 'http/admission/forwarded.ts')
    .filter(({ imports }) => imports.some((name) => transports.has(name)))
    .map(({ path }) => path);
  assert.deepEqual(wrong, []);
});

/**
 * The pairs of a folder P and its subfolder P/S where a file directly in P imports a file in P/S, and
 * a file in P/S imports a file directly in P. Files of a subfolder of P/S count as files in P/S.
 */
function mutualPairs(all: readonly Edge[]): readonly string[] {
  const down = new Set<string>();
  const up = new Set<string>();
  for (const { from, to } of all) {
    const [above, below] = [posix.dirname(from), posix.dirname(to)];
    if (below.startsWith(`${above}/`)) down.add(pairOf(above, below));
    if (above.startsWith(`${below}/`)) up.add(pairOf(below, above));
  }
  return [...down].filter((pair) => up.has(pair)).toSorted();
}

function pairOf(parent: string, descendant: string): string {
  const child = descendant.slice(parent.length + 1).split('/')[0];
  return `${parent} and ${parent}/${child}`;
}

test('no subfolder imports its parent and is imported by it', () => {
  assert.deepEqual(mutualPairs(edges), []);
});

const apart: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    Object.entries(contracts).map(([folder, { open = [], shared = [] }]) => [
      folder,
      [...open, ...shared],
    ]),
  ),
  ...Object.fromEntries(Object.entries(variants).map(([folder, { shared }]) => [folder, shared])),
};

/** What of a folder of implementations a file belongs to: a subfolder, or a file of its own. */
function implementationOf(path: string, folder: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined;
  const [first = ''] = path.slice(folder.length + 1).split('/');
  return apart[folder]?.includes(first) === true ? undefined : first;
}

function importsBetweenImplementations(all: readonly Edge[]): readonly string[] {
  const wrong = Object.keys(apart).flatMap((folder) =>
    all.flatMap(({ from, to }) => {
      const [one, other] = [implementationOf(from, folder), implementationOf(to, folder)];
      const isWrong = one !== undefined && other !== undefined && one !== other;
      return isWrong ? [`${folder}/${one} imports ${folder}/${other}`] : [];
    }),
  );
  return [...new Set(wrong)].toSorted();
}

test('implementations of one contract do not import each other', () => {
  assert.deepEqual(importsBetweenImplementations(edges), []);
});

test('folders of app, cli and http that stand side by side do not import each other in a circle', () => {
  assert.deepEqual(circlesAmongSiblings(edges), []);
});

/** Pairs of sibling folders of `app`, `cli` or `http` that reach each other through imports of siblings. */
function circlesAmongSiblings(all: readonly Edge[]): readonly string[] {
  const reached = new Map<string, Set<string>>();
  for (const { from, to } of all) {
    const [above, below] = [siblingOf(from), siblingOf(to)];
    if (above === undefined || below === undefined || above === below) continue;
    reached.set(above, (reached.get(above) ?? new Set()).add(below));
  }
  for (const through of reached.keys()) {
    for (const targets of reached.values()) {
      if (targets.has(through)) for (const one of reached.get(through) ?? []) targets.add(one);
    }
  }
  return [...reached].flatMap(([folder, targets]) => (targets.has(folder) ? [folder] : []));
}

function siblingOf(path: string): string | undefined {
  const [layer = '', folder, file] = path.split('/');
  if (!['app', 'cli', 'http'].includes(layer)) return undefined;
  return file === undefined ? undefined : `${layer}/${folder}`;
}

test('the rules above find what breaks them', () => {
  const tainted = edgesOf([
    parseSource('board/board.ts', `import { a } from './rows/open.ts';`),
    parseSource('board/rows/old/row.ts', `export type { B } from '../../board.ts';`),
    parseSource('store/sqlite/open.ts', `export const c = await import('../postgres/pool.ts');`),
    parseSource('import/layouts/rava.ts', `import './yahoo.ts';`),
    parseSource('app/site/a.ts', `import '../keys/b.ts';`),
    parseSource('app/keys/b.ts', `import '../log/c.ts';`),
    parseSource('app/log/c.ts', `import '../site/a.ts';`),
  ]);
  assert.deepEqual(mutualPairs(tainted), ['board and board/rows']);
  assert.deepEqual(importsBetweenImplementations(tainted), [
    'import/layouts/rava.ts imports import/layouts/yahoo.ts',
    'store/sqlite imports store/postgres',
  ]);
  assert.deepEqual(circlesAmongSiblings(tainted), ['app/site', 'app/keys', 'app/log']);
});
