import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Visitor } from 'oxc-parser';

import {
  parseSource,
  readSourceTree,
  type SourceFile,
} from '../../../test/support/project/source-tree.ts';
import { environmentName, flagName, settingNames } from './settings.ts';

const spellings = settingNames.flatMap((name) => [flagName(name), environmentName(name)]);
const spelled = new RegExp(`(?:${spellings.join('|')})(?![\\w-])`);

/** The texts of a file that spell a flag or a variable of a setting. */
function spelledIn({ program }: SourceFile): readonly string[] {
  const found: string[] = [];
  const look = (text: string): void => {
    if (spelled.test(text)) found.push(text);
  };
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') look(node.value);
    },
    TemplateElement(node) {
      look(node.value.raw);
    },
  }).visit(program);
  return found;
}

test('no message spells the flag or the variable of a setting, which a rename would leave behind', () => {
  const wrong = readSourceTree()
    .filter(({ path }) => /^(?:config|node|operator|cli)\//.test(path))
    .flatMap((file) => spelledIn(file).map((text) => `${file.path}: ${text}`));
  assert.deepEqual(wrong, []);
});

/** The names of properties that a file reads, by a dot or by destructuring. */
function readIn({ program }: SourceFile): readonly string[] {
  const found: string[] = [];
  new Visitor({
    MemberExpression({ computed, property }) {
      if (!computed && property.type === 'Identifier') found.push(property.name);
    },
    ObjectPattern({ properties }) {
      for (const one of properties) {
        if (one.type === 'Property' && one.key.type === 'Identifier') found.push(one.key.name);
      }
    },
  }).visit(program);
  return found;
}

// The folders below do not know the settings. Limits of theirs have the same names.
test('every setting is read by a part of the program, so none has no effect', () => {
  const read = new Set(
    readSourceTree()
      .filter(({ path }) => /^(?:config|node|operator|cli|embed)\//.test(path))
      .flatMap(readIn),
  );
  assert.deepEqual(
    settingNames.filter((name) => !read.has(name)),
    [],
  );
});

/** The number of texts in a source that spell a setting. */
function find(text: string): number {
  return spelledIn(parseSource('case.ts', text)).length;
}

test('a spelled flag and variable are found, and a longer flag of another name is not', () => {
  assert.equal(find("throw new Error('set --behind-proxy');"), 1);
  assert.equal(find('const a = `${b} and PIZARRA_TLS_KEY`;'), 1);
  assert.equal(find("const flag = '--data-source';"), 0);
});
