import type { QuoteExtra } from '../../domain/quotes/quote-extra.ts';
import { instantName } from './instant-texts.ts';

/** The public names of the fields that a client gets only if it requests them (contract 2.7). */
export const extraNames = {
  bid: 'compra',
  ask: 'venta',
  bidSize: 'cantCompra',
  askSize: 'cantVenta',
  amount: 'monto',
  trades: 'operaciones',
  source: 'fuente',
  instant: instantName,
} as const satisfies Readonly<Record<QuoteExtra, string>>;
