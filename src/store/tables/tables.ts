import type { Columns, ColumnType } from '../sql/sql.ts';
import { tablesOf, type VersionedTable } from '../versioned-table.ts';
import { actionTable } from './actions.ts';
import { indexTable } from './indices.ts';
import { termsTable } from './terms.ts';

/** All versioned tables. */
const versionedTables: readonly Pick<
  VersionedTable<never>,
  'subject' | 'name' | 'columns' | 'key'
>[] = [actionTable, indexTable, termsTable];

/** Each small table that is read as a whole: the subject of its seal, its name, and the columns that are sealed. */
export const sealedTables: readonly {
  readonly subject: string;
  readonly name: string;
  readonly columns: Columns;
}[] = versionedTables.map(tablesOf).flatMap(({ stored, replaced }) => [stored, replaced]);

/** How an engine declares the tables of this folder. */
export interface Dialect {
  readonly types: Readonly<Record<'text' | 'integer' | 'big' | 'real', string>>;
  /** The type of a primary key that increases with each row. */
  readonly position: string;
  /** What follows the columns of a table that has such a key, and of one that has another key. */
  readonly options: { readonly numbered: string; readonly keyed: string };
}

/** The statements that create the versioned tables. */
export function createTables({ types, position, options }: Dialect): string {
  const declare = (columns: Columns): string =>
    Object.entries(columns)
      .map(([name, type]) => `${name} ${columnText(types, type)}`)
      .join(', ');
  return versionedTables
    .map((table) => {
      const { stored, replaced } = tablesOf(table);
      return `
        CREATE TABLE ${stored.name} (
          ${declare(stored.columns)}, PRIMARY KEY (${table.key.join(', ')})
        ) ${options.keyed};
        CREATE TABLE ${replaced.name} (
          position ${position} PRIMARY KEY, ${declare(replaced.columns)}
        ) ${options.numbered};`;
    })
    .join('\n');
}

function columnText(types: Dialect['types'], type: ColumnType): string {
  const base = type.replace('?', '') as keyof Dialect['types'];
  return type === base ? `${types[base]} NOT NULL` : types[base];
}
