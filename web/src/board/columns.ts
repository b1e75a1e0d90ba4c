import type { Quote } from '../api/quote.ts';
import {
  formatChange,
  formatDay,
  formatPrice,
  formatVolume,
  priceDecimals,
} from '../format/numbers.ts';
import type { ChangeUnit } from '../format/numbers.ts';
import type { SortField } from './sort-rows.ts';

/** A column of the board, after that of the instrument. */
export interface Column {
  readonly field: Exclude<SortField, 'especie'>;
  readonly title: string;
  /** What the title is short for. */
  readonly meaning: string;
  /** Whether the value has a direction, shown by colour, sign and arrow. */
  readonly isChange?: true;
  readonly format: (quote: Quote, how: RowFormat) => string;
  /** Whether the value is a price, which is aligned with the others of its column at the comma. */
  readonly isPrice?: true;
}

/** How the values of one row are written. */
export interface RowFormat {
  readonly unit: ChangeUnit | undefined;
  /** Decimals of every price of the row. */
  readonly decimals: number;
  /** Today in Buenos Aires, by the service's clock. A quote of another day shows its date. */
  readonly today: string;
}

/** The decimals that the prices of a quote need to be shown alike. */
export function decimalsOf(quote: Quote): number {
  const { ultimo, apertura, minimo, maximo, anterior } = quote;
  return priceDecimals([ultimo, apertura, minimo, maximo, anterior]);
}

/** In the order of importance, which on a narrow screen is the order of coming into view. */
export const columns: readonly Column[] = [
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
    field: 'hora',
    title: 'Hora',
    meaning: 'Hora de la última actualización, en hora de Buenos Aires; la fecha, si no es de hoy',
    format: ({ hora, fecha }, { today }) =>
      hora === undefined || fecha !== today ? formatDay(fecha) : hora,
  },
];
