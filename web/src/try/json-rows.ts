/** A JSON list of objects as a table. */
export interface JsonTable {
  readonly columns: readonly string[];
  /** The cells as the service wrote the values. Undefined for an absent field. */
  readonly rows: readonly (readonly (string | undefined)[])[];
  /** The columns that have only numbers and nulls. */
  readonly numeric: ReadonlySet<string>;
}

/** The table of a body: a list of objects, with the fields of all of them. Undefined for another body. */
export function tableOf(body: unknown): JsonTable | undefined {
  if (!Array.isArray(body) || body.length === 0 || !body.every(isObject)) return undefined;
  const columns = [...new Set(body.flatMap((row) => Object.keys(row)))];
  const isNumeric = (column: string) =>
    body.some((row) => typeof row[column] === 'number') &&
    body.every((row) => typeof (row[column] ?? 0) === 'number');
  return {
    columns,
    rows: body.map((row) => columns.map((column) => cellText(row[column]))),
    numeric: new Set(columns.filter(isNumeric)),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function cellText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
