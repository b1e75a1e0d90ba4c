import type { Parsed } from '../../domain/values/problem.ts';
import { parseChoice } from './choice-param.ts';
import type { CsvStyle } from '../texts/csv-text.ts';
import { readQuery } from './query-text.ts';

/** The formats of a table. */
export type TableFormat = 'json' | CsvStyle;

/** What a query says about the format of a table. */
export interface FormatParams {
  /** Undefined when the query does not say: then `Accept` decides. */
  readonly format: 'json' | 'csv' | undefined;
  /** The style of a CSV. It has no effect on JSON. */
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
  const format = parseChoice('formato', query.value.formato, ['json', 'csv']);
  if (!format.ok) return format;
  const decimal = parseChoice('decimal', query.value.decimal, ['coma']);
  if (!decimal.ok) return decimal;
  const csvStyle = decimal.value === undefined ? 'csv' : 'csv-comma';
  return { ok: true, value: { format: format.value, csvStyle } };
}
