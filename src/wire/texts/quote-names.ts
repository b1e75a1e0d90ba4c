import type { QuoteExtra } from '../../domain/quotes/quote-extra.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { instantName } from './instant-texts.ts';

/** The fields of a quote that no client gets, or only on request. */
type Hidden = 'version' | 'plainVersion' | 'setAside' | 'bar' | 'book' | 'source';

/** The public names of the fields that every client gets, in the order of contract 2.1. */
export const plainNames = {
  instrument: 'especie',
  sessionDate: 'fecha',
  asOf: 'hora',
  last: 'ultimo',
  change: 'variacion',
  previousClose: 'anterior',
  open: 'apertura',
  low: 'minimo',
  high: 'maximo',
  monthToDatePct: 'varMTD',
  yearToDatePct: 'varYTD',
  volume: 'volumen',
} as const satisfies Readonly<Record<Exclude<keyof Quote, Hidden>, string>>;

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
