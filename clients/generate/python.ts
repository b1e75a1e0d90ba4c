import type { Contract, Field, NamedType, ValueType } from './schemas.ts';

const head = `# Generated from the contract by \`npm run docs\`. Do not edit.
"""The rows of the contract. A field that is absent or null in a response is None."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Literal, Mapping, Optional, Tuple, Type, Union, get_args

from ._row import Row
`;

/** The types of the contract as a Python module. */
export function pythonTypes({ types, parameters, tables }: Contract): string {
  // A union is evaluated when the module is loaded, so it comes after the classes that it names.
  const aliases = types.filter(({ type }) => type?.kind !== 'union' && type !== undefined);
  const unions = types.filter(({ type }) => type?.kind === 'union');
  const rows = types.filter(({ fields, others }) => fields !== undefined && others === undefined);
  const mappings = types.filter(({ others }) => others !== undefined);
  const paths = [...parameters].map(
    ([path, fields]) =>
      `    "${path}": (${fields
        .map(({ name }) => `"${name}", `)
        .join('')
        .trim()}),\n`,
  );
  const requested = [...parameters].flatMap(([path, fields]) => {
    const type = fields.find(({ name }) => name === 'campos')?.type;
    return type === undefined ? [] : [`    "${path}": get_args(${inner(type)}),\n`];
  });
  const kinds = [...tables].flatMap(([path, type]) =>
    type.kind === 'named' && rows.some(({ name }) => name === type.name)
      ? [`    "${path}": ${type.name},\n`]
      : [],
  );
  return `${head}
${[...aliases.map(alias), ...mappings.map(mapping), '', ...rows.map((row) => dataclass(row, rows)), ...unions.map(union)].join('\n')}

# The names of fields that are numbers, and those that are dates, in every row that has them.
NUMBERS = frozenset((${namesOf(rows, ({ type }) => type.kind === 'number' || type.kind === 'integer')}))
DATES = frozenset((${namesOf(rows, ({ isDate }) => isDate)}))

# The query parameters of each path.
PARAMETERS: Mapping[str, Tuple[str, ...]] = {
${paths.join('')}}

# The fields that \`campos\` adds to the rows of each path.
REQUESTED: Mapping[str, Tuple[str, ...]] = {
${requested.join('')}}

# The paths of tables.
TABLES = (${[...tables.keys()].map((path) => `"${path}"`).join(', ')})

# The rows of the tables that have one kind of them.
ROWS: Mapping[str, Type[Row]] = {
${kinds.join('')}}
`;
}

/** The names that are fields of one kind in every row that has them. */
function namesOf(rows: readonly NamedType[], isKind: (field: Field) => boolean): string {
  const all = rows.flatMap(({ fields = [] }) => fields);
  const others = new Set(all.filter((one) => !isKind(one)).map(({ name }) => name));
  const names = new Set(all.map(({ name }) => name)).difference(others);
  return [...names].map((name) => `"${name}"`).join(', ');
}

/** The name of the rows in a list; empty for any other type. */
function inner(type: ValueType): string {
  return type.kind === 'list' && type.of.kind === 'named' ? type.of.name : '';
}

function alias({ name, description, type }: NamedType): string {
  return `${commented(description)}\n${name} = ${type === undefined ? 'Any' : text(type)}\n`;
}

function commented(description: string): string {
  return description.trim().replaceAll(/^/gm, '# ').replaceAll(/ +$/gm, '');
}

/** A row with names that only the response gives stays a mapping. */
function mapping({ name, description, fields = [], others }: NamedType): string {
  const values = [...fields.map(({ type }) => type), ...(others === undefined ? [] : [others])];
  const type = `Mapping[str, Union[${values.map((one) => text(one)).join(', ')}]]`;
  return `${commented(description)}\n${name} = ${type}\n`;
}

function union({ name, description, type }: NamedType): string {
  if (type?.kind !== 'union') return '';
  const classes = type.of.map((one) => text(one));
  return `
# ${description.trim()}
${name} = Union[${classes.join(', ')}]


def ${functionName(name)}(values: Mapping[str, Any]) -> ${name}:
    """The row of an event, by its \`tipo\`."""
    for kind in (${classes.join(', ')}):
        if values.get("tipo") in kind.TIPOS:
            return kind.from_json(values)
    raise ValueError("unknown tipo: {!r}".format(values.get("tipo")))
`;
}

function functionName(name: string): string {
  return `${name.toLowerCase()}_from_json`;
}

function dataclass(
  { name, description, fields = [] }: NamedType,
  rows: readonly NamedType[],
): string {
  // A field without a default may not follow one with a default, so all rows are built by keyword and
  // every field that may be None has a default.
  const always = fields.filter((field) => !maybeNone(field));
  const others = fields.filter(maybeNone);
  const lists = fields.filter(({ type }) => rows.some((row) => row.name === inner(type)));
  const kinds = fields.find((field) => field.name === 'tipo' && field.type.kind === 'literals');
  const tipos =
    kinds?.type.kind === 'literals' && kinds.type.values.length <= 3 ? kinds.type.values : [];
  const body = [
    `\n@dataclass(frozen=True)\nclass ${name}(Row):\n    """${docstring(description)}"""\n`,
    ...[...always, ...others].map(member),
    `    FIELDS = (${fields
      .map((field) => `"${field.name}", `)
      .join('')
      .trim()})\n`,
  ];
  if (tipos.length > 0)
    body.push(
      `    TIPOS = (${tipos
        .map((one) => `"${one}", `)
        .join('')
        .trim()})\n`,
    );
  if (lists.length > 0) {
    const inners = lists.map(
      ({ name: field, type, isOptional }) => `
        ${isOptional ? `if "${field}" in values:\n            ` : ''}inner["${field}"] = [${inner(type)}.from_json(one) for one in values.get("${field}", ())]`,
    );
    body.push(`
    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "${name}":
        inner = dict(values)${inners.join('')}
        return super().from_json(inner)
`);
  }
  return body.join('\n');
}

function maybeNone({ isOptional, isNullable }: Field): boolean {
  return isOptional || isNullable;
}

function member(field: Field): string {
  const notes = field.description.trim();
  const type = text(field.type);
  const declared = maybeNone(field) ? `Optional[${type}] = None` : type;
  const note = notes === '' ? '' : `    """${docstring(notes, '    ')}"""\n`;
  return `    ${field.name}: ${declared}\n${note}`;
}

function docstring(description: string, indent = '    '): string {
  const lines = description.trim().replaceAll('\\', '\\\\').split('\n');
  return (
    lines.map((line, at) => (at === 0 || line === '' ? line : indent + line)).join('\n') +
    (lines.length > 1 ? `\n${indent}` : '')
  );
}

function text(type: ValueType): string {
  switch (type.kind) {
    case 'string':
      return 'str';
    case 'number':
      return 'float';
    case 'integer':
      return 'int';
    case 'literals':
      return `Literal[${type.values.map((value) => `"${value}"`).join(', ')}]`;
    case 'true':
      return 'Literal[True]';
    case 'named':
      return type.name;
    case 'list':
      return `List[${text(type.of)}]`;
    case 'nullable':
      return `Optional[${text(type.of)}]`;
    case 'union':
      return `Union[${type.of.map((one) => text(one)).join(', ')}]`;
    default:
      return type satisfies never;
  }
}
