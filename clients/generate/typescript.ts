import type { Contract, Field, NamedType, ValueType } from './schemas.ts';

const head = `// Generated from the contract by \`npm run docs\`. Do not edit.
`;

/** The types of the contract as a TypeScript module. */
export function typescriptTypes({ types, parameters, tables }: Contract): string {
  const queries = [...parameters].map(
    ([path, fields]) => `  readonly '${path}': {${members(fields, '    ', false)}  };\n`,
  );
  const rows = [...tables].map(([path, type]) => `  readonly '${path}': ${text(type)};\n`);
  return `${head}
${types.map(declaration).join('\n')}
/** The query parameters of each path. A list may also be a text with commas. */
export interface Parameters {
${queries.join('')}}

/** The rows of each table. */
export interface Tables {
${rows.join('')}}
`;
}

function declaration({ name, description, type, fields, others }: NamedType): string {
  const documented = comment(description, '');
  return type === undefined
    ? `${documented}export interface ${name} {${members(fields ?? [], '  ', true)}${further(others, fields ?? [])}}\n`
    : `${documented}export type ${name} = ${text(type)};\n`;
}

/** The fields whose names are not known. TypeScript wants their type to include those of the others. */
function further(others: ValueType | undefined, fields: readonly Field[]): string {
  if (others === undefined) return '';
  const types = new Set([...fields.map(({ type }) => text(type)), text(others)]);
  return `  readonly [name: string]: ${[...types].join(' | ')};\n`;
}

function members(fields: readonly Field[], indent: string, isRow: boolean): string {
  if (fields.length === 0) return '';
  const lines = fields.map(({ name, description, type, isOptional, isNullable }) => {
    const value = isRow || type.kind !== 'list' ? text(type) : `string | ${text(type)}`;
    const absent = isOptional && !isRow ? ' | undefined' : '';
    const nullable = isNullable ? ' | null' : '';
    const mark = isOptional ? '?' : '';
    return `${comment(description, indent)}${indent}readonly ${name}${mark}: ${value}${nullable}${absent};\n`;
  });
  return `\n${lines.join('')}`;
}

function text(type: ValueType): string {
  switch (type.kind) {
    case 'string':
      return 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'literals':
      return type.values.map((value) => `'${value}'`).join(' | ');
    case 'true':
      return 'true';
    case 'named':
      return type.name;
    case 'list':
      return `readonly ${'of' in type.of || type.of.kind === 'literals' ? `(${text(type.of)})` : text(type.of)}[]`;
    case 'nullable':
      return `${text(type.of)} | null`;
    case 'union':
      return type.of.map(text).join(' | ');
    default:
      return type satisfies never;
  }
}

function comment(description: string, indent: string): string {
  const lines = description.trim().split('\n');
  if (lines[0] === '') return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  const body = lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`);
  return `${indent}/**\n${body.join('')}${indent} */\n`;
}
