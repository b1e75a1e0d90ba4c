import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const project = join(import.meta.dirname, '../..');
const page = readFileSync(join(project, 'docs/operating.md'), 'utf8');
const keys = readFileSync(join(project, 'docs/keys.md'), 'utf8');
const sources = readdirSync(join(project, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(project, 'src', file), 'utf8'));

/** Fails if no text of the sources begins with a line, of which … stands for the rest. */
function assertLogged(line: string): void {
  const text = line.replace('…', '').trim();
  assert.ok(
    sources.some((source) => source.includes(`'${text}`) || source.includes(`\`${text}`)),
    `nothing logs "${line}"`,
  );
}

test('docs/operating.md lists only lines that the program logs', () => {
  const list = page.slice(page.indexOf('Lines of the log that matter'));
  const rows = Array.from(list.matchAll(/^- (`.*) \((?:info|warn|error)\):/gm), ([, row]) => row);
  assert.ok(rows.length > 8);
  for (const row of rows) {
    for (const [, line = ''] of row?.matchAll(/`([^`]+)`/g) ?? []) assertLogged(line);
  }
});

test('docs/keys.md names only lines that the program logs', () => {
  const [, list = ''] = /kind of mistake[.:]\n\n((?:- .*\n)+)/.exec(keys) ?? [];
  const lines = Array.from(list.matchAll(/^- `([^`]+)`:/gm), ([, line = '']) => line);
  assert.ok(lines.length >= 4, `${lines.length} lines`);
  lines.forEach(assertLogged);
});
