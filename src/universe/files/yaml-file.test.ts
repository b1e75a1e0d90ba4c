import assert from 'node:assert/strict';
import { test } from 'node:test';

import { YamlFile } from './yaml-file.ts';

function open(...lines: readonly string[]): YamlFile {
  return new YamlFile({ file: 'x.yaml', text: lines.join('\n') });
}

/** The faults of a file, as [line, column, value, message]. */
function faultsOf({ faults }: YamlFile) {
  return faults.map(({ line, column, value, message }) => [line, column, value, message]);
}

test('a fault shows the text of its node: a scalar as its value, a list or a map as it is written', () => {
  const yaml = open("a: 'quoted'", 'b: [1, 2]', 'c: { x: 1 }');
  for (const { value } of yaml.entries(yaml.root, 'the file')) yaml.fault(value, 'wrong');
  assert.deepEqual(faultsOf(yaml), [
    [1, 4, 'quoted', 'wrong'],
    [2, 4, '[1, 2]', 'wrong'],
    [3, 4, '{ x: 1 }', 'wrong'],
  ]);
});

test('a fault shows at most the first line of a node, and of that 60 characters', () => {
  const long = `[${'x'.repeat(80)}]`;
  const yaml = open('a:', '  - one', '  - two', `b: ${long}`);
  for (const { value } of yaml.entries(yaml.root, 'the file')) yaml.fault(value, 'wrong');
  assert.deepEqual(faultsOf(yaml), [
    [2, 3, '- one', 'wrong'],
    [4, 4, long.slice(0, 60), 'wrong'],
  ]);
});

test('a fault without a node is at the start of the file and shows nothing', () => {
  const yaml = open('a: 1');
  yaml.fault(null, 'wrong');
  assert.deepEqual(faultsOf(yaml), [[1, 1, '', 'wrong']]);
});

test('after a duplicate key the rest of the file is read', () => {
  const yaml = open('a: 1', 'b: 2', 'a: 3');
  assert.deepEqual(faultsOf(yaml), [[3, 1, 'a: 3', 'duplicate key']]);
  assert.equal(yaml.isReadable, true);
  assert.deepEqual(
    yaml.entries(yaml.root, 'the file').map(({ key }) => key),
    ['a', 'b', 'a'],
  );
});

test('a file that is no YAML cannot be read, and its fault shows the rest of the line', () => {
  const yaml = open('a: 1', 'b: "open', 'c: 2');
  assert.equal(yaml.isReadable, false);
  const [fault] = yaml.faults;
  assert.equal(yaml.faults.length, 1);
  assert.equal(fault?.message, 'Missing closing "quote');
  const other = open('a: 1', 'b: @x   ', `c: @${'y'.repeat(80)}`);
  assert.equal(other.isReadable, false);
  assert.deepEqual(
    other.faults.map(({ line, column, value }) => [line, column, value]),
    [
      [2, 4, '@x'],
      [3, 4, `@${'y'.repeat(59)}`],
    ],
  );
});

test('an empty file and one with only comments are one fault', () => {
  for (const text of ['', '# nothing']) {
    const yaml = open(text);
    assert.equal(yaml.isReadable, false);
    assert.deepEqual(faultsOf(yaml), [[1, 1, text, 'the file is empty']]);
  }
});

test('an alias is read as the node it refers to, and its faults are at the alias', () => {
  const yaml = open(
    'a: &list [x]',
    'b: *list',
    'c: &text y',
    'd: *text',
    'e: &map { z: 1 }',
    'f: *map',
  );
  const values = new Map(yaml.entries(yaml.root, 'the file').map(({ key, value }) => [key, value]));
  assert.equal(yaml.items(values.get('b') ?? null, 'b').length, 1);
  assert.equal(yaml.text(values.get('d') ?? null, 'd'), 'y');
  assert.equal(yaml.isMap(values.get('f') ?? null), true);
  assert.deepEqual(faultsOf(yaml), []);
  assert.equal(yaml.text(values.get('b') ?? null, 'b'), undefined);
  assert.deepEqual(faultsOf(yaml), [[2, 4, '*list', 'b must be a text']]);
});

test('every scalar is the text in the file', () => {
  const yaml = open('NO: 2026-01-01', '1e3: 0x10');
  assert.deepEqual(
    yaml.entries(yaml.root, 'the file').map(({ key, value }) => [key, yaml.text(value, 'x')]),
    [
      ['NO', '2026-01-01'],
      ['1e3', '0x10'],
    ],
  );
});

test('a list that may be empty is one, and anything else is a fault', () => {
  const yaml = open('a: []', 'b: x', 'c: [y]');
  const [a, b, c] = yaml.entries(yaml.root, 'the file').map(({ value }) => value);
  assert.deepEqual(yaml.itemsIfAny(a ?? null, 'a'), []);
  assert.deepEqual(yaml.faults, []);
  assert.equal(yaml.itemsIfAny(c ?? null, 'c').length, 1);
  assert.deepEqual(yaml.itemsIfAny(b ?? null, 'b'), []);
  assert.deepEqual(yaml.items(a ?? null, 'a'), []);
  assert.deepEqual(faultsOf(yaml), [
    [2, 4, 'x', 'b must be a list with at least one item'],
    [1, 4, '[]', 'a must be a list with at least one item'],
  ]);
});

test('unknown and missing fields of a map are faults; of what is no map none is missing', () => {
  const keys = { required: ['a', 'b'], optional: ['c'] };
  const yaml = open('c: 1', 'd: 2');
  assert.deepEqual([...yaml.fields(yaml.root, 'the thing', keys).keys()], ['c']);
  assert.deepEqual(faultsOf(yaml), [
    [2, 1, 'd', 'unknown key in the thing; its keys are a, b, c'],
    [1, 1, '', 'the thing requires a, b'],
  ]);
  const list = open('[a]');
  list.fields(list.root, 'the thing', keys);
  assert.deepEqual(faultsOf(list), [[1, 1, '[a]', 'the thing must be a map of keys and values']]);
});

test('a text is located where it is in the file', () => {
  const yaml = open('a:', '  - b');
  const [entry] = yaml.entries(yaml.root, 'the file');
  const [item] = yaml.items(entry?.value ?? null, 'a');
  assert.deepEqual(item && yaml.located(item, 'b'), { value: 'b', line: 2, column: 5 });
});

test('a file that would take long to parse is a fault with a place', () => {
  assert.deepEqual(faultsOf(open('a: 1', `b: ${'['.repeat(100_000)}`)), [
    [2, 104, '', 'more than 100 brackets within one another'],
  ]);
});
