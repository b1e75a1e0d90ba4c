import type { BondFigures, DollarRow, InstrumentInfo, Quote } from '../api/quote.ts';

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
