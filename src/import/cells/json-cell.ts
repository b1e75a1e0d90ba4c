/** A value of a document as the text of a cell. */
export function cellOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
}
