/** The glossary of src/domain/README.md, and the names of the exported types of src. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { project, textOf } from './blocks.ts';

const glossary = textOf('src/domain/README.md');

/** The exported types and classes by name, each with its files. */
const exported = new Map<string, string[]>();
const sources = readdirSync(join(project, 'src'), { recursive: true, encoding: 'utf8' });
for (const path of sources.filter((name) => /(?<!\.test)\.ts$/.test(name))) {
  const text = textOf(join('src', path));
  const declarations = text.matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm);
  for (const [, name = ''] of declarations) {
    exported.getOrInsertComputed(name, () => []).push(path);
  }
}

/** The names that two files export, and why they mean one thing. */
const shared: Readonly<Record<string, string>> = {
  PanelName: 'the name of a list of the source, in the mappers of two sources',
};

test('no two exported types have one name', () => {
  assert.ok(exported.size > 400, `${exported.size} types`);
  const repeated = [...exported].filter(([, files]) => files.length > 1);
  assert.deepEqual(new Set(repeated.map(([name]) => name)), new Set(Object.keys(shared)));
});

test('a term is in the glossary once', () => {
  const terms = [...glossary.matchAll(/^\| (\*\*.*?) +\|/gm)].flatMap(([, cell = '']) =>
    Array.from(cell.replaceAll(/\*\*, \*\*/g, ', ').matchAll(/\*\*([^*]+)\*\*([^*]*)/g)).flatMap(
      ([, names = '', rest = '']) => names.split(', ').map((name) => `${name}${rest}`.trim()),
    ),
  );
  assert.ok(terms.length > 50, `${terms.length} terms`);
  assert.deepEqual(
    terms.filter((term, at) => terms.indexOf(term) !== at),
    [],
  );
});

test('no exported type has a name that the glossary replaces by another', () => {
  const [, table = ''] = /\n## Names that are not used\n[^|]*((?:\|.*\n)+)/.exec(glossary) ?? [];
  const replaced = [...table.matchAll(/^\| (`.*?) +\|/gm)].flatMap(([, cell = '']) =>
    Array.from(cell.matchAll(/`(\w+)`/g), ([, name = '']) => name),
  );
  assert.ok(replaced.length > 5, `${replaced.length} names`);
  const isReplaced = (name: string): boolean =>
    (name.match(/[A-Z][a-z0-9]*/g) ?? []).some((word) =>
      replaced.some((one) => word === one || word === `${one}s` || word === `${one}es`),
    );
  assert.deepEqual([...exported.keys()].filter(isReplaced), []);
  assert.ok(isReplaced(`Quote${replaced[0]}s`));
});
