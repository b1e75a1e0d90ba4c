import { formatExactNumber } from '../lib/numbers/exact-number.ts';
import { JoinedTexts } from '../lib/text/joined-texts.ts';
import { buenosAiresTime } from '../wire/texts/buenos-aires-time.ts';
import {
  lineEnd,
  numberColumn,
  separators,
  textColumn,
  type CsvColumn,
  type CsvStyle,
  type TableFormat,
} from './table-format.ts';
import type { Texts } from './part.ts';

/** What documents say of a field. */
export interface FieldAbout extends Texts {
  /** A JSON Schema without its description, or the name of a schema of the document. */
  readonly schema: Readonly<Record<string, unknown>> | string;
  /** `absent`: the field is left out of a row that does not have it; `null`: it is null there. */
  readonly without?: 'absent' | 'null';
  /** The unit of a number, if it always has the same one. 12 means 12 %. */
  readonly unit?: '%';
}

/** A field of a row: its value in JSON and its cell in CSV. */
export interface Field<Row> {
  readonly about: FieldAbout;
  /** Undefined for a field that CSV does not have. */
  readonly column: CsvColumn | undefined;
  /** The JSON text. Undefined leaves the field out. */
  readonly json: (row: Row) => string | undefined;
  /** The text of the cell, which is empty without one. */
  readonly cell: (row: Row) => string | undefined;
}

type Scalar = string | number | null | undefined;

/** What the declaration of a field says of it. Its schema follows from its kind, unless it has a narrower one. */
type Told = Partial<FieldAbout>;

const textSchema = { type: 'string' } as const;
const numberSchema = { type: 'number' } as const;
const dateSchema = { type: 'string', format: 'date' } as const;
const instantSchema = { type: 'string', format: 'date-time' } as const;
const timeSchema = { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d$' } as const;

/** A field of texts. */
export function text<Row>(read: (row: Row) => string | null | undefined, about: Told): Field<Row> {
  // The rows of a series all have the same text. Its escaping would be a tenth of the time of a row.
  let known: string | null | undefined;
  let json: string | undefined;
  return {
    about: { schema: textSchema, ...about },
    column: textColumn,
    json: (row) => {
      const own = read(row);
      if (own === known) return json;
      known = own;
      json = jsonOf(own);
      return json;
    },
    cell: (row) => read(row) ?? undefined,
  };
}

/** A field of texts that need no escape in JSON, such as a date. It is faster than {@link text}. */
export function word<Row>(read: (row: Row) => string | null | undefined, about: Told): Field<Row> {
  return {
    about: { schema: textSchema, ...about },
    column: textColumn,
    json: (row) => {
      const own = read(row);
      return typeof own === 'string' ? `"${own}"` : own === null ? 'null' : undefined;
    },
    cell: (row) => read(row) ?? undefined,
  };
}

/** The ticker of a row, in its canonical spelling. */
export function tickerField<Row>(read: (row: Row) => string, about: Told = {}): Field<Row> {
  return text(read, {
    schema: { type: 'string', minLength: 1 },
    es: 'Especie del instrumento.',
    en: 'Ticker, in its canonical spelling.',
    ...about,
  });
}

/** A field of dates, as `YYYY-MM-DD`. */
export function dateField<Row>(
  read: (row: Row) => string | null | undefined,
  about: Told,
): Field<Row> {
  return word(read, { schema: dateSchema, ...about });
}

/** A field of instants, each with the offset of a zone (RFC 3339). */
export function instantField<Row>(read: (row: Row) => string | undefined, about: Told): Field<Row> {
  return word(read, { schema: instantSchema, ...about });
}

/** A field of instants in epoch milliseconds, of which it shows the time in Buenos Aires. */
export function timeField<Row>(read: (row: Row) => number | undefined, about: Told): Field<Row> {
  const lacking = about.without === 'null' ? 'null' : undefined;
  return {
    about: { schema: timeSchema, ...about },
    column: textColumn,
    json: (row) => {
      const instant = read(row);
      return instant === undefined ? lacking : `"${buenosAiresTime(instant)}"`;
    },
    cell: (row) => {
      const instant = read(row);
      return instant === undefined ? undefined : buenosAiresTime(instant);
    },
  };
}

/** A field of values that have public names. */
export function named<Row, Value extends string>(
  names: Readonly<Record<Value, string>>,
  read: (row: Row) => Value | undefined,
  about: Told = {},
): Field<Row> {
  const schema = { type: 'string', enum: Object.values(names) };
  const nameOf = (row: Row): string | undefined => {
    const value = read(row);
    return value === undefined ? undefined : names[value];
  };
  return word(nameOf, { schema, ...about });
}

/** A field of numbers, with all their decimals and without an exponent (contract 2.1.7). */
export function number<Row>(
  read: (row: Row) => number | null | undefined,
  about: Told,
): Field<Row> {
  return {
    about: { schema: numberSchema, ...about },
    column: numberColumn,
    json: (row) => jsonOf(read(row)),
    cell: (row) => cellOf(read(row)),
  };
}

/** A column of numbers and texts. Only the decimals of a number depend on the style. */
const scalarColumn: CsvColumn = (cell, by) =>
  /^-?\d+(?:\.\d+)?$/.test(cell) ? numberColumn(cell, by) : textColumn(cell, by);

/** A field that is a number in one row, and a text in another. */
export function scalar<Row>(read: (row: Row) => Scalar, about: Told): Field<Row> {
  return {
    about: { schema: { type: ['number', 'string'] }, ...about },
    column: scalarColumn,
    json: (row) => jsonOf(read(row)),
    cell: (row) => cellOf(read(row)),
  };
}

/** A field of numbers that are texts already. */
export function digits<Row>(
  read: (row: Row) => string | null | undefined,
  about: Told,
): Field<Row> {
  return {
    about: { schema: numberSchema, ...about },
    column: numberColumn,
    json: (row) => {
      const own = read(row);
      return own === null ? 'null' : own;
    },
    cell: (row) => read(row) ?? undefined,
  };
}

/** A field that is true or absent. CSV does not have it. */
export function flag<Row>(read: (row: Row) => boolean, about: Told): Field<Row> {
  return {
    about: { schema: { type: 'boolean', const: true }, without: 'absent', ...about },
    column: undefined,
    json: (row) => (read(row) ? 'true' : undefined),
    cell: () => undefined,
  };
}

/** A field that is a list in JSON, and one cell in CSV. */
export function list<Row>(
  read: (row: Row) => readonly (object | string)[],
  cell: (row: Row) => string,
  about: FieldAbout,
): Field<Row> {
  return { about, column: textColumn, json: (row) => JSON.stringify(read(row)), cell };
}

function jsonOf(of: Scalar): string | undefined {
  return typeof of === 'number' ? formatExactNumber(of) : JSON.stringify(of);
}

function cellOf(of: Scalar): string | undefined {
  return typeof of === 'number' ? formatExactNumber(of) : (of ?? undefined);
}

/** Rows with the table that renders them. */
export interface TableRows {
  /** The rows, if their table keeps their texts: the same ones have the same text. */
  readonly kept: readonly unknown[] | undefined;
  /** The media type, if it is not that of the format. */
  readonly type?: string;
  render(format: TableFormat): string | Buffer;
}

/** A body that is one text in every format: JSON by default. */
export function wholeText(render: () => string, type?: string): TableRows {
  return { kept: undefined, render, ...(type === undefined ? {} : { type }) };
}

/** What stands around and between the rows of a body, and how a row becomes a text. */
interface Layout<Row> {
  readonly opening: string;
  readonly separator: string;
  readonly closing: string;
  readonly text: (row: Row) => string;
}

/** The fields of a table by name, in order: one definition for every format. */
export class Table<Row extends object> {
  readonly fields: Readonly<Record<string, Field<Row>>>;
  readonly #members: readonly {
    /** What precedes the value of the first field of an object, and of a later one. */
    readonly first: string;
    readonly later: string;
    readonly json: Field<Row>['json'];
  }[];
  /** The CSV columns of this table, without those of its base. */
  readonly #columns: readonly {
    readonly name: string;
    readonly column: CsvColumn;
    readonly cell: Field<Row>['cell'];
  }[];
  readonly #base: Table<Row> | undefined;
  readonly #texts: Readonly<Record<CsvStyle | 'json', WeakMap<Row, string>>> | undefined;

  /**
   * @param fields by name. Names that may be numbers, such as tickers, are given as a map, which keeps their order.
   * @param options.keepsTexts whether the text of a row is kept as long as the row, for rows that many responses
   * share or that outlive a change of others.
   * @param options.base a table whose fields come before these.
   */
  constructor(
    fields: Readonly<Record<string, Field<Row>>> | ReadonlyMap<string, Field<Row>>,
    {
      keepsTexts = false,
      base,
    }: { readonly keepsTexts?: boolean; readonly base?: Table<Row> } = {},
  ) {
    const entries = fields instanceof Map ? [...fields] : Object.entries(fields);
    this.fields = { ...base?.fields, ...Object.fromEntries(entries) };
    this.#members = entries.map(([name, field]) => ({
      first: `{${JSON.stringify(name)}:`,
      later: `,${JSON.stringify(name)}:`,
      json: field.json,
    }));
    this.#columns = entries.flatMap(([name, { column, cell }]) =>
      column === undefined ? [] : [{ name, column, cell }],
    );
    this.#base = base;
    this.#texts = keepsTexts
      ? { json: new WeakMap(), csv: new WeakMap(), 'csv-comma': new WeakMap() }
      : undefined;
  }

  /** The same table with fields on request ({@link TableWithExtras}). */
  withExtras<Extras extends Readonly<Record<string, Field<Row>>>>(
    extras: Extras,
    further: Further<Row, keyof Extras & string> = {},
  ): TableWithExtras<Row, keyof Extras & string> {
    return new TableWithExtras(this, extras, further);
  }

  /** Rows that are to be rendered, in the order given. */
  of(rows: readonly Row[]): TableRows {
    const keepsTexts = this.#base ?? this.#texts !== undefined;
    return { kept: keepsTexts ? rows : undefined, render: (format) => this.render(rows, format) };
  }

  /** Rows that have been rendered already. */
  ofTexts(texts: readonly Buffer[]): TableRows {
    return { kept: undefined, render: (format) => this.body(texts, format) };
  }

  /** The texts of rows, so that a body can have a part of them. */
  texts(rows: Iterable<Row>, count: number, format: TableFormat): JoinedTexts {
    const { separator, text: textOf } = this.#layout(format);
    return new JoinedTexts(Iterator.from(rows).map(textOf), { count, separator });
  }

  /** The body with parts of the texts of rows. */
  body(texts: readonly Buffer[], format: TableFormat): Buffer {
    const { opening, separator, closing } = this.#layout(format);
    const between = Buffer.from(separator);
    const parts = texts
      .filter(({ length }) => length > 0)
      .flatMap((part, at) => (at === 0 ? [part] : [between, part]));
    return Buffer.concat([Buffer.from(opening), ...parts, Buffer.from(closing)]);
  }

  /** The body with the rows. */
  render(rows: readonly Row[], format: TableFormat): string {
    const { opening, separator, closing, text: textOf } = this.#layout(format);
    return opening + rows.map(textOf).join(separator) + closing;
  }

  /** The JSON text of one row. */
  object(row: Row): string {
    return this.#kept(row, 'json');
  }

  #layout(format: TableFormat): Layout<Row> {
    switch (format) {
      case 'json':
        return { opening: '[', separator: ',', closing: ']', text: (row) => this.object(row) };
      case 'ndjson':
        return { opening: '', separator: '', closing: '', text: (row) => `${this.object(row)}\n` };
      case 'csv':
      case 'csv-comma': {
        const opening = this.#header(format) + lineEnd;
        const line = (row: Row): string => this.#kept(row, format) + lineEnd;
        return { opening, separator: '', closing: '', text: line };
      }
    }
  }

  /** An object of JSON, or the cells of a line of CSV. */
  #kept(row: Row, form: CsvStyle | 'json'): string {
    const texts = this.#texts?.[form];
    if (texts === undefined) return this.#rendered(row, form);
    const known = texts.get(row);
    if (known !== undefined) return known;
    const rendered = this.#rendered(row, form);
    texts.set(row, rendered);
    return rendered;
  }

  #rendered(row: Row, form: CsvStyle | 'json'): string {
    if (form !== 'json') return this.#cells(row, form);
    let members = this.#base === undefined ? '' : this.#base.object(row).slice(0, -1);
    for (const { first, later, json } of this.#members) {
      const own = json(row);
      if (own !== undefined) members += (members === '' ? first : later) + own;
    }
    return members === '' ? '{}' : `${members}}`;
  }

  /** The cells of a row. Absent values and null are empty cells. */
  #cells(row: Row, style: CsvStyle): string {
    const by = separators[style];
    const own = this.#columns.map(({ column, cell }) => column(cell(row) ?? '', by));
    return [...(this.#base === undefined ? [] : [this.#base.#kept(row, style)]), ...own].join(
      by.field,
    );
  }

  #header(style: CsvStyle): string {
    const by = separators[style];
    const own = this.#columns.map(({ name }) => textColumn(name, by));
    return [...(this.#base === undefined ? [] : [this.#base.#header(style)]), ...own].join(
      by.field,
    );
  }
}

/** What else a table with fields on request has. */
interface Further<Row, Extra extends string> {
  /** The names of the fields that a request names otherwise. */
  readonly names?: Readonly<Partial<Record<Extra, string>>>;
  /** The fields of every row that follow those on request. Then no texts of rows are kept. */
  readonly last?: Readonly<Record<string, Field<Row>>>;
}

/** A table, and fields that a request may add to it, after those that every row has, or before some of them. */
export class TableWithExtras<Row extends object, Extra extends string> {
  readonly plain: Table<Row>;
  /** The fields on request, in the order of a row. They are absent where they are not known. */
  readonly extras: Readonly<Record<Extra, Field<Row>>>;
  readonly #names: Readonly<Partial<Record<Extra, string>>> | undefined;
  readonly #last: Readonly<Record<string, Field<Row>>> | undefined;
  readonly #tables = new Map<string, Table<Row>>();

  /** @param extras each by what a request names. */
  constructor(
    plain: Table<Row>,
    extras: Readonly<Record<Extra, Field<Row>>>,
    further: Further<Row, Extra>,
  ) {
    this.plain = plain;
    this.extras = extras;
    this.#names = further.names;
    this.#last = further.last;
  }

  /** What a request may name. */
  get onRequest(): readonly Extra[] {
    return Object.keys(this.extras) as readonly string[] as readonly Extra[];
  }

  /** The names of the fields on request. */
  get requested(): readonly string[] {
    return this.onRequest.map((one) => this.#nameOf(one));
  }

  /** The fields of a row with all extras. */
  get fields(): Readonly<Record<string, Field<Row>>> {
    return this.with(this.onRequest).fields;
  }

  /** The table with the requested fields, in the order given, which is that of a row. */
  with(requested: readonly Extra[]): Table<Row> {
    if (requested.length === 0 && this.#last === undefined) return this.plain;
    const make = (): Table<Row> => {
      const extras = Object.fromEntries(
        requested.map((one) => {
          const { about, ...field } = this.extras[one];
          return [this.#nameOf(one), { ...field, about: { without: 'absent', ...about } }] as const;
        }),
      );
      return this.#last === undefined
        ? new Table(extras, { base: this.plain })
        : new Table({ ...this.plain.fields, ...extras, ...this.#last });
    };
    return this.#tables.getOrInsertComputed(requested.join(' '), make);
  }

  #nameOf(extra: Extra): string {
    return this.#names?.[extra] ?? extra;
  }
}
