import type { NamedColumns } from '../../../src/import/refusals/import-refusal.ts';
import type { Layout, Reading, TableHead } from '../../../src/import/layouts/layout.ts';

/** The head of a CSV table without quoted cells, as an importer reads it. */
export function csvHead(path: string, text: string): TableHead {
  const rows = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(','));
  return { path, type: 'csv', rows };
}

/** The head of a JSON table. */
export function jsonHead(path: string, objects: readonly Record<string, string>[]): TableHead {
  const header = [...new Set(objects.flatMap((one) => Object.keys(one)))];
  const rows = objects.map((one) => header.map((key) => one[key] ?? ''));
  return { path, type: 'json', rows: [header, ...rows] };
}

/** The reading of a table by a layout. Fails when the layout does not recognise the table. */
export function readingOf(layout: Layout, head: TableHead, named?: NamedColumns): Reading {
  const recognition = layout.recognise(head, named);
  if (recognition !== undefined && 'series' in recognition) return recognition;
  throw new Error('the layout does not recognise this table');
}
