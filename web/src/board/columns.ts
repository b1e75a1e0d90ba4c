import type { Quote } from '../api/quote.ts';
import { absent, formatChange, formatDay, formatPrice, formatVolume } from '../format/numbers.ts';
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
  readonly format: (quote: Quote, unit: ChangeUnit | undefined) => string;
}

/** In the order of importance, which on a narrow screen is the order of coming into view. */
export const columns: readonly Column[] = [
  {
    field: 'ultimo',
    title: 'Último',
    meaning: 'Último precio',
    format: ({ ultimo }) => formatPrice(ultimo),
  },
  {
    field: 'variacion',
    title: 'Variación',
    meaning: 'Variación respecto del cierre anterior',
    isChange: true,
    format: ({ variacion }, unit) => formatChange(variacion, unit),
  },
  {
    field: 'apertura',
    title: 'Apertura',
    meaning: 'Precio de apertura',
    format: ({ apertura }) => formatPrice(apertura),
  },
  {
    field: 'minimo',
    title: 'Mínimo',
    meaning: 'Mínimo de la rueda',
    format: ({ minimo }) => formatPrice(minimo),
  },
  {
    field: 'maximo',
    title: 'Máximo',
    meaning: 'Máximo de la rueda',
    format: ({ maximo }) => formatPrice(maximo),
  },
  {
    field: 'anterior',
    title: 'Anterior',
    meaning: 'Cierre anterior',
    format: ({ anterior }) => formatPrice(anterior),
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
    meaning: 'Hora de la última actualización, de Buenos Aires',
    format: ({ hora, fecha }) => hora ?? (fecha === '' ? absent : formatDay(fecha)),
  },
];
