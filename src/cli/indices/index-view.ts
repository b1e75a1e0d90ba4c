import { fromEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { IndexImportSummary } from '../../operator/indices/import-indices.ts';
import {
  formatExactNumber,
  type CheckedIndex,
  type IndexFault,
  type IndexSummary,
  type ReplacedIndexValue,
  type StoredIndexValue,
} from '../../operator/indices/stored-indices.ts';

/** Maximum number of suspicious values that are shown. */
const suspiciousShownMax = 20;

/** The column headings of {@link summaryCells}. */
export const summaryColumns = ['INDEX', 'FROM', 'TO', 'VALUES', 'MISSING', 'LAST', 'SOURCE'];

/** What is stored of an index, as a row of a table. */
export function summaryCells({ index, values, first, last, missing }: IndexSummary): string[] {
  const counts = [String(values), String(missing)];
  if (first === undefined || last === undefined) return [index, '-', '-', ...counts, '-', '-'];
  const days = [fromEpochDay(first.day), fromEpochDay(last.day)];
  return [index, ...days, ...counts, formatExactNumber(last.value), last.source];
}

/** The same for JSON output. */
export function summaryObject({ index, values, first, last, missing }: IndexSummary) {
  return {
    indice: index,
    desde: dateOrNull(first?.day),
    hasta: dateOrNull(last?.day),
    values,
    missing,
    last: last?.value ?? null,
    source: last?.source ?? null,
  };
}

/** The column headings of {@link valueCells}. */
export const valueColumns = ['DATE', 'VALUE', 'SOURCE', 'STORED'];

/** A value as a row of a table. */
export function valueCells({ day, value, source, storedAt }: StoredIndexValue): string[] {
  return [fromEpochDay(day), formatExactNumber(value), source, instant(storedAt)];
}

/** A value for JSON output. */
export function valueObject({ index, day, value, source, storedAt }: StoredIndexValue) {
  const stored = instant(storedAt);
  return { indice: index, fecha: fromEpochDay(day), valor: value, source, stored };
}

/** The column headings of {@link replacedCells}. */
export const replacedColumns = ['INDEX', ...valueColumns, 'REPLACED'];

/** A value that another one has replaced, as a row of a table. */
export function replacedCells(replaced: ReplacedIndexValue): string[] {
  return [replaced.index, ...valueCells(replaced), instant(replaced.replacedAt)];
}

/** The same for JSON output. */
export function replacedObject(replaced: ReplacedIndexValue) {
  return { ...valueObject(replaced), replaced: instant(replaced.replacedAt) };
}

/** The result of an import as text. */
export function importText(summary: IndexImportSummary): string {
  const { files, added, changed, same, suspicious, dryRun } = summary;
  const counts = `added ${added}, changed ${changed}, same ${same}, suspicious ${suspicious.length}`;
  const result = `${dryRun ? 'Dry run, nothing stored. ' : ''}Files: ${files}. Values: ${counts}.`;
  const shown = suspicious
    .slice(0, suspiciousShownMax)
    .map(
      ({ index, day, value }) =>
        `suspicious  ${index} ${fromEpochDay(day)}: ${formatExactNumber(value)} is far from the values around it`,
    );
  const left = suspicious.length - shown.length;
  return [result, ...shown, ...(left > 0 ? [`and ${left} more`] : [])].join('\n');
}

/** The result of an import for JSON output. */
export function importObject({ suspicious, ...rest }: IndexImportSummary) {
  return {
    ...rest,
    suspicious: suspicious.map(({ index, day, value }) => ({
      indice: index,
      fecha: fromEpochDay(day),
      valor: value,
    })),
  };
}

/** The result of a check as lines: one for each fault, or one that says that there is none. */
export function checkLines({ index, values, faults }: CheckedIndex): readonly string[] {
  if (faults.length === 0) return [`${index}: ${values} values, no fault.`];
  return faults.map((fault) => `${index} ${faultText(fault)}`);
}

/** A fault for JSON output. */
export function faultObject(index: string, fault: IndexFault) {
  const { type } = fault;
  switch (type) {
    case 'gap':
      return {
        indice: index,
        type,
        from: fromEpochDay(fault.from),
        to: fromEpochDay(fault.to),
        days: fault.days,
      };
    case 'jump':
      return {
        indice: index,
        type,
        fecha: fromEpochDay(fault.value.day),
        valor: fault.value.value,
        before: fault.before.value,
      };
    case 'stale':
      return {
        indice: index,
        type,
        last: fromEpochDay(fault.last),
        needed: fromEpochDay(fault.needed),
        settlement: fault.settlement,
      };
  }
}

function faultText(fault: IndexFault): string {
  switch (fault.type) {
    case 'gap': {
      const days = fault.days === 1 ? 'no value' : `no value on ${fault.days} days`;
      return `${fromEpochDay(fault.from)}${fault.days === 1 ? '' : ` to ${fromEpochDay(fault.to)}`}: ${days}.`;
    }
    case 'jump': {
      const { value, before } = fault;
      return `${fromEpochDay(value.day)}: ${formatExactNumber(value.value)} after ${formatExactNumber(before.value)} on ${fromEpochDay(before.day)}.`;
    }
    case 'stale':
      return `ends on ${fromEpochDay(fault.last)}, and the settlement of ${fault.settlement} needs ${fromEpochDay(fault.needed)}.`;
  }
}

function dateOrNull(day: EpochDay | undefined): string | null {
  return day === undefined ? null : fromEpochDay(day);
}

function instant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
