import type { Parsed } from '../domain/values/problem.ts';
import { readQuery } from './part.ts';
import type { CsvStyle } from '../wire/texts/csv-text.ts';
import { oneOf } from './parts.ts';

/** How the objects of rows follow one another in a body. Each is followed by `end`. */
export const objectFormats = {
  json: { opening: '[', separator: ',', closing: ']', end: '' },
  ndjson: { opening: '', separator: '', closing: '', end: '\n' },
} as const;

/** The formats in which a row is an object. */
export type ObjectFormat = keyof typeof objectFormats;

/** The formats of a table. */
export type TableFormat = ObjectFormat | CsvStyle;

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
const decimal = oneOf('decimal', ['coma'], {
  schema: { type: 'string', enum: ['coma'], 'x-enum-names': { coma: 'Coma decimal' } },
  es: 'Con `coma`, los números del CSV llevan coma decimal y los campos se separan con punto y coma. No cambia los demás formatos. Se admite una sola vez.',
});

/** The parameters that every table has (contract 4.5.7). */
export const formatInputs = { ...formato.inputs, ...decimal.inputs };

export function isObjectFormat(format: TableFormat): format is ObjectFormat {
  return format in objectFormats;
}

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
  const style = decimal.parse(query.value, noScope);
  if (!style.ok) return style;
  const csvStyle = style.value === undefined ? 'csv' : 'csv-comma';
  return { ok: true, value: { format: format.value, csvStyle } };
}
