import type { Parsed } from '../domain/values/problem.ts';
import { startsFormula } from '../lib/text/formula-start.ts';
import { readQuery } from './part.ts';
import { oneOf } from './parts.ts';

/** The formats of a table. */
export type TableFormat = 'json' | 'ndjson' | CsvStyle;

const names = {
  json: 'JSON',
  csv: 'CSV, para planillas de cálculo',
  ndjson: 'NDJSON, un objeto por línea',
};

/** A value of `formato`. */
export type FormatName = keyof typeof names;

const formato = oneOf('formato', Object.keys(names) as readonly FormatName[], {
  schema: { type: 'string', enum: Object.keys(names), 'x-enum-names': names },
  es: 'Formato de la tabla. Tiene prioridad sobre el encabezado `Accept`. El formato predeterminado es `json`. Se admite una sola vez.',
});
const csvDecimal = oneOf('decimal', ['coma'], {
  schema: { type: 'string', enum: ['coma'], 'x-enum-names': { coma: 'Coma decimal' } },
  es: 'Con `coma`, los números del CSV llevan coma decimal y los campos se separan con punto y coma. No cambia los demás formatos. Se admite una sola vez.',
});

/** The parameters that every table has (contract 4.5.7). */
export const formatInputs = { ...formato.inputs, ...csvDecimal.inputs };

/** What a query says about the format of a table. */
export interface FormatParams {
  /** Undefined when the query does not say: then `Accept` decides. */
  readonly format: FormatName | undefined;
  /** The style of a CSV. It has no effect on the other formats. */
  readonly csvStyle: CsvStyle;
}

/** The parts of the parameters need none. */
const noScope = { path: '', tickersMax: 0 };

const nothingSaid: Parsed<FormatParams> = {
  ok: true,
  value: { format: undefined, csvStyle: 'csv' },
};

/**
 * Whether a query may have one of the parameters. Their names may be percent-encoded. Few queries have one,
 * so the others need not be parsed.
 */
const mayNameFormat = /(?:^|&)(?:formato|decimal|[^=&]*%)/;

/** Parses `formato` and `decimal`, which every table has (contract 4.5.7). */
export function parseFormatParams(rawQuery: string): Parsed<FormatParams> {
  if (!mayNameFormat.test(rawQuery)) return nothingSaid;
  const query = readQuery(rawQuery, Object.keys(formatInputs));
  if (!query.ok) return query;
  const format = formato.parse(query.value, noScope);
  if (!format.ok) return format;
  const style = csvDecimal.parse(query.value, noScope);
  if (!style.ok) return style;
  const csvStyle = style.value === undefined ? 'csv' : 'csv-comma';
  return { ok: true, value: { format: format.value, csvStyle } };
}

/** The media type of every CSV response. `header=present` announces the header row (RFC 4180 3). */
export const csvType = 'text/csv; charset=utf-8; header=present';

/**
 * The styles of CSV: `csv` has decimal points and commas between the fields; `csv-comma` has decimal
 * commas and semicolons, as spreadsheets in Spanish read and write (contract 4.5.7).
 */
export type CsvStyle = 'csv' | 'csv-comma';

/** The end of every CSV line, the last one included (RFC 4180 2). */
export const lineEnd = '\r\n';

interface Separators {
  readonly field: string;
  readonly decimal: string;
  /** Finds a character that a cell may have only in quotes. */
  readonly special: RegExp;
}

export const separators: Readonly<Record<CsvStyle, Separators>> = {
  csv: { field: ',', decimal: '.', special: /[",\r\n]/ },
  'csv-comma': { field: ';', decimal: ',', special: /[";\r\n]/ },
};

/** Formats the cells of a column. */
export type CsvColumn = (cell: string, by: Separators) => string;

/** Most texts, such as tickers and dates: they need neither quotes nor an apostrophe. */
const plainText = /^[A-Za-z\d][\w .:-]*$/;

/** A column of texts. One that a spreadsheet would run as a formula gets an apostrophe before it. */
export const textColumn: CsvColumn = (text, { special }) => {
  if (plainText.test(text)) return text;
  const safe = startsFormula(text) ? `'${text}` : text;
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** A column of numbers, each a text of digits with a point for the decimals. */
export const numberColumn: CsvColumn = (digits, { decimal }) => digits.replace('.', decimal);
