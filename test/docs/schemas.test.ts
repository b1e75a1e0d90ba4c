import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

import { configSchema, schemaDraft } from '../../src/config/schemas/config-schema.ts';
import { universeSchemas } from '../../src/universe/universe-schemas.ts';
import type { JsonSchema } from '../../src/lib/text/json-schema.ts';
import { assertGenerated } from '../support/generated-file.ts';

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
    assertGenerated(`schemas/${name}`, () => `${JSON.stringify(schema, undefined, 2)}\n`);
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
