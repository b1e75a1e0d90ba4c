import type { Quote, RequestedField } from './api/quote.ts';
import {
  absent,
  formatChange,
  formatDay,
  formatPrice,
  formatVolume,
  priceDecimals,
  type ChangeUnit,
} from './format/numbers.ts';
import { instrumentColumns, type InstrumentField } from './facts/instrument-columns.ts';
import type { RowFacts } from './facts/instrument-facts.ts';
import type { SortField } from './sort-rows.ts';

/** A column of the board after the instrument column. */
export interface Column {
  readonly field: ColumnField;
  readonly title: string;
  /** The full meaning of the title. */
  readonly meaning: string;
  /** Whether the value is a change, shown with colour, sign and arrow. */
  readonly isChange?: true;
  readonly format: (facts: RowFacts, how: RowFormat) => string;
  /** What the title of a cell adds to its text. */
  readonly hint?: (facts: RowFacts) => string | undefined;
  /** Whether the value depends on the convention by which figures of bonds are counted. */
  readonly isByConvention?: boolean;
  /** A usual text, whose room the column has before its values arrive. */
  readonly sample?: string;
  /** Whether the value is a price. Prices of a column are aligned at the comma. */
  readonly isPrice?: true;
  /** Whether quotes have the value only if it is requested (`campos` of the contract). */
  readonly isRequested?: true;
  /** Whether the cell is a drawing, without a text of its own. */
  readonly isDrawn?: true;
}

/** The identifier of a column: a field of the quote or of the instrument, or the path of the session. */
export type ColumnField = Exclude<SortField, 'especie'> | 'rueda';

/** How the values of a row are formatted. */
export interface RowFormat {
  readonly unit: ChangeUnit | undefined;
  /** The number of decimals of every price of the row. */
  readonly decimals: number;
  /**
   * The current day in Buenos Aires by the clock of the service. A quote of another day shows its
   * date.
   */
  readonly today: string;
}

/** The result for each quote, because a board asks for it again with every drawing. */
const knownDecimals = new WeakMap<Quote, number>();

/** The number of decimals with which all prices of a quote can be shown. */
export function decimalsOf(quote: Quote): number {
  let decimals = knownDecimals.get(quote);
  if (decimals === undefined) {
    const { ultimo, apertura, minimo, maximo, anterior, compra, venta } = quote;
    decimals = priceDecimals([ultimo, apertura, minimo, maximo, anterior, compra, venta]);
    knownDecimals.set(quote, decimals);
  }
  return decimals;
}

/** A column of a field of the quote. */
type QuoteColumn = Omit<Column, 'field' | 'format' | 'isRequested'> & {
  readonly format: (quote: Quote, how: RowFormat) => string;
};

/** Every field of a quote has a column. One on request that is not declared as such does not compile. */
type QuoteColumns = {
  readonly [Field in Exclude<ColumnField, InstrumentField>]: QuoteColumn &
    (Field extends RequestedField ? Required<Pick<Column, 'isRequested'>> : object);
};

/** The fields of a quote whose values are of a type. */
type FieldOf<Value> = keyof { [F in keyof Quote as Quote[F] extends Value ? F : never]: F };

/** A column of prices, with as many decimals as the others of its row. */
function price(field: FieldOf<number | undefined>, title: string, meaning: string) {
  const format = (quote: Quote, { decimals }: RowFormat) => formatPrice(quote[field], decimals);
  return { title, meaning, isPrice: true, format } as const;
}

function change(field: FieldOf<number | null>, title: string, meaning: string) {
  const format = (quote: Quote) => formatChange(quote[field], 'percent');
  return { title, meaning, isChange: true, format } as const;
}

function volume(field: FieldOf<number | null | undefined>, title: string, meaning: string) {
  return { title, meaning, format: (quote: Quote) => formatVolume(quote[field]) } as const;
}

const requested = { isRequested: true } as const;

const quoteColumns: QuoteColumns = {
  ultimo: price('ultimo', 'Último', 'Último precio'),
  variacion: {
    ...change('variacion', 'Variación', 'Variación respecto del cierre anterior'),
    format: ({ variacion }, { unit }) => formatChange(variacion, unit),
  },
  rueda: {
    title: 'Rueda',
    meaning:
      'Recorrido del precio en la rueda; la línea punteada es el cierre anterior, si está cerca',
    isDrawn: true,
    format: () => '',
  },
  cantCompra: {
    ...volume('cantCompra', 'Cant. c.', 'Cantidad nominal al precio de compra'),
    ...requested,
  },
  compra: { ...price('compra', 'Compra', 'Mejor precio de los compradores'), ...requested },
  venta: { ...price('venta', 'Venta', 'Mejor precio de los vendedores'), ...requested },
  cantVenta: {
    ...volume('cantVenta', 'Cant. v.', 'Cantidad nominal al precio de venta'),
    ...requested,
  },
  apertura: price('apertura', 'Apertura', 'Precio de apertura'),
  minimo: price('minimo', 'Mínimo', 'Mínimo de la rueda'),
  maximo: price('maximo', 'Máximo', 'Máximo de la rueda'),
  anterior: price('anterior', 'Anterior', 'Cierre anterior'),
  varMTD: change('varMTD', 'Mes', 'Variación en el mes'),
  varYTD: change('varYTD', 'Año', 'Variación en el año'),
  volumen: volume('volumen', 'Volumen', 'Volumen nominal'),
  monto: { ...volume('monto', 'Monto', 'Monto operado, en la moneda de la especie'), ...requested },
  operaciones: { ...volume('operaciones', 'Oper.', 'Cantidad de operaciones'), ...requested },
  fuente: {
    title: 'Fuente',
    meaning: 'Fuente del precio',
    isRequested: true,
    format: ({ fuente }) => fuente ?? absent,
  },
  hora: {
    title: 'Hora',
    meaning:
      'Hora de la última actualización, en hora de Buenos Aires, con la fecha si no es de hoy; cuánto hace, si la rueda está abierta y pasaron más de dos minutos',
    sample: 'hace 43 min',
    format: ({ hora, fecha }, { today }) => {
      if (fecha === today && hora !== undefined) return hora;
      const [year, month, day] = fecha.split('-');
      return hora === undefined || year !== today.slice(0, 4)
        ? formatDay(fecha)
        : `${day}/${month} ${hora.slice(0, 5)}`;
    },
  },
};

/** All columns, in the order in which they are offered. */
export const allColumns: readonly Column[] = [
  ...Object.entries(quoteColumns).map(([field, { format, ...column }]): Column => ({
    field: field as ColumnField,
    ...column,
    format: ({ quote }, how) => (quote === undefined ? absent : format(quote, how)),
  })),
  ...Object.entries(instrumentColumns).map(
    ([field, { text, value: _value, ...column }]): Column => ({
      field: field as ColumnField,
      ...column,
      format: text,
    }),
  ),
];

/** The fields by which a board can be sorted: all but the drawing. */
export const sortFields: readonly SortField[] = [
  'especie',
  ...allColumns.flatMap(({ field }) => (field === 'rueda' ? [] : [field])),
];

/** The columns of the book and of the traded amount. */
export const bookFields: readonly ColumnField[] = ['compra', 'venta', 'monto', 'operaciones'];

/** The columns of these fields, in their order. */
export function columnsOf(fields: readonly ColumnField[]): readonly Column[] {
  return fields.flatMap((field) => allColumns.find((column) => column.field === field) ?? []);
}

const requestedNames = allColumns.flatMap(({ field, isRequested }) =>
  isRequested === true ? (field as RequestedField) : [],
);

/** The fields that must be requested for these columns. */
export function requestedFields(fields: readonly ColumnField[]): readonly RequestedField[] {
  return fields.flatMap((field) => requestedNames.find((name) => name === field) ?? []);
}

/** The columns of a stored value. Undefined if it is not a list; unknown columns are left out. */
export function readFields(value: unknown): readonly ColumnField[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const fields = allColumns.map(({ field }) => field);
  return [...new Set(value)].flatMap((one) => fields.find((field) => field === one) ?? []);
}
