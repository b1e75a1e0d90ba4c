import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

const project = join(import.meta.dirname, '../..');

function isLeftOut(name: string): boolean {
  return /(^|\/)(node_modules|\.[^/]+)$/.test(name);
}

/** The matching files, without those of installed packages. */
async function filesOf(...patterns: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(await Array.fromAsync(glob(patterns, { cwd: project, exclude: isLeftOut })));
}

/** The commands that share the test files among them. All but the first need programs that `npm ci` does not install. */
const commands = ['test', 'test:web', 'test:database', 'test:recipes'];

test('npm test, test:web, test:database and test:recipes run every test file exactly once', async () => {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const quoted = commands.flatMap((name) => [
    ...(scripts[name] ?? '').matchAll(/"([^"]+\.test\.ts)"/g),
  ]);
  const byItself = await filesOf(...quoted.map(([, pattern = '']) => pattern));
  const batches = [...byItself].filter((file) => file.startsWith('test/batches/'));
  assert.ok(batches.length > 1, batches.join());
  const inBatches: string[] = [];
  for (const batch of batches) {
    const text = await readFile(join(project, batch), 'utf8');
    const [, patterns = ''] = /importTests\(\[([^\]]+)\]\)/.exec(text) ?? [];
    const quotedHere = [...patterns.matchAll(/'([^']+)'/g)];
    inBatches.push(...(await filesOf(...quotedHere.map(([, pattern = '']) => pattern))));
  }
  const run = [...byItself, ...inBatches].toSorted();
  assert.deepEqual(run, [...(await filesOf('{src,test,web}/**/*.test.ts'))].toSorted());
});
