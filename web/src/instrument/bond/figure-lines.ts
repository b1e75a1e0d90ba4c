import type { BondFigures } from '../../market/api/quote.ts';
import {
  absent,
  formatDay,
  formatFixed,
  formatPercent,
  formatPrice,
} from '../../market/format/numbers.ts';

/** A line of the table of figures. */
export interface FigureLine {
  readonly name: string;
  /** What the name stands for. */
  readonly meaning?: string;
  readonly text: (bond: BondFigures) => string;
}

const years = (value: number) => formatFixed(value, 2);
const amount = (value: number) => formatFixed(value, 4);

/** A line of one number, with a dash where it is missing. */
function line(
  name: string,
  field: {
    readonly [Field in keyof BondFigures]: number extends BondFigures[Field] ? Field : never;
  }[keyof BondFigures],
  format: (value: number) => string,
  meaning?: string,
): FigureLine {
  const text = (bond: BondFigures) => {
    const value = bond[field];
    return typeof value === 'number' ? format(value) : absent;
  };
  return { name, text, ...(meaning === undefined ? {} : { meaning }) };
}

/** The figures of a bond, the most looked at first. */
export const figureLines: readonly FigureLine[] = [
  {
    name: 'Precio',
    meaning: 'En la forma de la convención, cada 100 nominales',
    text: ({ precio, moneda }) =>
      precio === null ? absent : `${formatPrice(precio)}\u00a0${moneda}`,
  },
  line('TIR', 'tir', formatPercent, 'Tasa interna de retorno, anual'),
  line('TNA', 'tna', formatPercent, 'Tasa nominal anual'),
  line('TEM', 'tem', formatPercent, 'Tasa efectiva mensual'),
  line('Duration', 'duration', years, 'Plazo promedio de los pagos, en años'),
  line(
    'Duration modificada',
    'durationModificada',
    years,
    'Cuánto baja el precio, en por ciento, si la TIR sube un punto',
  ),
  line('Convexidad', 'convexidad', years, 'Curvatura del precio respecto de la TIR, en años²'),
  line('Paridad', 'paridad', formatPercent, 'Precio en por ciento del valor técnico'),
  line(
    'Valor técnico',
    'valorTecnico',
    amount,
    'Residual más intereses corridos, en la moneda de los pagos',
  ),
  line('Intereses corridos', 'interesesCorridos', amount, 'Los del período hasta la liquidación'),
  line('Residual', 'residual', formatPercent, 'Parte del nominal que falta amortizar'),
  { name: 'Liquidación', text: ({ liquidacion }) => formatDay(liquidacion) },
];

/** What the figures depend on: `el precio del 26/11/2026 a las 11:38:39; el dólar a 1.438,08`. */
export function dependencies(bond: BondFigures): string {
  const { fecha, hora, tipoCambio, indice, fechaIndice, valorIndice } = bond;
  const at = hora === null ? '' : ` a las ${hora}`;
  const index = [
    indice ?? '',
    fechaIndice === null ? '' : ` del ${formatDay(fechaIndice)}`,
    valorIndice === null ? ' (no se conoce)' : ` (${formatPrice(valorIndice)})`,
  ];
  return [
    `el precio del ${formatDay(fecha)}${at}`,
    ...(tipoCambio === null ? [] : [`el dólar MEP a ${formatPrice(tipoCambio)}`]),
    ...(indice === null ? [] : [`el índice ${index.join('')}`]),
  ].join('; ');
}
