import Papa from 'papaparse';

import { faultOfBody, isPage, type FetchedBody } from '../net/read-body.ts';

/** The rows of a CSV with a line of names. Every value is a text. */
export interface CsvRows {
  readonly rows: readonly unknown[];
  /** Why rows are left out, each with its number: they have too few or too many cells. */
  readonly malformed: readonly string[];
}

/**
 * Reads a CSV. The separator is detected.
 *
 * @throws FeedFault `unintelligible` or `limited` for a body that is no table of at least two columns
 *   with at least one row.
 */
export function readCsv(body: FetchedBody): CsvRows {
  const { data, errors, meta } = Papa.parse<unknown>(body.text, {
    header: true,
    skipEmptyLines: 'greedy',
  });
  if (isPage(body.text) || data.length === 0 || (meta.fields ?? []).length < 2) {
    throw faultOfBody(body, 'CSV');
  }
  const faulty = new Map(errors.map(({ row, message }) => [row, message]));
  const rows = data.filter((_, index) => !faulty.has(index));
  if (rows.length === 0) throw faultOfBody(body, 'CSV');
  return {
    rows,
    malformed: [...faulty].map(([row = 0, text]) => `row number ${row + 1}: ${text}`),
  };
}
