import type { Quote, RequestedField } from './api/quote.ts';
import {
  assumptionOf,
  figureOf,
  maturityDay,
  missingReason,
  type RowFacts,
} from './facts/instrument-facts.ts';
import { impliedDollar, impliedHint } from './facts/receipt-dollars.ts';
import {
  absent,
  formatChange,
  formatDay,
  formatFixed,
  formatPercent,
  formatPrice,
  formatVolume,
  priceDecimals,
  unitNameOf,
  type ChangeUnit,
} from './format/numbers.ts';

/** The fields of a quote that have a column. */
type QuoteField = Exclude<keyof Quote, 'especie' | 'fecha' | 'instante'>;

/** The figures of a bond that follow from its price. */
type FigureField = Parameters<typeof figureOf>[1];

/** The columns whose values are those of `/bonos`. */
type BondField = FigureField | 'vencimiento';

/** The identifier of a column: a field of the quote or of the instrument, or the path of the session. */
export type ColumnField =
  | QuoteField
  | BondField
  | 'moneda'
  | 'precioPor'
  | 'ratio'
  | 'subyacente'
  | 'implicito'
  | 'rueda';

/** The fields by which a board can be sorted: all but the drawing. */
export type SortField = Exclude<ColumnField, 'rueda'> | 'especie';

/** A column of the board after the instrument column. */
export interface Column {
  readonly field: ColumnField;
  readonly title: string;
  /** The full meaning of the title. */
  readonly meaning: string;
  /** The value by which a board is sorted and filtered, and which is exported. Undefined if it is not known. */
  readonly value: (facts: RowFacts) => string | number | undefined;
  readonly format: (facts: RowFacts, how: RowFormat) => string;
  /** What the title of a cell adds to its text, such as the reason for a dash. */
  readonly hint?: (facts: RowFacts) => string | undefined;
  /** Whether the value comes with the quote. Others may come later. */
  readonly isOfQuote?: true;
  /** Whether the value is a change, shown with colour, sign and arrow. */
  readonly isChange?: true;
  /** Whether the value depends on the convention by which figures of bonds are counted. */
  readonly isByConvention?: true;
  /** A usual text, whose room the column has before its values arrive. */
  readonly sample?: string;
  /** Whether the value is a price. Prices of a column are aligned at the comma. */
  readonly isPrice?: true;
  /** Whether quotes have the value only if it is requested (`campos` of the contract). */
  readonly isRequested?: true;
  /** Whether the cell is a drawing, without a text of its own. */
  readonly isDrawn?: true;
}

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

/** What a column is declared with: a field on request that is not declared as such does not compile. */
type Columns = {
  readonly [Field in ColumnField]: Omit<Column, 'field'> &
    (Field extends RequestedField ? Required<Pick<Column, 'isRequested'>> : object);
};

/** A column of a field of the quote. */
function ofQuote(
  field: QuoteField,
  title: string,
  meaning: string,
  format: (quote: Quote, how: RowFormat) => string,
) {
  return {
    title,
    meaning,
    isOfQuote: true,
    value: ({ quote }: RowFacts) => quote?.[field] ?? undefined,
    format: ({ quote }: RowFacts, how: RowFormat) =>
      quote === undefined ? absent : format(quote, how),
  } as const;
}

/** The fields of a quote whose values are of a type. */
type FieldOf<Value> = QuoteField &
  keyof { [F in keyof Quote as Quote[F] extends Value ? F : never]: F };

/** A column of prices, with as many decimals as the others of its row. */
function price(field: FieldOf<number | undefined>, title: string, meaning: string) {
  const format = (quote: Quote, { decimals }: RowFormat) => formatPrice(quote[field], decimals);
  return { ...ofQuote(field, title, meaning, format), isPrice: true } as const;
}

function change(field: FieldOf<number | null>, title: string, meaning: string) {
  const format = (quote: Quote) => formatChange(quote[field], 'percent');
  return { ...ofQuote(field, title, meaning, format), isChange: true } as const;
}

function volume(field: FieldOf<number | null | undefined>, title: string, meaning: string) {
  return ofQuote(field, title, meaning, (quote) => formatVolume(quote[field]));
}

const requested = { isRequested: true } as const;

/** A column of what is known of the instrument, as it is or with a format. */
function ofInstrument<Value extends string | number>(
  title: string,
  meaning: string,
  value: (facts: RowFacts) => Value | undefined,
  format: (value: Value) => string = String,
) {
  const textOf = (known: Value | undefined) => (known === undefined ? absent : format(known));
  return { title, meaning, value, format: (facts: RowFacts) => textOf(value(facts)) };
}

/** Why a figure on a board is missing. A board has instruments that are no bonds. */
function reasonOf(facts: RowFacts): string | undefined {
  return missingReason(facts, 'No es un bono, o faltan sus condiciones de emisión');
}

/** A column of a figure of bonds, with the reason of a dash, or what the figure supposes. */
function figure(
  field: FigureField,
  title: string,
  meaning: string,
  format: (value: number) => string,
  usual: number,
) {
  const value = (facts: RowFacts) => figureOf(facts, field);
  const hint = (facts: RowFacts) => {
    if (value(facts) === undefined) return reasonOf(facts);
    const assumption = facts.bond ? assumptionOf(facts.bond) : undefined;
    return assumption === undefined ? undefined : `Supuesto: ${assumption}`;
  };
  const column = ofInstrument(title, meaning, value, format);
  return { ...column, hint, isByConvention: true, sample: format(usual) } as const;
}

const declared: Columns = {
  ultimo: price('ultimo', 'Último', 'Último precio'),
  variacion: {
    ...change('variacion', 'Variación', 'Variación respecto del cierre anterior'),
    format: ({ quote }, { unit }) => formatChange(quote?.variacion, unit),
  },
  rueda: {
    title: 'Rueda',
    meaning:
      'Recorrido del precio en la rueda; la línea punteada es el cierre anterior, si está cerca',
    isDrawn: true,
    value: () => undefined,
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
    ...ofQuote('fuente', 'Fuente', 'Fuente del precio', ({ fuente }) => fuente ?? absent),
    ...requested,
  },
  hora: {
    ...ofQuote(
      'hora',
      'Hora',
      'Hora de la última actualización, en hora de Buenos Aires, con la fecha si no es de hoy; cuánto hace, si la rueda está abierta y pasaron más de dos minutos',
      ({ hora, fecha }, { today }) => {
        if (fecha === today && hora !== undefined) return hora;
        const [year, month, day] = fecha.split('-');
        return hora === undefined || year !== today.slice(0, 4)
          ? formatDay(fecha)
          : `${day}/${month} ${hora.slice(0, 5)}`;
      },
    ),
    // The day comes before the time.
    value: ({ quote }) => quote && [quote.fecha, quote.hora].join(' ').trim(),
    sample: 'hace 43 min',
  },
  vencimiento: {
    ...ofInstrument('Vto.', 'Vencimiento', maturityDay, formatDay),
    hint: (facts) => (maturityDay(facts) === undefined ? reasonOf(facts) : undefined),
    sample: formatDay('2030-07-09'),
  },
  tir: figure('tir', 'TIR', 'TIR anual', formatPercent, -10),
  durationModificada: figure(
    'durationModificada',
    'Dur. mod.',
    'Duration modificada, en años',
    (value) => formatFixed(value, 2),
    10,
  ),
  paridad: figure(
    'paridad',
    'Paridad',
    'Precio en por ciento del valor técnico',
    formatPercent,
    100,
  ),
  moneda: ofInstrument(
    'Mon.',
    'Moneda o unidad del precio',
    ({ info }) => unitNameOf(info) || undefined,
  ),
  precioPor: ofInstrument(
    'Cada',
    'Cantidad a la que corresponde el precio: 100 nominales en los bonos',
    ({ info }) => info?.precioPor,
  ),
  ratio: ofInstrument(
    'Ratio',
    'Certificados que equivalen a una unidad del subyacente',
    ({ info }) => info?.ratio,
  ),
  subyacente: ofInstrument('Subyacente', 'Especie del subyacente', ({ info }) => info?.subyacente),
  implicito: {
    ...ofInstrument(
      'Dólar impl.',
      'CCL implícito: con él, el certificado vale lo mismo que su parte del subyacente. Solo si ambos precios son del mismo día, con los dos mercados abiertos',
      impliedDollar,
      formatPrice,
    ),
    hint: impliedHint,
    sample: formatPrice(1500),
  },
};

/** All columns, in the order in which they are offered. */
export const allColumns: readonly Column[] = Object.entries(declared).map(([field, column]) => ({
  field: field as ColumnField,
  ...column,
}));

/** All columns, by their fields. */
export const columns: ReadonlyMap<string, Column> = new Map(
  allColumns.map((one) => [one.field, one]),
);

/** The fields by which a board can be sorted. */
export const sortFields: readonly SortField[] = [
  'especie',
  ...allColumns.flatMap(({ field }) => (field === 'rueda' ? [] : [field])),
];

/** The columns of the book and of the traded amount. */
export const bookFields: readonly ColumnField[] = ['compra', 'venta', 'monto', 'operaciones'];

/** The columns of some fields, in their order, each once. What is no field is left out. */
export function columnsOf(fields: readonly unknown[]): readonly Column[] {
  return [...new Set(fields)].flatMap((field) => columns.get(String(field)) ?? []);
}

/** The fields that must be requested for these columns. */
export function requestedFields(fields: readonly ColumnField[]): readonly RequestedField[] {
  return columnsOf(fields).flatMap(({ field, isRequested }) =>
    isRequested === true ? (field as RequestedField) : [],
  );
}

/** Whether a column needs `/bonos`. */
export function isBondField(field: string | undefined): boolean {
  return field === 'vencimiento' || columns.get(field ?? '')?.isByConvention === true;
}

/** The columns of a stored value. Undefined if it is not a list; unknown columns are left out. */
export function readFields(value: unknown): readonly ColumnField[] | undefined {
  return Array.isArray(value) ? columnsOf(value).map(({ field }) => field) : undefined;
}
