import type { WireQuote } from '../../cases/side.ts';

/** A historical price of the contract. */
export interface WireClose {
  readonly especie: string;
  readonly fecha: string;
  readonly ultimo: number;
  readonly volumen: number | null;
}

/** An update of a quote, as the bench pushes it. */
export interface PushedUpdate {
  readonly ticker: string;
  readonly last: number;
  readonly volume?: number;
}

/** The queries of the simple SQL service, one per request. */
export interface QuoteDatabase {
  quotes(tickers: readonly string[]): Promise<readonly StoredRow[]>;
  panel(code: string): Promise<readonly StoredRow[]>;
  closes(ticker: string, from: string, to: string): Promise<readonly WireClose[]>;
  update(updates: readonly PushedUpdate[]): Promise<void>;
}

/** A quote in a database, with null for absent fields. */
export type StoredRow = { readonly [K in keyof WireQuote]-?: WireQuote[K] | null };

/** The columns of a quote, in the contract's order. */
export const quoteColumns = [
  'especie',
  'fecha',
  'hora',
  'ultimo',
  'variacion',
  'anterior',
  'apertura',
  'minimo',
  'maximo',
  'varMTD',
  'varYTD',
  'volumen',
] as const satisfies readonly (keyof WireQuote)[];
