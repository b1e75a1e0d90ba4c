import type { Layout, Reading, TableHead } from '../../src/import/layouts/layout.ts';

/** The head of a CSV table without quotes, as an importer would see it. */
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

/** The reading that a layout gives, which must be one. */
export function readingOf(layout: Layout, head: TableHead, column?: string): Reading {
  const recognition = layout.recognise(head, column);
  if (recognition?.type !== 'reading') throw new Error(`${layout.name} does not read this`);
  return recognition.reading;
}
