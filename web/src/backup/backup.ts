import { alertsMax, type Alert, type Condition } from '../market/alerts/alert.ts';
import { readAlerts } from '../market/alerts/stored-alerts.ts';
import type { BoardKind } from '../market/stored-columns.ts';
import { readFields, type ColumnField } from '../market/columns.ts';
import { readLevels, type Levels } from '../market/stored-levels.ts';
import { listsMax, readLists, tickersMax, type TickerLists } from '../market/lists/ticker-lists.ts';

/** The columns of kinds of boards. */
export type ColumnChoices = Readonly<Partial<Record<BoardKind, readonly ColumnField[]>>>;

/** The kinds of boards, and what has their columns. */
const columnNames: Readonly<Record<BoardKind, string>> = {
  general: 'los paneles',
  bonos: 'los bonos',
  cedears: 'los CEDEARs',
};
export const columnKinds = Object.keys(columnNames) as readonly BoardKind[];

/** The part of an alert that a file contains. */
type SavedAlert = Condition & Pick<Alert, 'isPaused'>;

/** What a file contains. A part that it does not have stays as it is in the browser. */
export interface Backup {
  readonly lists?: TickerLists;
  readonly columns?: ColumnChoices;
  readonly alerts?: readonly SavedAlert[];
  readonly levels?: Levels;
}

/** The version of the format. A file of a later one may have parts that this page would lose. */
const version = 1;

/** Maximum size of a file, in characters. The largest one that the page writes has about 500,000. */
const backupCharactersMax = 2_000_000;

/** The text of a file with all parts. */
export function formatBackup({ lists, columns, alerts, levels }: Required<Backup>): string {
  const file = {
    pizarra: version,
    listas: lists,
    columnas: columns,
    // What was seen of an alert belongs to this browser.
    alertas: alerts.map(savedAlert),
    niveles: levels,
  };
  return `${JSON.stringify(file, undefined, 1)}\n`;
}

/** Reads a file. A file with one wrong part is refused whole, with the reason. */
export function readBackup(text: string): Backup | { readonly problem: string } {
  if (text.length > backupCharactersMax) return { problem: 'El archivo es demasiado grande.' };
  const file = parseObject(text);
  if (file === undefined) return { problem: 'El archivo no es un JSON de Pizarra.' };
  const { pizarra, listas, columnas, alertas, niveles } = file;
  if (typeof pizarra !== 'number') {
    return { problem: 'El archivo no es de Pizarra: no tiene «pizarra» con la versión.' };
  }
  if (pizarra !== version) {
    return { problem: `El archivo es de la versión ${pizarra}. Esta página lee la ${version}.` };
  }
  const lists = listas === undefined ? undefined : readLists(listas);
  const columns = columnas === undefined ? undefined : readColumns(columnas);
  const alerts = alertas === undefined ? undefined : readConditions(alertas);
  const levels = niveles === undefined ? undefined : readLevels(niveles);
  const wrong = [
    listas !== undefined && !isWithin(lists) && 'listas',
    columnas !== undefined && columns === undefined && 'columnas',
    alertas !== undefined && alerts === undefined && 'alertas',
    niveles !== undefined && levels === undefined && 'niveles',
  ].filter((name) => name !== false);
  if (wrong.length > 0) {
    return { problem: `El archivo tiene un error en: ${wrong.join(', ')}. No se cambió nada.` };
  }
  const backup = {
    ...(lists === undefined ? {} : { lists }),
    ...(columns === undefined ? {} : { columns }),
    ...(alerts === undefined ? {} : { alerts }),
    ...(levels === undefined ? {} : { levels }),
  };
  return Object.keys(backup).length === 0
    ? { problem: 'El archivo no tiene listas, columnas, alertas ni niveles.' }
    : backup;
}

/** What a backup has, or what an import replaces: `3 listas (Mesa, Energía, Bancos)`, `5 alertas`. */
export function partsOf({ lists, columns, alerts, levels }: Backup): readonly string[] {
  const names = lists?.map(({ name }) => name).join(', ') ?? '';
  return [
    lists !== undefined && `${counted(lists.length, 'lista')}${names === '' ? '' : ` (${names})`}`,
    alerts !== undefined && counted(alerts.length, 'alerta'),
    levels !== undefined && counted(Object.values(levels).flat().length, 'nivel', 'es'),
    columns !== undefined &&
      `las columnas de ${Object.keys(columns)
        .map((kind) => columnNames[kind as BoardKind])
        .join(', ')}`,
  ].filter((part) => part !== false);
}

function counted(count: number, noun: string, plural = 's'): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}${plural}`;
}

function isWithin(lists: TickerLists | undefined): boolean {
  return (
    lists !== undefined &&
    lists.length <= listsMax &&
    lists.every(({ name, tickers }) => name.trim() !== '' && tickers.length <= tickersMax)
  );
}

function readColumns(value: unknown): ColumnChoices | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  const known = entries.flatMap(([name, fields]) => {
    const kind = columnKinds.find((one) => one === name);
    const read = readFields(fields);
    return kind === undefined || read === undefined || read.length === 0 ? [] : [[kind, read]];
  });
  return known.length > 0 && known.length === entries.length
    ? (Object.fromEntries(known) as ColumnChoices)
    : undefined;
}

function readConditions(value: unknown): Backup['alerts'] {
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
