import Papa from 'papaparse';

import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { IndexValue } from '../../domain/indices/index-value.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';

/** Values as CSV (RFC 4180), which `pizarra indices import` reads back unchanged, their sources included. */
export function indexCsv(values: readonly IndexValue[]): string {
  const rows = values.map(({ index, day, value, source }) => [
    index,
    fromEpochDay(day),
    formatExactNumber(value),
    source,
  ]);
  const header = ['indice', 'fecha', 'valor', 'fuente'];
  return `${Papa.unparse([header, ...rows], { newline: '\r\n' })}\r\n`;
}
