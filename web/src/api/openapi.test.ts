import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { withCsv } from './with-csv.ts';
import { referenceOf, type OpenapiDocument, type Reference } from './openapi.ts';
import { terms } from './terms.ts';

const path = new URL('../../../contract/openapi.json', import.meta.url);
const document = withCsv(JSON.parse(readFileSync(path, 'utf8')) as OpenapiDocument);
const reference = referenceOf(document);

test('the reference has every path, parameter, schema, field, header and error of the contract', () => {
  const anchors = new Set(anchorsOf(reference));
  const operations = reference.groups.flatMap((group) => group.operations);
  assert.deepEqual(
    operations.map((one) => one.path).toSorted(),
    Object.keys(document.paths).toSorted(),
  );
  const expected = [
    'getCotizaciones',
    'getCotizaciones.especie',
    // A parameter that only CSV has.
    'getCotizaciones.decimal',
    'streamCotizaciones.Last-Event-ID',
    ...Object.keys(document.components.responses),
    ...Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) => [
      name,
      ...Object.keys(properties).map((field) => `${name}.${field}`),
    ]),
  ];
  assert.deepEqual(
    expected.filter((anchor) => !anchors.has(anchor)),
    [],
  );
  assert.equal(reference.headers.length, Object.keys(document.components.headers).length);
  assert.ok(anchors.has('missing-especies'));
  assert.ok(reference.errors.every(({ statuses }) => statuses.length > 0));
});

test('no two parts of the page have one address', () => {
  const anchors = [...anchorsOf(reference), ...terms.map(({ anchor }) => anchor)];
  const repeated = anchors.filter((anchor, at) => anchors.indexOf(anchor) !== at);
  assert.deepEqual(repeated, []);
});

test('a field of an object within another one is named with its path', () => {
  const schema = {
    type: 'object',
    properties: { filas: { type: 'array', items: { properties: { clave: {} } } } },
  };
  const inner = referenceOf({
    ...document,
    components: { ...document.components, schemas: { Tabla: schema } },
  });
  assert.deepEqual(
    inner.schemas[0]?.fields.map(({ anchor }) => anchor),
    ['Tabla.filas', 'Tabla.filas[].clave'],
  );
});

/** All anchors of a reference, in the order of the page. */
function anchorsOf({ groups, schemas, headers, errors }: Reference): readonly string[] {
  return [
    ...groups.flatMap((group) =>
      group.operations.flatMap((one) => [
        one.anchor,
        ...one.parameters.map(({ anchor }) => anchor),
      ]),
    ),
    ...errors.map(({ anchor }) => anchor),
    ...headers.map(({ anchor }) => anchor),
    ...schemas.flatMap(({ anchor, fields }) => [anchor, ...fields.map((field) => field.anchor)]),
  ];
}
