import { isDeepStrictEqual } from 'node:util';

import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Version } from '../../domain/changes/version.ts';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import { noActions } from '../../domain/history/corporate-actions.ts';
import { indexNames } from '../../domain/indices/index-name.ts';
import type { IndexValue } from '../../domain/indices/index-value.ts';
import type { IssueTerms } from '../../domain/instruments/issue-terms.ts';
import { parseTicker, type Ticker } from '../../domain/instruments/ticker.ts';
import type { VersionedParts } from '../../store/contract/store.ts';
import type { VersionedStore } from '../../store/contract/versioned-stores.ts';
import { readAction } from '../actions/action-fields.ts';
import type { CellRow } from '../cells/table.ts';
import { readIndexValue } from '../indices/read-indices.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import {
  exportedActions,
  exportedIndices,
  exportedTerms,
  valuesOf,
  withChanges,
  type CellValue,
  type ExportedColumns,
  type ExportedTable,
} from '../cells/exported-columns.ts';
import { cellsOf, headerOf, versionOf, type Cells, type Wrong } from './version-cells.ts';

/** A row of a file, and the refusal of it. */
export interface FileRow {
  readonly row: CellRow;
  readonly wrong: Wrong;
}

/** A table that was read whole. */
export type ReadTable = Pick<ExportedTable, 'columns'> & {
  readonly rows: readonly (readonly CellValue[])[];
};

/** A table that follows the closes in an export with changes. It is small, so it is read and restored as a whole. */
export interface ChangesTable {
  /** As a person reads it. */
  readonly name: string;
  readonly header: readonly string[];
  /** Everything that is stored or, with changes, that is or was stored. */
  exported(store: VersionedParts, options: { readonly hasChanges: boolean }): Promise<ReadTable>;
  /**
   * Reads the rows of a file, and checks that the store has none or the same. Nothing is written.
   *
   * @returns what restores them, in one transaction
   * @throws {ImportRefusal} when a row is not one that an export writes, or the store has other rows.
   */
  check(rows: readonly FileRow[], store: VersionedParts): Promise<() => Promise<void>>;
}

interface Declaration<T, Column extends string> {
  readonly name: string;
  /** The columns of a value. They are those of the files that the program imports. */
  readonly columns: ExportedColumns<T, Column>;
  /** Names what has one value at a time. */
  readonly nameOf: (value: T) => string;
  /** @throws {ImportRefusal} by `wrong` */
  readonly read: (cells: Cells<Column>, wrong: Wrong) => T;
  /** The part of a store that has the values. */
  readonly storeOf: (parts: VersionedParts) => Pick<VersionedStore<T>, 'readVersions' | 'restore'>;
  /** What the values are ordered by. Without it, they are in the order of the store. */
  readonly placeOf?: (value: T) => number;
}

function declare<T, const Column extends string>(table: Declaration<T, Column>): ChangesTable {
  const { name, columns, storeOf, placeOf } = table;
  const versionsIn = async (parts: VersionedParts): Promise<readonly Version<T>[]> => {
    const versions = await storeOf(parts).readVersions();
    if (placeOf === undefined) return versions;
    return versions.toSorted((a, b) => placeOf(a.value) - placeOf(b.value));
  };
  const header = headerOf(columns);
  const read = ({ row, wrong }: FileRow): Version<T> => {
    const cells = cellsOf(header, row);
    return versionOf(table.read(cells, wrong), cells, wrong);
  };
  return {
    name,
    header,
    async exported(store, { hasChanges }) {
      const versions = await versionsIn(store);
      const all = withChanges(columns);
      if (hasChanges) return { columns: all, rows: versions.map(valuesOf(all)) };
      const stored = versions.filter(({ replaced }) => replaced === undefined);
      return { columns, rows: stored.map(({ value }) => value).map(valuesOf(columns)) };
    },
    async check(rows, store) {
      const versions: Version<T>[] = [];
      const seen = new Map<string, Version<T>>();
      for (const one of rows) {
        const version = read(one);
        const subject = table.nameOf(version.value);
        const before = seen.get(subject);
        if (before !== undefined && before !== versions.at(-1)) {
          throw one.wrong(`the rows of ${subject} are not together`);
        }
        if (before !== undefined && before.replaced === undefined) {
          throw one.wrong(`of the rows of ${subject}, all but the last one have replaced_at`);
        }
        seen.set(subject, version);
        versions.push(version);
      }
      const stored = await versionsIn(store);
      if (isDeepStrictEqual(stored, versions)) return async () => undefined;
      if (stored.length === 0) return () => storeOf(store).restore(versions);
      throw new ImportRefusal(
        'not-empty',
        `the store has other ${name}, and two memories of changes cannot be merged; restore into a store without them`,
      );
    },
  };
}

const actions = declare<CorporateAction, keyof typeof exportedActions>({
  name: 'corporate actions',
  columns: exportedActions,
  nameOf: ({ ticker, exDay, type }) => `${ticker} ${fromEpochDay(exDay)} ${type}`,
  read: (texts, wrong) => {
    // What was stored was checked then. Its instrument may have left the universe.
    const universe = { find: (ticker: string) => ({ ticker: ticker as Ticker }) };
    const context = { universe, recorded: noActions, source: '' };
    const own = { ...texts, ratio: '', price: '' };
    const action = readAction(own, context, (field, problem) => {
      throw wrong(`${field} "${own[field]}": ${problem}`);
    });
    if (action === undefined || 'ratio' in action) throw wrong('not a corporate action');
    return action;
  },
  storeOf: (parts) => parts.actions,
});

const indices = declare<IndexValue, keyof typeof exportedIndices>({
  name: 'index values',
  columns: exportedIndices,
  nameOf: ({ index, day }) => `${index} ${fromEpochDay(day)}`,
  read: (cells, wrong) => {
    const value = readIndexValue(
      {
        cells,
        wrong: (column, problem) => {
          throw wrong(`${column} "${cells[column]}": ${problem}`);
        },
      },
      { decimal: '.', dateFormat: 'YYYY-MM-DD', source: '' },
    );
    if (value === undefined) throw wrong('not a value of an index');
    return value;
  },
  storeOf: (parts) => parts.indices,
  // A later version may have stored indices that this one does not know. They follow the others.
  placeOf: ({ index }) => {
    const place = indexNames.indexOf(index);
    return place === -1 ? indexNames.length : place;
  },
});

const terms = declare<IssueTerms, keyof typeof exportedTerms>({
  name: 'bond terms',
  columns: exportedTerms,
  nameOf: ({ ticker }) => ticker,
  read: ({ ticker, series, terms: text }, wrong) => ({
    ticker: tickerIn(ticker, wrong),
    series: series === '' ? [] : series.split(' ').map((one) => tickerIn(one, wrong)),
    values: termsIn(text, wrong),
  }),
  storeOf: (parts) => parts.terms,
});

function tickerIn(text: string, wrong: Wrong): Ticker {
  const ticker = parseTicker(text);
  if (ticker === undefined) throw wrong(`"${text}" is not a ticker`);
  return ticker;
}

/** A later version may have stored terms that this one does not know. They stay as they are. */
function termsIn(text: string, wrong: Wrong): IssueTerms['values'] {
  try {
    const values: unknown = JSON.parse(text);
    if (isTerms(values)) return values;
  } catch {
    // The cell is refused below.
  }
  throw wrong(`"${text}" is not a JSON object with terms`);
}

function isTerms(values: unknown): values is IssueTerms['values'] {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return false;
  return Object.values(values).every((one) => typeof one === 'string' || typeof one === 'number');
}

/** The tables of an export with changes after that of the closes, in the order of the file. */
export const changesTables = { actions, indices, terms } satisfies Readonly<
  Record<Exclude<keyof VersionedParts, 'memory'>, ChangesTable>
>;
