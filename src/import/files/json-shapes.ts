import { isDateOrEpoch } from '../cells/date-format.ts';
import { cellOf, type CellRow } from '../cells/table.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';

/** Maximum number of cells of the table that a document becomes. */
const cellsMax = 16_777_216;

type Fields = Readonly<Record<string, unknown>>;

/** The letters of a UDF server, such as `/udf/history` of Pizarra itself. */
const udfNames: Readonly<Record<string, string>> = {
  t: 'time',
  o: 'open',
  h: 'high',
  l: 'low',
  c: 'close',
  v: 'volume',
};

/**
 * The rows of a JSON document that is neither an array of flat objects nor of lists, with a header first:
 * columns (UDF, `DataFrame.to_json` of pandas), an object with a value or a row for each date, and arrays
 * of rows within other objects, such as `{"bars": {"AMZN": [...]}}`. Undefined for any other document.
 */
export function shapedRows(body: unknown): readonly CellRow[] | undefined {
  const fields = isFields(body) ? body : undefined;
  return (
    (fields &&
      (splitRows(fields) ?? columnRows(fields) ?? framed(fields) ?? datedValues(fields))) ??
    nestedRows(body)
  );
}

/** `to_json(orient="split")`: the headings, the index and the rows apart. */
function splitRows({ columns, index, data }: Fields): readonly CellRow[] | undefined {
  if (!isScalars(columns) || !isScalars(index) || !Array.isArray(data)) return undefined;
  const rows = data.map((row, at) => [index[at], ...(Array.isArray(row) ? row : [])]);
  return withIndex([['', ...columns], ...rows]);
}

/** Members that are columns of one length. Their neighbours that are no lists do not matter. */
function columnRows(fields: Fields): readonly CellRow[] | undefined {
  const columns = Object.entries(fields).filter(([, value]) => Array.isArray(value));
  const [[, first] = []] = columns;
  if (columns.length < 2 || !isScalars(first)) return undefined;
  const lists = columns.map(([, list]) => list);
  if (!lists.every((list) => isScalars(list) && list.length === first.length)) return undefined;
  const isUdf = ['t', 'c'].every((name) => Object.hasOwn(fields, name));
  const header = columns.map(([name]) => (isUdf ? (udfNames[name] ?? name) : name));
  return cells([header, ...first.map((_, at) => (lists as unknown[][]).map((list) => list[at]))]);
}

/** `to_json()` with columns of cells by their index, or `orient="index"` with rows of cells. */
function framed(fields: Fields): readonly CellRow[] | undefined {
  const members = Object.entries(fields);
  const objects = members.map(([, value]) => value);
  if (members.length === 0 || !objects.every(isFlat)) return undefined;
  const outer = members.map(([key]) => key);
  const inner = [...new Set(objects.flatMap((one) => Object.keys(one)))];
  refuseLarge(outer.length * inner.length);
  if (outer.every(isIndex) && !inner.every(isIndex)) {
    return withIndex([
      ['', ...inner],
      ...objects.map((one, at) => [outer[at], ...inner.map((key) => one[key])]),
    ]);
  }
  if (!inner.every(isIndex)) return undefined;
  return withIndex([
    ['', ...outer],
    ...inner.map((key) => [key, ...objects.map((one) => one[key])]),
  ]);
}

/** `Series.to_json()`: one value for each date. */
function datedValues(fields: Fields): readonly CellRow[] | undefined {
  const members = Object.entries(fields);
  const isSeries = members.length > 0 && members.every(([key]) => isDateOrEpoch(key));
  return isSeries && isFlat(fields) ? cells([['date', 'value'], ...members]) : undefined;
}

interface Table {
  readonly name: string;
  readonly rows: readonly Fields[];
}

/**
 * Arrays of rows within objects or lists. Each row has the values of the objects around it too. If the
 * arrays are named by symbols, a column has them.
 */
function nestedRows(body: unknown): readonly CellRow[] | undefined {
  const tables = tablesIn(body, '', {});
  const names = new Set(tables.map(({ name }) => name));
  const areSymbols = [...names].every((name) => symbol.test(name));
  const [only, ...others] = tables;
  const isPlain = others.length === 0 && isFields(body) && Array.isArray(body[only?.name ?? '']);
  if (only === undefined || isPlain || (names.size > 1 && !areSymbols)) return undefined;
  const rows = tables.flatMap((table) =>
    areSymbols ? table.rows.map((row) => ({ symbol: table.name, ...row })) : table.rows,
  );
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  refuseLarge(header.length * rows.length);
  return cells([header, ...rows.map((row: Fields) => header.map((key) => row[key]))]);
}

const symbol = /^(?=.*[A-Z])[A-Z\d][A-Z\d.:/-]{0,14}$/;

function tablesIn(value: unknown, name: string, around: Fields): readonly Table[] {
  if (Array.isArray(value)) {
    const list = value as readonly unknown[];
    if (list.length > 0 && list.every(isFlat)) {
      return [{ name, rows: list.map((row) => ({ ...around, ...row })) }];
    }
    return list.flatMap((one) => (isFields(one) ? tablesIn(one, name, around) : []));
  }
  if (!isFields(value)) return [];
  const own = Object.entries(value).filter(([, one]) => isScalar(one));
  const known = { ...around, ...(name === '' ? {} : Object.fromEntries(own)) };
  const nameOf = (key: string) => (symbol.test(name) && !symbol.test(key) ? name : key);
  return Object.entries(value).flatMap(([key, one]) => tablesIn(one, nameOf(key), known));
}

function refuseLarge(count: number): void {
  if (count <= cellsMax) return;
  throw new ImportRefusal('too-large', `the JSON becomes a table of more than ${cellsMax} cells`);
}

/** Rows whose first cell is an index: without it, if it only counts the rows. */
function withIndex(rows: readonly (readonly unknown[])[]): readonly CellRow[] {
  const isDated = rows.slice(1).every(([index]) => isDateOrEpoch(cellOf(index)));
  return cells(isDated ? rows : rows.map((row) => row.slice(1)));
}

function cells(rows: readonly (readonly unknown[])[]): readonly CellRow[] {
  return rows.map((row) => row.map(cellOf));
}

function isIndex(key: string): boolean {
  return /^\d+$/.test(key) || isDateOrEpoch(key);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFlat(value: unknown): value is Fields {
  return isFields(value) && Object.values(value).every(isScalar);
}

function isScalars(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every(isScalar);
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
