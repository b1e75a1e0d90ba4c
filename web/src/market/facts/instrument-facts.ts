import type { BondFigures, InstrumentInfo, Quote } from '../api/quote.ts';

/** What is known of a row of a board, besides its path. */
export interface RowFacts {
  readonly quote: Quote | undefined;
  readonly info: InstrumentInfo | undefined;
  /** The quote of the underlying of a depositary receipt, if it was requested. */
  readonly underlying?: Quote | undefined;
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

/** How many units of the underlying one receipt represents: `20:1` is 20 receipts for one share. */
export function unitsPerReceipt(ratio: string | undefined): number | undefined {
  const [, receipts, units] = /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(ratio ?? '') ?? [];
  const value = Number(units) / Number(receipts);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}

/**
 * The rate between pesos and dollars at which a receipt costs as much as what it represents. Undefined
 * unless both prices are of the same day.
 */
export function impliedRate({ quote, info, underlying }: RowFacts): number | undefined {
  const units = unitsPerReceipt(info?.ratio);
  if (quote === undefined || underlying === undefined || units === undefined) return undefined;
  if (info?.moneda !== 'ARS' || quote.fecha !== underlying.fecha) return undefined;
  const rate = quote.ultimo / (underlying.ultimo * units);
  return Number.isFinite(rate) ? rate : undefined;
}
