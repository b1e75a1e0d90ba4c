import { namesOf, type Columns, type ColumnType, type Reader, type Writer } from '../sql/sql.ts';
import {
  tablesOf,
  VersionedReader,
  VersionedWriter,
  type DeclaredTable,
} from '../versioned-table.ts';
import type { ReadSide } from '../contract/store.ts';
import { actionTable } from './actions.ts';
import { indexTable } from './indices.ts';
import { barReader } from './bars.ts';
import { closeMemory, historyReader } from './closes.ts';
import { eventTable, KeyReader, keyTable, KeyWriter } from './keys.ts';
import { quoteReader } from './quotes.ts';
import { termsTable } from './terms.ts';

const versionedTables = [actionTable, indexTable, termsTable] as const;

/** The queries that each engine says in its own words ({@link quoteReader}, {@link barReader}). */
export interface Queries {
  readonly quotes: string;
  readonly newerQuotes: string;
  readonly bars: string;
}

/** The half of a store that reads. */
export function readSide(sql: Reader, queries: Queries): ReadSide {
  return {
    history: historyReader(sql),
    memory: closeMemory(sql),
    actions: new VersionedReader(sql, actionTable),
    indices: new VersionedReader(sql, indexTable),
    terms: new VersionedReader(sql, termsTable),
    keys: new KeyReader(sql),
    quotes: quoteReader(sql, queries),
    bars: barReader(sql, queries.bars),
  };
}

/** What writes the tables of this folder. */
export function tableWriters(sql: Writer) {
  return {
    actions: new VersionedWriter(sql, actionTable),
    indices: new VersionedWriter(sql, indexTable),
    terms: new VersionedWriter(sql, termsTable),
    keys: new KeyWriter(sql),
  } as const;
}

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
  readonly types: Readonly<Record<'text' | 'integer' | 'big' | 'real' | 'bytes', string>>;
  /** The type of a primary key that increases with each row. */
  readonly position: string;
  /** What follows the columns of a table that has such a key, and of one that has another key. */
  readonly options: { readonly numbered: string; readonly keyed: string };
}

/** The statements that create the declared tables, and the revisions of what is in them. */
export function createDeclaredTables({ types, position, options }: Dialect): string {
  const columnText = (type: ColumnType): string => {
    const base = type.replace('?', '') as keyof Dialect['types'];
    return type === base ? `${types[base]} NOT NULL` : types[base];
  };
  const textOf = (columns: Columns): readonly string[] =>
    Object.entries(columns).map(([name, type]) => `${name} ${columnText(type)}`);
  const revisions = [...versionedTables, keyTable].map(({ subject }) => `('${subject}', 0)`);
  const tables = declaredTables.map(({ name, columns, key, unique = [], indexes = '' }) => {
    const lines = [
      ...(key === undefined ? [`position ${position} PRIMARY KEY`] : []),
      ...textOf(columns),
      ...(key === undefined ? [] : [`PRIMARY KEY (${key.join(', ')})`]),
      ...unique.map((column) => `UNIQUE (${column})`),
    ];
    const option = key === undefined ? options.numbered : options.keyed;
    return `CREATE TABLE ${name} (${lines.join(', ')}) ${option}; ${indexes}`;
  });
  const insert = `INSERT INTO revisions (subject, value) VALUES ${revisions.join(', ')};`;
  return [...tables, insert].join('\n');
}
