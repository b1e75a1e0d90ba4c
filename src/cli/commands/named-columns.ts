/** Maximum number of columns that the line of a file names. */
const columnsShownMax = 5;

/** `; not in the universe: NADA, NADIE and 3 more`, or nothing. */
export function formatColumns(what: string, columns: readonly string[]): string {
  if (columns.length === 0) return '';
  const hidden = columns.length - columnsShownMax;
  const more = hidden > 0 ? ` and ${hidden} more` : '';
  return `; ${what}: ${columns.slice(0, columnsShownMax).join(', ')}${more}`;
}
