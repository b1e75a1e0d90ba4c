import type { Parsed } from '../../domain/values/problem.ts';
import { parseChoice } from './choice-param.ts';
import type { CsvStyle } from '../texts/csv-text.ts';
import { readQuery } from './query-text.ts';

/** How the objects of rows follow one another in a body. Each is followed by `end`. */
export const objectFormats = {
  json: { opening: '[', separator: ',', closing: ']', end: '' },
  ndjson: { opening: '', separator: '', closing: '', end: '\n' },
} as const;

/** The formats in which a row is an object. */
export type ObjectFormat = keyof typeof objectFormats;

/** The formats of a table. */
export type TableFormat = ObjectFormat | CsvStyle;

/** The values of `formato`. */
const formatNames = ['json', 'csv', 'ndjson'] as const;
export type FormatName = (typeof formatNames)[number];

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
  const query = readQuery(rawQuery, ['formato', 'decimal']);
  if (!query.ok) return query;
  const format = parseChoice('formato', query.value.formato, formatNames);
  if (!format.ok) return format;
  const decimal = parseChoice('decimal', query.value.decimal, ['coma']);
  if (!decimal.ok) return decimal;
  const csvStyle = decimal.value === undefined ? 'csv' : 'csv-comma';
  return { ok: true, value: { format: format.value, csvStyle } };
}
