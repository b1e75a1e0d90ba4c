import { batch } from '@preact/signals';

import { alertsMax, type Alert, type Condition } from '../market/alerts/alert.ts';
import { alerts, readAlerts, replaceAlerts } from '../market/alerts/stored-alerts.ts';
import { storedColumns, type BoardKind } from '../market/stored-columns.ts';
import { readFields, type ColumnField } from '../market/columns.ts';
import { levels, readLevels, type Levels } from '../market/stored-levels.ts';
import {
  tickerLists,
  listsMax,
  readLists,
  tickersMax,
  type TickerLists,
} from '../market/lists/ticker-lists.ts';

/** The part of an alert that a file contains. What was seen of it belongs to this browser. */
type SavedAlert = Condition & Pick<Alert, 'isPaused'>;

/** The columns of kinds of boards. */
type ColumnChoices = Readonly<Partial<Record<BoardKind, readonly ColumnField[]>>>;

/** What a file can contain. */
interface Contents {
  readonly lists: TickerLists;
  readonly alerts: readonly SavedAlert[];
  readonly levels: Levels;
  readonly columns: ColumnChoices;
}

/** What a file contains. A part that it does not have stays as it is in the browser. */
export type Backup = Partial<Contents>;

/** A part of a file, and of what this browser stores. */
interface Part<T> {
  /** Its entry in the file. */
  readonly entry: string;
  /** Checks a value of a file. Returns undefined if it is not valid. */
  readonly read: (value: unknown) => T | undefined;
  /** What this browser has: all, or as much as another value has. */
  readonly present: (like?: T) => T;
  readonly replace: (value: T) => void;
  /** What a value is, for people: `5 alertas`. */
  readonly text: (value: T) => string;
}

/** The kinds of boards, and what has their columns. */
const columnNames: Readonly<Record<BoardKind, string>> = {
  general: 'los paneles',
  bonos: 'los bonos',
  cedears: 'los CEDEARs',
};

const parts: { readonly [Name in keyof Contents]: Part<Contents[Name]> } = {
  lists: {
    entry: 'listas',
    read: (value) => {
      const lists = readLists(value);
      return lists !== undefined && isWithin(lists) ? lists : undefined;
    },
    present: () => tickerLists.value,
    replace: (lists) => (tickerLists.value = lists),
    text: (lists) => {
      const names = lists.map(({ name }) => name).join(', ');
      return `${counted(lists.length, 'lista')}${names === '' ? '' : ` (${names})`}`;
    },
  },
  alerts: {
    entry: 'alertas',
    read: readConditions,
    present: () => alerts.value.map(savedAlert),
    replace: replaceAlerts,
    text: ({ length }) => counted(length, 'alerta'),
  },
  levels: {
    entry: 'niveles',
    read: readLevels,
    present: () => levels.value,
    replace: (all) => (levels.value = all),
    text: (all) => counted(Object.values(all).flat().length, 'nivel', 'es'),
  },
  columns: {
    entry: 'columnas',
    read: readColumns,
    present: (like: object = columnNames) =>
      Object.fromEntries(kindsIn(like).map((kind) => [kind, storedColumns[kind].value])),
    replace: (columns) => {
      for (const kind of kindsIn(columns)) storedColumns[kind].value = columns[kind] ?? [];
    },
    text: (columns) =>
      `las columnas de ${kindsIn(columns)
        .map((kind) => columnNames[kind])
        .join(', ')}`,
  },
};

const allParts = Object.entries(parts) as unknown as readonly [keyof Contents, Part<unknown>][];

/** The version of the format. A file of a later one may have parts that this page would lose. */
const version = 1;

/** Maximum size of a file, in characters. The largest one that the page writes has about 500,000. */
const backupCharactersMax = 2_000_000;

/** What this browser has: all parts, or those that a backup has too. */
export function present(like?: Backup): Backup {
  const shown = allParts.filter(([name]) => like === undefined || like[name] !== undefined);
  return Object.fromEntries(shown.map(([name, part]) => [name, part.present(like?.[name])]));
}

/** Replaces what this browser has with the parts of a backup. */
export function replace(backup: Backup): void {
  batch(() => {
    for (const [name, part] of allParts) {
      if (backup[name] !== undefined) part.replace(backup[name]);
    }
  });
}

/** What a backup has, or what an import replaces: `3 listas (Mesa, Energía, Bancos)`, `5 alertas`. */
export function partsOf(backup: Backup): readonly string[] {
  return allParts.flatMap(([name, { text }]) =>
    backup[name] === undefined ? [] : text(backup[name]),
  );
}

/** The text of a file. */
export function formatBackup(backup: Backup): string {
  const entries = allParts.map(([name, { entry }]) => [entry, backup[name]]);
  return `${JSON.stringify({ pizarra: version, ...Object.fromEntries(entries) }, undefined, 1)}\n`;
}

/** Reads a file. A file with one wrong part is refused whole, with the reason. */
export function readBackup(text: string): Backup | { readonly problem: string } {
  if (text.length > backupCharactersMax) return { problem: 'El archivo es demasiado grande.' };
  const file = parseObject(text);
  if (file === undefined) return { problem: 'El archivo no es un JSON de Pizarra.' };
  const { pizarra } = file;
  if (typeof pizarra !== 'number') {
    return { problem: 'El archivo no es de Pizarra: no tiene «pizarra» con la versión.' };
  }
  if (pizarra !== version) {
    return { problem: `El archivo es de la versión ${pizarra}. Esta página lee la ${version}.` };
  }
  const given = allParts.filter(([, { entry }]) => file[entry] !== undefined);
  const read = given.map(([name, { entry, read: valueOf }]) => [name, valueOf(file[entry])]);
  const wrong = given.filter((_, at) => read[at]?.[1] === undefined).map(([, { entry }]) => entry);
  if (wrong.length > 0) {
    return { problem: `El archivo tiene un error en: ${wrong.join(', ')}. No se cambió nada.` };
  }
  return given.length === 0
    ? { problem: 'El archivo no tiene listas, columnas, alertas ni niveles.' }
    : (Object.fromEntries(read) as Backup);
}

function counted(count: number, noun: string, plural = 's'): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}${plural}`;
}

function isWithin(lists: TickerLists): boolean {
  return (
    lists.length <= listsMax &&
    lists.every(({ name, tickers }) => name.trim() !== '' && tickers.length <= tickersMax)
  );
}

function kindsIn(columns: object): readonly BoardKind[] {
  return Object.keys(columnNames).filter((kind): kind is BoardKind => kind in columns);
}

function readColumns(value: unknown): ColumnChoices | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const read = Object.entries(value).map(([kind, fields]) => [kind, readFields(fields)] as const);
  const areValid = read.every(
    ([kind, fields]) => Object.hasOwn(columnNames, kind) && (fields ?? []).length > 0,
  );
  return read.length > 0 && areValid ? Object.fromEntries(read) : undefined;
}

function readConditions(value: unknown): readonly SavedAlert[] | undefined {
  if (!Array.isArray(value) || value.length > alertsMax) return undefined;
  const entries = value.map((one: unknown) =>
    typeof one === 'object' && one !== null ? { ...one, id: 'x', dismissed: undefined } : one,
  );
  return readAlerts(entries)?.map(savedAlert);
}

function savedAlert({ ticker, kind, way, level, isPaused }: SavedAlert): SavedAlert {
  return { ticker, kind, way, level, ...(isPaused === true ? { isPaused } : {}) };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
