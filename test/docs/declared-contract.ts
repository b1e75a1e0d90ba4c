import { isMap, isSeq, type Document, type YAMLMap, type YAMLSeq } from 'yaml';

import type { AnyOperation } from '../../src/contract/operation.ts';
import type { Input } from '../../src/contract/part.ts';
import type { FieldAbout } from '../../src/contract/table.ts';

/** A schema as the OpenAPI document has it: a name stands for a schema of the document. */
function schemaOf(schema: FieldAbout['schema'] | undefined): Record<string, unknown> {
  if (typeof schema === 'string') return { $ref: `#/components/schemas/${schema}` };
  const own = { ...schema };
  if (own['items'] !== undefined) own['items'] = schemaOf(own['items'] as FieldAbout['schema']);
  return own;
}

const oneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

/** Sets a value in a map if it differs. A text is the same however its lines are broken. */
function set(map: YAMLMap, key: string, value: unknown): void {
  const node = map.get(key, true) as { toJSON(): unknown } | undefined;
  const before = node?.toJSON();
  const isSame =
    typeof value === 'string' && typeof before === 'string'
      ? oneLine(before) === oneLine(value)
      : JSON.stringify(before) === JSON.stringify(value);
  if (isSame) return;
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

function describeParameter(parameter: YAMLMap, name: string, input: Input): void {
  set(parameter, 'name', name);
  set(parameter, 'in', 'query');
  set(parameter, 'required', input.isRequired === true);
  set(parameter, 'description', input.es);
  const schema = schemaOf(input.schema);
  if (schema['type'] === 'array') {
    set(parameter, 'style', 'form');
    set(parameter, 'explode', false);
  }
  set(parameter, 'schema', schema);
}

function describeField(properties: YAMLMap, name: string, about: FieldAbout): void {
  const schema = schemaOf(about.schema);
  if (about.without === 'null') schema['type'] = [schema['type'], 'null'].flat();
  if (about.es !== undefined) schema['description'] = about.es;
  const known = properties.get(name);
  if (!isMap(known)) {
    properties.set(name, schema);
    return;
  }
  for (const key of known.items.map(({ key: one }) => String(one))) {
    if (!(key in schema)) known.delete(key);
  }
  for (const [key, value] of Object.entries(schema)) set(known, key, value);
}

/** Writes the parameters and fields of the declared paths into the OpenAPI document. Samples and prose stay. */
export function describeOperations(document: Document, operations: readonly AnyOperation[]): void {
  for (const { path, inputs, tables } of operations) {
    const parameters = document.getIn(['paths', path, 'get', 'parameters']) as YAMLSeq<YAMLMap>;
    if (!isSeq(parameters)) throw new Error(`${path} has no list of parameters`);
    const isDeclared = (one: YAMLMap): boolean => String(one.get('name')) in inputs;
    const known = parameters.items.filter(isDeclared);
    const names = new Set(known.map((one) => String(one.get('name'))));
    const added = Object.keys(inputs).filter((name) => !names.has(name));
    parameters.items = [
      ...known,
      ...added.map((name) => document.createNode({ name }) as unknown as YAMLMap),
    ];
    for (const parameter of parameters.items) {
      const name = String(parameter.get('name'));
      describeParameter(parameter, name, inputs[name] ?? fail(name));
    }
    for (const [schema, fields] of schemasOf(tables)) {
      const place = document.getIn(['components', 'schemas', schema]) as YAMLMap;
      const properties = place.get('properties') as YAMLMap;
      for (const [name, about] of Object.entries(fields)) describeField(properties, name, about);
      const order = Object.keys(fields);
      properties.items = order.map(
        (name) => properties.items.find(({ key }) => String(key) === name) ?? fail(name),
      );
      const required = order.filter((name) => fields[name]?.without !== 'absent');
      set(place, 'required', required);
    }
    const columns = alike(Object.values(tables)).map(csvPattern);
    const csv = ['paths', path, 'get', 'x-csv', 'content', 'text/csv', 'schema'];
    const pattern = `^(${columns.join('|')})\\r\\n`;
    set(document.getIn(csv) as YAMLMap, 'pattern', pattern);
  }
}

type Fields = Readonly<Record<string, FieldAbout>>;

/** The schemas of the rows with their fields. */
function schemasOf(tables: AnyOperation['tables']): readonly (readonly [string, Fields])[] {
  return Object.entries(tables).flatMap(([schema, table]) =>
    table.kinds === undefined ? [[schema, aboutOf(table)] as const] : Object.entries(table.kinds),
  );
}

function aboutOf({ fields }: Pick<AnyOperation['tables'][string], 'fields'>): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, { about }]) => [name, about]));
}

type CsvTable = Pick<AnyOperation['tables'][string], 'extras'> & {
  readonly fields: Readonly<Record<string, { readonly column: unknown }>>;
};

function columnsOf({ fields }: CsvTable): readonly string[] {
  return Object.keys(fields).filter((name) => fields[name]?.column !== undefined);
}

/** Tables with as many columns as one table, whose columns may have any of their names. */
function alike(tables: readonly CsvTable[]): readonly CsvTable[] {
  const all = tables.map(columnsOf);
  const [first = [], ...others] = all;
  if (others.length === 0 || others.some((one) => one.length !== first.length)) return tables;
  const names = first.map((name, at) => {
    const choices = new Set(all.map((one) => one[at]));
    return choices.size === 1 ? name : `(${[...choices].join('|')})`;
  });
  return [{ fields: Object.fromEntries(names.map((name) => [name, { column: true }])) }];
}

/** The header lines of a table in both styles of CSV. A field on request is optional. */
function csvPattern(table: CsvTable): string {
  const requested = new Set(Object.values(table.extras ?? {}).map(([name]) => name));
  return [',', ';']
    .map((separator) =>
      columnsOf(table)
        .map((name, at) =>
          requested.has(name) ? `(${separator}${name})?` : (at === 0 ? '' : separator) + name,
        )
        .join(''),
    )
    .join('|');
}

function fail(name: string): never {
  throw new Error(`the document has no field ${name}`);
}

/** The tables of `docs/contract.md` with the English texts of the declared parameters and fields. */
export function describeClauses(markdown: string, operations: readonly AnyOperation[]): string {
  return operations.reduce((text, { clause, inputs, tables }) => {
    const about = Object.assign({}, ...Object.values(tables).map(aboutOf)) as Fields;
    return describeSection(
      describeSection(text, clause, 'parameter', inputs),
      clause,
      'field',
      about,
    );
  }, markdown);
}

function describeSection(
  markdown: string,
  clause: string,
  kind: 'parameter' | 'field',
  texts: Readonly<Record<string, { readonly en?: string }>>,
): string {
  const start = markdown.indexOf(`\n### ${clause.split('.').slice(0, 2).join('.')} `);
  const next = markdown.slice(start + 1).search(/\n#{2,3} /);
  const end = next === -1 ? markdown.length : start + 1 + next;
  const section = markdown.slice(start, end);
  const described = section.split('\n\n').map((block) => {
    if (!block.trimStart().startsWith(`| ${kind}`)) return block;
    return block
      .split('\n')
      .map((line) => {
        const en = texts[/^\| `([^`]+)` +\|/.exec(line)?.[1] ?? '']?.en;
        if (en === undefined) return line;
        const cells = line.split(' | ');
        const last = `${en} |`;
        return oneLine(cells.at(-1) ?? '') === last
          ? line
          : [...cells.slice(0, -1), last].join(' | ');
      })
      .join('\n');
  });
  return markdown.slice(0, start) + described.join('\n\n') + markdown.slice(end);
}
