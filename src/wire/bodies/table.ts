import { CsvTable } from '../texts/csv-text.ts';
import type { CsvColumn, CsvStyle } from '../texts/csv-text.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';
import type { TableFormat } from '../params/table-format.ts';

/** A single value of a row. Undefined is absent in JSON; it and null are empty cells in CSV. */
type Scalar = string | number | null | undefined;

/** A list in a row. In CSV it is one cell. */
interface ListField<Row> {
  readonly column: CsvColumn;
  readonly value: (row: Row) => readonly (object | string)[];
  /** The text of the cell. */
  readonly cell: (row: Row) => string;
}

/** A field of a table, with the column that formats it in CSV. */
export type TableField<Row> =
  | { readonly column: CsvColumn; readonly value: (row: Row) => Scalar }
  | ListField<Row>
  /** A field that CSV, whose columns are those of the first version, does not have. */
  | { readonly column?: undefined; readonly value: (row: Row) => true | undefined };

type CsvField<Row> = Exclude<TableField<Row>, { readonly column?: undefined }>;

/**
 * The fields of a table by name, in order: one definition for JSON and for both styles of CSV. Numbers
 * have the same digits in all of them (contract 2.1.7).
 */
export class Table<Row> {
  readonly #fields: readonly (readonly [name: string, field: TableField<Row>])[];
  readonly #columns: readonly CsvField<Row>[];
  readonly #csv: CsvTable;

  constructor(fields: Readonly<Record<string, TableField<Row>>>) {
    this.#fields = Object.entries(fields);
    const columns = this.#fields.flatMap(([name, field]) =>
      field.column === undefined ? [] : [[name, field] as const],
    );
    this.#columns = columns.map(([, field]) => field);
    this.#csv = new CsvTable(
      Object.fromEntries(columns.map(([name, { column }]) => [name, column])),
    );
  }

  /** The body with the rows, in the order given. */
  render(rows: readonly Row[], format: TableFormat): string {
    if (format === 'json') return `[${rows.map((row) => this.#object(row)).join(',')}]`;
    return this.#csv.header(format) + rows.map((row) => this.#line(row, format)).join('');
  }

  #object(row: Row): string {
    const members = this.#fields.flatMap(([name, { value }]) => {
      const own = value(row);
      return own === undefined ? [] : [`${JSON.stringify(name)}:${jsonOf(own)}`];
    });
    return `{${members.join(',')}}`;
  }

  #line(row: Row, style: CsvStyle): string {
    const cells = this.#columns.map((field) =>
      'cell' in field ? field.cell(row) : cellOf(field.value(row)),
    );
    return this.#csv.line(cells, style);
  }
}

function jsonOf(value: string | number | true | null | readonly (object | string)[]): string {
  return typeof value === 'number' ? formatExactNumber(value) : JSON.stringify(value);
}

function cellOf(value: Scalar): string | null | undefined {
  return typeof value === 'number' ? formatExactNumber(value) : value;
}
