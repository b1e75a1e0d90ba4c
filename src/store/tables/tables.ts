import { namesOf, type Columns, type ColumnType } from '../sql/sql.ts';
import { tablesOf, type DeclaredTable, type VersionedTable } from '../versioned-table.ts';
import { actionTable } from './actions.ts';
import { indexTable } from './indices.ts';
import { eventTable, keyTable } from './keys.ts';
import { termsTable } from './terms.ts';

const versionedTables: readonly Pick<
  VersionedTable<never>,
  'subject' | 'name' | 'columns' | 'key'
>[] = [actionTable, indexTable, termsTable];

/** All small tables that are read as a whole. */
export const declaredTables: readonly DeclaredTable[] = [
  ...versionedTables.map(tablesOf).flatMap(({ stored, replaced }) => [stored, replaced]),
  keyTable,
  eventTable,
];

/** The statement that reads what is sealed of a table. */
export function sealedText({ name, columns, sealed = columns }: DeclaredTable): string {
  return `SELECT ${namesOf(sealed)} FROM ${name}`;
}

/** How an engine declares a table. */
export interface Dialect {
  readonly types: Readonly<Record<'text' | 'integer' | 'big' | 'real', string>>;
  /** The type of a primary key that increases with each row. */
  readonly position: string;
  /** What follows the columns of a table that has such a key, and of one that has another key. */
  readonly options: { readonly numbered: string; readonly keyed: string };
}

/** The statements that create the declared tables. */
export function createDeclaredTables({ types, position, options }: Dialect): string {
  const columnText = (type: ColumnType): string => {
    const base = type.replace('?', '') as keyof Dialect['types'];
    return type === base ? `${types[base]} NOT NULL` : types[base];
  };
  const textOf = (columns: Columns): readonly string[] =>
    Object.entries(columns).map(([name, type]) => `${name} ${columnText(type)}`);
  return declaredTables
    .map(({ name, columns, key, unique = [], indexes = '' }) => {
      const lines = [
        ...(key === undefined ? [`position ${position} PRIMARY KEY`] : []),
        ...textOf(columns),
        ...(key === undefined ? [] : [`PRIMARY KEY (${key.join(', ')})`]),
        ...unique.map((column) => `UNIQUE (${column})`),
      ];
      const option = key === undefined ? options.numbered : options.keyed;
      return `CREATE TABLE ${name} (${lines.join(', ')}) ${option}; ${indexes}`;
    })
    .join('\n');
}
