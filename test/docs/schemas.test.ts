import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

import { configSchema, schemaDraft } from '../../src/config/schemas/config-schema.ts';
import { universeSchemas } from '../../src/universe/universe-schemas.ts';
import type { JsonSchema } from '../../src/lib/text/json-schema.ts';

const project = resolve(import.meta.dirname, '../..');

/** The files of `schemas/`, as they follow from the settings, the feeds and the readers of the universe. */
const files = new Map<string, JsonSchema>([
  ['pizarra.schema.json', configSchema()],
  ...Object.entries(universeSchemas).map(([file, schema]): [string, JsonSchema] => [
    file.replace('.yaml', '.schema.json'),
    { $schema: schemaDraft, ...schema },
  ]),
]);

test('schemas/ has exactly the JSON Schemas that follow from the program', () => {
  for (const [name, schema] of files) {
    const path = join(project, 'schemas', name);
    const text = `${JSON.stringify(schema, undefined, 2)}\n`;
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(path, text);
    assert.ok(existsSync(path) && readFileSync(path, 'utf8') === text, `${name}: run npm run docs`);
  }
  assert.deepEqual(readdirSync(join(project, 'schemas')).toSorted(), [...files.keys()].toSorted());
});

test('the example of a configuration and the default universe name their schema in the first line', () => {
  const names = new Map([['deploy/pizarra.example.yaml', 'pizarra.schema.json']]);
  for (const file of Object.keys(universeSchemas)) {
    names.set(`universe/${file}`, file.replace('.yaml', '.schema.json'));
  }
  for (const [file, schema] of names) {
    const [line = ''] = readFileSync(join(project, file), 'utf8').split('\n');
    const [, path = ''] = /^# yaml-language-server: \$schema=(\S+)$/.exec(line) ?? [];
    assert.equal(resolve(project, dirname(file), path), join(project, 'schemas', schema));
  }
});
