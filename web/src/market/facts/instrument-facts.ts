import type { BondFigures, DollarRow, InstrumentInfo, Quote } from '../api/quote.ts';
import { formatDay } from '../format/numbers.ts';

/** What is known of a row of a board, besides its path. */
export interface RowFacts {
  readonly quote: Quote | undefined;
  readonly info: InstrumentInfo | undefined;
  /** The dollar that a depositary receipt implies, if it was requested. Null if the service has none. */
  readonly dollar?: DollarRow | null | undefined;
  /** The figures of a bond, if they were requested. Null if the service has none. */
  readonly bond?: BondFigures | null | undefined;
}

/** The kinds of instruments of which `/bonos` has figures. */
const bondKinds: ReadonlySet<unknown> = new Set(['bono', 'letra', 'obligacion-negociable']);

/** Whether an instrument is a bond, a bill or a corporate bond. */
export function isBond(info: Pick<InstrumentInfo, 'tipo'> | undefined): boolean {
  return bondKinds.has(info?.tipo);
}

/**
 * The day of the maturity of a bond or a bill, as its name has it: `LECAP vto. 30/11/2026`. It is
 * for those whose terms the service does not have. Undefined if the name does not have a whole date.
 */
export function maturityOf(info: Pick<InstrumentInfo, 'nombre'> | undefined): string | undefined {
  const [, day, month, year] = /\bvto\. (\d\d)\/(\d\d)\/(\d{4})\b/.exec(info?.nombre ?? '') ?? [];
  return day === undefined ? undefined : `${year}-${month}-${day}`;
}

/** The day of the maturity: that of the terms or, without terms, that of the name. */
export function maturityDay({ bond, info }: RowFacts): string | undefined {
  return bond?.vencimiento ?? maturityOf(info);
}

/** A figure that follows from the price. Undefined if it is that of another session than the price. */
export function figureOf(
  { quote, bond }: RowFacts,
  field: 'tir' | 'durationModificada' | 'paridad',
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
