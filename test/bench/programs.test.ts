import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { project, textOf } from '../docs/blocks.ts';
import { readSourceTree } from '../support/project/source-tree.ts';

const run = promisify(execFile);
const ofNpm = 'npm run bench';

/** The programs of `bench/`, as a document names them. */
const programs = globSync('bench/!(support)/*.ts', { cwd: project })
  .map((file) => (file === 'bench/compare/main.ts' ? ofNpm : file))
  .toSorted();

/** The rows of the table in bench/README.md: each program, and the document that states its figures. */
const rows = Array.from(
  textOf('bench/README.md').matchAll(/^\| `([^`]+)`.*\]\(([^)]+)\)/gm),
  ([, program = '', document = '']) => ({ program, document: join('bench', document) }),
);

test('bench/README.md lists each program once', () => {
  assert.ok(programs.length > 9, programs.join());
  assert.deepEqual(rows.map(({ program }) => program).toSorted(), programs);
});

test('the document that states the figures of a program names it', () => {
  const unnamed = rows.filter(({ program, document }) => !textOf(document).includes(program));
  assert.deepEqual(unnamed, []);
});

test('each program starts, and explains its use', async () => {
  const starts = programs.map(async (program) => {
    const file = program === ofNpm ? 'bench/compare/main.ts' : program;
    const { stdout } = await run(process.execPath, [file, '--help'], { cwd: project });
    return { program, hasUsage: stdout.split('\n').some((line) => isUsage(line, program)) };
  });
  const silent = (await Promise.all(starts)).filter(({ hasUsage }) => !hasUsage);
  assert.deepEqual(silent, []);
});

function isUsage(line: string, program: string): boolean {
  return line.startsWith('Usage: ') && line.includes(program);
}

test('every file that a program names by its place beside it exists', () => {
  const place = /import\.meta\.dirname, '([^']+)'|new URL\('([^']+)', import\.meta\.url\)/g;
  const named = readSourceTree('bench').flatMap(({ path, text }) =>
    Array.from(text.matchAll(place), ([, inFolder, inUrl]) => {
      const file = join('bench', dirname(path), inFolder ?? inUrl ?? '');
      return { path, file };
    }),
  );
  assert.ok(named.length > 8, `${named.length} files`);
  // A run creates these.
  const made = new Set(['bench/data', 'web/dist']);
  const absent = named.filter(({ file }) => !made.has(file) && !existsSync(join(project, file)));
  assert.deepEqual(absent, []);
});

test('`npm run bench` starts the comparison', () => {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  assert.equal(scripts['bench'], 'node bench/compare/main.ts');
});
