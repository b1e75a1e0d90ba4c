import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { readSourceTree } from './support/project/source-tree.ts';
import type { SourceFile } from './support/project/source-tree.ts';

test('no term has two rows in the glossary', () => {
  const page = readFileSync(new URL('../src/domain/README.md', import.meta.url), 'utf8');
  const terms = [...page.matchAll(/^\| (?<cell>\*\*.+?) +\|/gm)].flatMap(({ groups }) =>
    [...(groups?.['cell'] ?? '').matchAll(/\*\*(.+?)\*\*/g)].flatMap(([, bold = '']) =>
      bold.split(', '),
    ),
  );
  assert.ok(terms.length > 30);
  const twice = terms.filter((term, at) => terms.indexOf(term) !== at);
  assert.deepEqual(twice, []);
});

/** The names of the types and classes that a file exports. */
function exportedTypes({ program }: SourceFile): readonly string[] {
  return program.body.flatMap((one) => {
    if (one.type !== 'ExportNamedDeclaration' || one.declaration === null) return [];
    const { declaration } = one;
    const isType =
      declaration.type === 'TSInterfaceDeclaration' ||
      declaration.type === 'TSTypeAliasDeclaration' ||
      declaration.type === 'ClassDeclaration';
    return isType && declaration.id !== null ? [declaration.id.name] : [];
  });
}

/** Implementations of one contract may name their own parts alike, because none imports another. */
const implementation = /^(?:feeds|store|bus)\/(?!contract|continued|encoding|shapes|net\b)/;

test('no two types of src have one name', () => {
  const places = Map.groupBy(
    readSourceTree().flatMap((file) => exportedTypes(file).map((name) => [name, file.path])),
    ([name]) => name,
  );
  const wrong = [...places.values()].filter(
    (all) => all.length > 1 && !all.every(([, path = '']) => implementation.test(path)),
  );
  assert.deepEqual(wrong, []);
});
