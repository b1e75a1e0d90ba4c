import type { Quote } from '../api/quote.ts';
import {
  absent,
  formatChange,
  formatDay,
  formatPrice,
  formatVolume,
  priceDecimals,
} from '../format/numbers.ts';
import type { ChangeUnit } from '../format/numbers.ts';
import type { SortField } from './sort-rows.ts';

/** A column of the board after the instrument column. */
export interface Column {
  readonly field: ColumnField;
  readonly title: string;
  /** The full meaning of the title. */
  readonly meaning: string;
  /** Whether the value is a change, shown with colour, sign and arrow. */
  readonly isChange?: true;
  readonly format: (quote: Quote, how: RowFormat) => string;
  /** Whether the value is a price. Prices of a column are aligned at the comma. */
  readonly isPrice?: true;
  /** Whether quotes have the value only if it is requested (`campos` of the contract). */
  readonly isRequested?: true;
  /** Whether the cell is a drawing, without a text of its own. */
  readonly isDrawn?: true;
}

/** The identifier of a column: a field of the quote, or the path of the session. */
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

/** All columns, in the order in which they are offered. */
export const allColumns: readonly Column[] = [
  {
    field: 'ultimo',
    title: 'Último',
    meaning: 'Último precio',
    isPrice: true,
    format: ({ ultimo }, { decimals }) => formatPrice(ultimo, decimals),
  },
  {
    field: 'variacion',
    title: 'Variación',
    meaning: 'Variación respecto del cierre anterior',
    isChange: true,
    format: ({ variacion }, { unit }) => formatChange(variacion, unit),
  },
  {
    field: 'rueda',
    title: 'Rueda',
    meaning:
      'Recorrido del precio en la rueda; la línea punteada es el cierre anterior, si está cerca',
    isDrawn: true,
    format: () => '',
  },
  {
    field: 'cantCompra',
    title: 'Cant. c.',
    meaning: 'Cantidad nominal al precio de compra',
    isRequested: true,
    format: ({ cantCompra }) => formatVolume(cantCompra),
  },
  {
    field: 'compra',
    title: 'Compra',
    meaning: 'Mejor precio de los compradores',
    isPrice: true,
    isRequested: true,
    format: ({ compra }, { decimals }) => formatPrice(compra, decimals),
  },
  {
    field: 'venta',
    title: 'Venta',
    meaning: 'Mejor precio de los vendedores',
    isPrice: true,
    isRequested: true,
    format: ({ venta }, { decimals }) => formatPrice(venta, decimals),
  },
  {
    field: 'cantVenta',
    title: 'Cant. v.',
    meaning: 'Cantidad nominal al precio de venta',
    isRequested: true,
    format: ({ cantVenta }) => formatVolume(cantVenta),
  },
  {
    field: 'apertura',
    title: 'Apertura',
    meaning: 'Precio de apertura',
    isPrice: true,
    format: ({ apertura }, { decimals }) => formatPrice(apertura, decimals),
  },
  {
    field: 'minimo',
    title: 'Mínimo',
    meaning: 'Mínimo de la rueda',
    isPrice: true,
    format: ({ minimo }, { decimals }) => formatPrice(minimo, decimals),
  },
  {
    field: 'maximo',
    title: 'Máximo',
    meaning: 'Máximo de la rueda',
    isPrice: true,
    format: ({ maximo }, { decimals }) => formatPrice(maximo, decimals),
  },
  {
    field: 'anterior',
    title: 'Anterior',
    meaning: 'Cierre anterior',
    isPrice: true,
    format: ({ anterior }, { decimals }) => formatPrice(anterior, decimals),
  },
  {
    field: 'varMTD',
    title: 'Mes',
    meaning: 'Variación en el mes',
    isChange: true,
    format: ({ varMTD }) => formatChange(varMTD, 'percent'),
  },
  {
    field: 'varYTD',
    title: 'Año',
    meaning: 'Variación en el año',
    isChange: true,
    format: ({ varYTD }) => formatChange(varYTD, 'percent'),
  },
  {
    field: 'volumen',
    title: 'Volumen',
    meaning: 'Volumen nominal',
    format: ({ volumen }) => formatVolume(volumen),
  },
  {
    field: 'monto',
    title: 'Monto',
    meaning: 'Monto operado, en la moneda de la especie',
    isRequested: true,
    format: ({ monto }) => formatVolume(monto),
  },
  {
    field: 'operaciones',
    title: 'Oper.',
    meaning: 'Cantidad de operaciones',
    isRequested: true,
    format: ({ operaciones }) => formatVolume(operaciones),
  },
  {
    field: 'fuente',
    title: 'Fuente',
    meaning: 'Fuente del precio',
    isRequested: true,
    format: ({ fuente }) => fuente ?? absent,
  },
  {
    field: 'hora',
    title: 'Hora',
    meaning: 'Hora de la última actualización, en hora de Buenos Aires; la fecha, si no es de hoy',
    format: ({ hora, fecha }, { today }) =>
      hora === undefined || fecha !== today ? formatDay(fecha) : hora,
  },
];

/** The columns of a new visitor. A narrow screen shows the first ones. */
export const defaultFields: readonly ColumnField[] = [
  'ultimo',
  'variacion',
  'rueda',
  'apertura',
  'minimo',
  'maximo',
  'anterior',
  'varMTD',
  'varYTD',
  'volumen',
  'hora',
];

/** The columns of the book and of the traded amount. */
export const bookFields: readonly ColumnField[] = ['compra', 'venta', 'monto', 'operaciones'];

/** The columns of these fields, in their order. */
export function columnsOf(fields: readonly ColumnField[]): readonly Column[] {
  return fields.flatMap((field) => allColumns.find((column) => column.field === field) ?? []);
}

/** The fields that must be requested for these columns. */
export function requestedFields(fields: readonly ColumnField[]): readonly (keyof Quote)[] {
  return columnsOf(fields).flatMap(({ field, isRequested }) =>
    isRequested === true && field !== 'rueda' ? field : [],
  );
}

/** The columns of a stored value. Undefined if it is not a list; unknown columns are left out. */
export function readFields(value: unknown): readonly ColumnField[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const fields = allColumns.map(({ field }) => field);
  return [...new Set(value)].flatMap((one) => fields.find((field) => field === one) ?? []);
}
