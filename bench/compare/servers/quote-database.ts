import type { WireQuote } from '../side.ts';

/** A row of history, as the contract has it. */
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

/** What the afternoon's service asks its database, once per request. */
export interface QuoteDatabase {
  quotes(tickers: readonly string[]): Promise<readonly StoredRow[]>;
  panel(code: string): Promise<readonly StoredRow[]>;
  closes(ticker: string, from: string, to: string): Promise<readonly WireClose[]>;
  update(updates: readonly PushedUpdate[]): Promise<void>;
}

/** A quote as a database gives it: null for what it has not. */
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
