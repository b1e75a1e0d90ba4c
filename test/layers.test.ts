import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { cyclesOf, edgesOf, folderEdges, type Edge } from './import-graph.ts';
import { computedImport, parseSource, readSourceTree } from './support/project/source-tree.ts';
import { fieldsIn } from './support/fields-in.ts';

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
  contract: { may: ['wire', 'domain', 'lib'], pure: true },
  auth: { may: ['domain', 'lib'] },
  universe: { may: ['domain', 'lib'] },
  feeds: { may: ['client', 'domain', 'lib'] },
  store: { may: ['cluster', 'domain', 'lib'] },
  import: { may: ['feeds', 'store', 'universe', 'domain', 'lib'] },
  pipeline: { may: ['engine', 'board', 'feeds', 'store', 'domain', 'lib'] },
  http: { may: ['board', 'auth', 'contract', 'wire', 'store', 'domain', 'lib'] },
  mcp: { may: ['client', 'contract', 'wire', 'domain', 'lib'] },
  config: { may: ['http', 'feeds', 'auth', 'domain', 'lib'] },
  node: {
    may: [
      'config',
      'http',
      'pipeline',
      'store',
      'feeds',
      'universe',
      'auth',
      'board',
      'engine',
      'cluster',
      'domain',
      'lib',
    ],
  },
  operator: {
    may: [
      'client',
      'node',
      'config',
      'mcp',
      'pipeline',
      'import',
      'store',
      'feeds',
      'universe',
      'auth',
      'contract',
      'wire',
      'domain',
      'lib',
    ],
  },
  commands: {
    may: [
      'operator',
      'node',
      'config',
      'pipeline',
      'import',
      'store',
      'feeds',
      'universe',
      'wire',
      'domain',
      'lib',
    ],
  },
  cli: { may: ['commands', 'node', 'config', 'lib'] },
  embed: { may: ['node', 'config', 'store', 'auth', 'domain', 'lib'] },
};

/** The client of the contract for TypeScript, which is the layer `client`. It imports nothing of `src/`. */
const client = '../clients/typescript/src/';

/** The folders that select the implementations of contracts. */
const selecting = new Set(['config', 'node']);

/**
 * Folders of implementations of one contract, which only the folders that select one may import. Every
 * folder above may import what is `open`: the contract, and tools that belong to it. Implementations may
 * also import what is `shared`, but not each other.
 */
const contracts: Record<
  string,
  { readonly open?: readonly string[]; readonly shared?: readonly string[] }
> = {
  store: {
    open: ['contract', 'continued'],
    shared: ['encoding', 'sql', 'tables', 'versioned-table.ts'],
  },
  feeds: { open: ['contract', 'shapes'], shared: ['net'] },
};

/** The same of files and folders of one folder, which any file of that folder may import. */
const variants: Record<string, { readonly shared: readonly string[] }> = {
  'import/layouts': { shared: ['layout.ts', 'headings.ts'] },
  'http/carriers': { shared: ['listener.ts', 'connection', 'stop'] },
};

const tree = readSourceTree();

const edges = edgesOf(tree);
const text = ({ from, to }: Edge): string => `${from} imports ${to}`;
const layerOf = (path: string): string =>
  path.startsWith(client) ? 'client' : (path.split('/')[0] ?? '');
/** The file or folder of a layer to which a path belongs. */
const placeIn = (path: string): string => path.split('/')[1] ?? '';

test('no file of src loads a module whose name is computed, because no rule could see it', () => {
  const wrong = tree.filter(({ imports }) => imports.includes(computedImport));
  assert.deepEqual(fieldsIn(wrong, 'path'), []);
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

test('only a folder that selects an implementation of a store or a feed imports it', () => {
  const wrong = closedImports(edges).filter(({ from }) => !selecting.has(layerOf(from)));
  assert.deepEqual(wrong.map(text), []);
});

/** The imports of an implementation of a contract from another folder. */
function closedImports(all: readonly Edge[]): readonly Edge[] {
  return all.filter(({ from, to }) => {
    const contract = contracts[layerOf(to)];
    return (
      contract !== undefined &&
      contract.open?.includes(placeIn(to)) !== true &&
      layerOf(from) !== layerOf(to)
    );
  });
}

/** The one file that selects the implementation of a store. */
const selectsTheStore = 'node/place/open-place.ts';

test('one file imports the implementations of a store', () => {
  const wrong = closedImports(edges).filter(
    ({ from, to }) => layerOf(to) === 'store' && from !== selectsTheStore,
  );
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
    .filter(({ path }) => path !== 'http/admission/client-info.ts')
    .filter(({ imports }) => imports.some((name) => transports.has(name)))
    .map(({ path }) => path);
  assert.deepEqual(wrong, []);
});

test('no files and no folders import each other in a circle, imports of types included', () => {
  assert.deepEqual(cyclesOf(edges), []);
  assert.deepEqual(cyclesOf(folderEdges(edges)), []);
});

test('ARCHITECTURE.md names each class of error', () => {
  const rules = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8');
  const classes = tree.flatMap(({ program }) =>
    program.body.flatMap((one) => {
      const declared = one.type === 'ExportNamedDeclaration' ? one.declaration : one;
      if (declared?.type !== 'ClassDeclaration' || declared.superClass?.type !== 'Identifier') {
        return [];
      }
      const isError = /(?:Error|Fault|Refusal)$/.test(declared.superClass.name);
      return isError ? [declared.id?.name ?? ''] : [];
    }),
  );
  assert.ok(classes.includes('StoreFault'));
  assert.deepEqual(
    classes.filter((name) => !rules.includes(`\`${name}\``)),
    [],
  );
});

test('bench has no cycles, and no program imports another', () => {
  const bench = readSourceTree('bench');
  const within = edgesOf(bench).filter(({ to }) => !to.startsWith('../'));
  assert.deepEqual(cyclesOf(within), []);
  assert.deepEqual(cyclesOf(folderEdges(within)), []);
  // A program is directly in a folder, and its parts are below.
  const program = /^(?!support\/)[^/]+\/[^/]+$/;
  assert.deepEqual(within.filter(({ to }) => program.test(to)).map(text), []);
});

/** What the implementations of a contract, or the variants of a folder, may all import. */
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

/** The folders beside `src/` whose structure is checked. */
const beside = ['test', 'scripts', 'web/src', 'clients/typescript/src', 'clients/generate'];

for (const folder of beside) {
  test(`${folder}: no files and no folders import each other in a circle`, () => {
    const files = readSourceTree(folder, { withTests: folder === 'test' });
    const paths = new Set(files.map(({ path }) => path));
    const within = edgesOf(files).filter(({ to }) => paths.has(to));
    assert.deepEqual(cyclesOf(within), []);
    assert.deepEqual(cyclesOf(folderEdges(within)), []);
  });
}

/** What the pages of the playground may import. A page imports no other page. */
const belowPages = ['backup', 'chart', 'places', 'market', 'key', 'ui'];

/** The rooms of the playground, as {@link layers}. The files beside them put the pages together. */
const rooms: Record<string, readonly string[]> = {
  ui: [],
  key: ['ui'],
  market: ['key', 'ui'],
  backup: ['market', 'ui'],
  offline: [],
  places: ['market', 'key', 'ui'],
  chart: ['places', 'market', 'key', 'ui'],
  alerts: belowPages,
  board: belowPages,
  dollars: belowPages,
  instrument: belowPages,
  api: belowPages,
  shell: belowPages,
};

const isInRoom = (path: string): boolean => path.includes('/');

/** The views of the board. Each can be changed, and left out of the first download, by itself. */
const views = ['board/charts', 'board/curve', 'board/heatmap', 'board/table', 'board/wall'];

function importsBetween(folders: readonly string[], all: readonly Edge[]): readonly Edge[] {
  const folderOf = (path: string) => folders.find((folder) => path.startsWith(`${folder}/`));
  return all.filter(({ from, to }) => {
    const [one, other] = [folderOf(from), folderOf(to)];
    return one !== undefined && other !== undefined && one !== other;
  });
}

test('web/src: a folder imports only what its room may, and a page imports no other page', () => {
  const files = readSourceTree('web/src', { withTests: true });
  const paths = new Set(files.map(({ path }) => path));
  const folders = new Set([...paths].filter(isInRoom).map(layerOf));
  assert.deepEqual([...folders].toSorted(), Object.keys(rooms).toSorted());
  const wrong = edgesOf(files)
    .filter(({ from, to }) => isInRoom(from) && paths.has(to))
    .filter(({ from, to }) => {
      const [above, below] = [layerOf(from), layerOf(to)];
      return above !== below && rooms[above]?.includes(below) !== true;
    });
  assert.deepEqual(wrong.map(text), []);
});

test('web/src: no view of the board imports another view', () => {
  const files = readSourceTree('web/src', { withTests: true });
  for (const view of views) assert.ok(files.some(({ path }) => path.startsWith(`${view}/`)));
  assert.deepEqual(importsBetween(views, edgesOf(files)).map(text), []);
});

test('test/README.md says what each folder of test holds', () => {
  const page = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  const folders = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  assert.deepEqual(
    folders.filter((name) => !page.includes(`\`${name}/\``)),
    [],
  );
});

test('the rules above find what breaks them', () => {
  const tainted = edgesOf([
    parseSource('board/board.ts', `import { a } from './rows/open.ts';`),
    parseSource('board/rows/open.ts', `export type { B } from '../columns/b.ts';`),
    parseSource('board/columns/b.ts', `import type { C } from '../other.ts';`),
    parseSource('store/sqlite/open.ts', `export const c = await import('../postgres/pool.ts');`),
    parseSource('import/layouts/rava.ts', `import './yahoo.ts';`),
    parseSource('http/content/a.ts', `import '../../store/sqlite/open.ts';`),
    parseSource('http/content/b.ts', `import type { D } from './c.ts';`),
    parseSource('http/content/c.ts', `export { e } from './b.ts';`),
    parseSource('board/wall/wall.ts', `import '../heatmap/tiles.ts';`),
  ]);
  assert.deepEqual(cyclesOf(tainted), [['http/content/b.ts', 'http/content/c.ts']]);
  assert.deepEqual(cyclesOf(folderEdges(tainted)), [['board', 'board/columns', 'board/rows']]);
  assert.deepEqual(importsBetweenImplementations(tainted), [
    'import/layouts/rava.ts imports import/layouts/yahoo.ts',
    'store/sqlite imports store/postgres',
  ]);
  assert.deepEqual(closedImports(tainted).map(text), [
    'http/content/a.ts imports store/sqlite/open.ts',
  ]);
  assert.deepEqual(importsBetween(views, tainted).map(text), [
    'board/wall/wall.ts imports board/heatmap/tiles.ts',
  ]);
});
