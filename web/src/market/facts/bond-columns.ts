import type { BondFigures } from '../api/quote.ts';
import { maturityOf, type RowFacts } from './instrument-facts.ts';
import { absent, formatDay, formatFixed, formatPercent } from '../format/numbers.ts';

/** The columns whose values are those of `/bonos`. */
const bondFields = ['vencimiento', 'tir', 'durationModificada', 'paridad'] as const;
export type BondField = (typeof bondFields)[number];

/** Whether a column needs `/bonos`. */
export function isBondField(field: string | undefined): field is BondField {
  return bondFields.some((one) => one === field);
}

/** The day of the maturity: that of the terms or, without terms, that of the name. */
function maturity({ bond, info }: RowFacts): string | undefined {
  return bond?.vencimiento ?? maturityOf(info);
}

/** A figure that follows from the price. Undefined if it is that of another session than the price. */
function figure(
  { quote, bond }: RowFacts,
  field: Exclude<BondField, 'vencimiento'>,
): number | undefined {
  return quote === undefined || bond?.fecha !== quote.fecha
    ? undefined
    : (bond[field] ?? undefined);
}

const reasons: Readonly<Record<BondFigures['estado'], string | undefined>> = {
  ok: undefined,
  'no-emitido': 'El bono se emite después de la liquidación',
  vencido: 'El bono venció',
  'sin-indice': 'Falta el valor del índice',
  'sin-cambio': 'Falta el dólar de la rueda para convertir el precio',
  'sin-solucion': 'Ninguna tasa da ese precio',
  'precio-dudoso': 'El precio es dudoso: la paridad no está entre 5 y 200 %',
};

/** Why a bond lacks figures. Undefined if it has all. */
export function stateReason({ estado, indice, fechaIndice }: BondFigures): string | undefined {
  const reason = reasons[estado];
  if (estado !== 'sin-indice' || indice === null || fechaIndice === null) return reason;
  return `${reason}: ${indice} del ${formatDay(fechaIndice)}`;
}

/** What the figures of a bond suppose: `sin opciones; términos en duda`. Undefined if they suppose nothing. */
export function assumptionOf({ supuesto }: BondFigures): string | undefined {
  return supuesto?.replace('terminos', 'términos');
}

/**
 * Why figures are missing. Undefined if none is missing, or while they are requested.
 *
 * @param withoutFigures why the service has none.
 */
export function missingReason(
  { quote, bond }: Pick<RowFacts, 'quote' | 'bond'>,
  withoutFigures: string,
): string | undefined {
  if (quote === undefined) return 'Sin cotización';
  if (bond === null) return withoutFigures;
  if (bond === undefined) return undefined;
  if (bond.fecha !== quote.fecha) return 'Todavía no se calculó con el precio de esta rueda';
  return stateReason(bond);
}

/** Why a figure on a board is missing. A board has instruments that are no bonds. */
function reasonOf(facts: RowFacts): string | undefined {
  return missingReason(facts, 'No es un bono, o faltan sus condiciones de emisión');
}

function assumptionHint({ bond }: RowFacts): string | undefined {
  const text = bond ? assumptionOf(bond) : undefined;
  return text === undefined ? undefined : `Supuesto: ${text}`;
}

function figureColumn(
  field: Exclude<BondField, 'vencimiento'>,
  title: string,
  meaning: string,
  format: (value: number) => string,
  usual: number,
) {
  return {
    title,
    meaning,
    isByConvention: true,
    sample: format(usual),
    value: (facts: RowFacts) => figure(facts, field),
    text: (facts: RowFacts) => {
      const value = figure(facts, field);
      return value === undefined ? absent : format(value);
    },
    hint: (facts: RowFacts) =>
      figure(facts, field) === undefined ? reasonOf(facts) : assumptionHint(facts),
  };
}

/** The columns of bonds, by their fields. */
export const bondColumns = {
  vencimiento: {
    title: 'Vto.',
    meaning: 'Vencimiento',
    sample: formatDay('2030-07-09'),
    value: maturity,
    text: (facts: RowFacts) => {
      const day = maturity(facts);
      return day === undefined ? absent : formatDay(day);
    },
    hint: (facts: RowFacts) => (maturity(facts) === undefined ? reasonOf(facts) : undefined),
  },
  tir: figureColumn('tir', 'TIR', 'TIR anual', formatPercent, -10),
  durationModificada: figureColumn(
    'durationModificada',
    'Dur. mod.',
    'Duration modificada, en años',
    (value) => formatFixed(value, 2),
    10,
  ),
  paridad: figureColumn(
    'paridad',
    'Paridad',
    'Precio en por ciento del valor técnico',
    formatPercent,
    100,
  ),
} as const;
