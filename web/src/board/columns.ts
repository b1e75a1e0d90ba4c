import type { Quote } from '../api/quote.ts';
import {
  formatChange,
  formatDay,
  formatPrice,
  formatVolume,
  priceDecimals,
} from '../format/numbers.ts';
import type { ChangeUnit } from '../format/numbers.ts';
import type { Visibility } from '../shell/preferences.ts';
import type { SortField } from './sort-rows.ts';

/** A column of the board after the instrument column. */
export interface Column {
  readonly field: Exclude<SortField, 'especie'>;
  readonly title: string;
  /** The full meaning of the title. */
  readonly meaning: string;
  /** Whether the value is a change, shown with colour, sign and arrow. */
  readonly isChange?: true;
  readonly format: (quote: Quote, how: RowFormat) => string;
  /** Whether the value is a price. Prices of a column are aligned at the comma. */
  readonly isPrice?: true;
  /** Whether the column is shown only with those of the book. */
  readonly isOfBook?: true;
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

/** The number of decimals with which all prices of a quote can be shown. */
export function decimalsOf(quote: Quote): number {
  const { ultimo, apertura, minimo, maximo, anterior, compra, venta } = quote;
  return priceDecimals([ultimo, apertura, minimo, maximo, anterior, compra, venta]);
}

/** All columns in order of importance. A narrow screen shows the first ones. */
const allColumns: readonly Column[] = [
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
    field: 'compra',
    title: 'Compra',
    meaning: 'Mejor precio de los compradores',
    isPrice: true,
    isOfBook: true,
    format: ({ compra }, { decimals }) => formatPrice(compra, decimals),
  },
  {
    field: 'venta',
    title: 'Venta',
    meaning: 'Mejor precio de los vendedores',
    isPrice: true,
    isOfBook: true,
    format: ({ venta }, { decimals }) => formatPrice(venta, decimals),
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
    isOfBook: true,
    format: ({ monto }) => formatVolume(monto),
  },
  {
    field: 'operaciones',
    title: 'Oper.',
    meaning: 'Cantidad de operaciones',
    isOfBook: true,
    format: ({ operaciones }) => formatVolume(operaciones),
  },
  {
    field: 'hora',
    title: 'Hora',
    meaning: 'Hora de la última actualización, en hora de Buenos Aires; la fecha, si no es de hoy',
    format: ({ hora, fecha }, { today }) =>
      hora === undefined || fecha !== today ? formatDay(fecha) : hora,
  },
];

const plainColumns = allColumns.filter(({ isOfBook }) => isOfBook !== true);

/** The fields of the book on the board, to request for its quotes. */
export const bookFields = allColumns.flatMap(({ field, isOfBook }) => (isOfBook ? field : []));

/** The columns on the board. */
export function columnsFor(book: Visibility): readonly Column[] {
  return book === 'shown' ? allColumns : plainColumns;
}
