import { CsvTable } from './csv-text.ts';
import type { CsvColumn, CsvStyle } from './csv-text.ts';
import { formatExactNumber } from './number.ts';
import type { TableFormat } from './table-format.ts';

/** A value of a row. A field that is undefined is absent in JSON; it and null are empty in CSV. */
type FieldValue = string | number | null | undefined | readonly object[];

/** One field of a table. */
export interface TableField<Row> {
  /** What the cells of the field are in CSV. */
  readonly column: CsvColumn;
  readonly value: (row: Row) => FieldValue;
  /** The text of a value that is a list, in CSV. */
  readonly cell?: (row: Row) => string;
}

/**
 * The fields of a table by name, in order: one definition for JSON and for both styles of CSV. Numbers
 * have the same digits in all of them (contract 2.1.7).
 */
export class Table<Row> {
  readonly #fields: readonly (readonly [name: string, field: TableField<Row>])[];
  readonly #csv: CsvTable;

  constructor(fields: Readonly<Record<string, TableField<Row>>>) {
    this.#fields = Object.entries(fields);
    this.#csv = new CsvTable(
      Object.fromEntries(this.#fields.map(([name, { column }]) => [name, column])),
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
    const cells = this.#fields.map(([, { value, cell }]) => cell?.(row) ?? cellOf(value(row)));
    return this.#csv.line(cells, style);
  }
}

function jsonOf(value: NonNullable<FieldValue> | null): string {
  return typeof value === 'number' ? formatExactNumber(value) : JSON.stringify(value);
}

function cellOf(value: FieldValue): string {
  if (typeof value === 'number') return formatExactNumber(value);
  return typeof value === 'string' ? value : '';
}
