import type { TableHead } from '../layouts/layout.ts';

/**
 * The header that `pizarra export --with-changes` writes. A test compares it with
 * `operator/history/export-history.ts`.
 */
export const changesHeader = [
  'ticker',
  'date',
  'close',
  'open',
  'high',
  'low',
  'volume',
  'source',
  'stored_at',
  'stored_by',
  'replaced_at',
  'replaced_by',
] as const;

/** Whether a table is an export with changes. Its rows are restored as they are, and not merged. */
export function isChangesExport({ rows: [first = []] }: TableHead): boolean {
  return (
    first.length === changesHeader.length &&
    first.every((cell, at) => cell.trim() === changesHeader[at])
  );
}
