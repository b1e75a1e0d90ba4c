import type { InstrumentKind } from '../../domain/instruments/instrument.ts';

/** The types of instruments in the charting library, in the order in which it lists them. */
export const udfTypeNames = {
  stock: 'Acciones',
  dr: 'CEDEAR y ADR',
  fund: 'ETF',
  bond: 'Bonos y letras',
  index: 'Índices',
  forex: 'Tipos de cambio',
  economic: 'Tasas y brechas',
  crypto: 'Criptomonedas',
} as const;

type UdfType = keyof typeof udfTypeNames;

/** The type of each kind (contract 4.15.4). */
export const udfTypes: Readonly<Record<InstrumentKind, UdfType>> = {
  share: 'stock',
  cedear: 'dr',
  adr: 'dr',
  etf: 'fund',
  bond: 'bond',
  'corporate-bond': 'bond',
  bill: 'bond',
  crypto: 'crypto',
  index: 'index',
  'exchange-rate': 'forex',
  'interest-rate': 'economic',
  spread: 'economic',
  'country-risk': 'economic',
};

/**
 * The ticker in the name of a symbol. The charting library also sends `BYMA:GGAL`. No ticker has a colon, so
 * what precedes the first one is the code of a market.
 */
export function tickerIn(symbol: string): string {
  return symbol.slice(symbol.indexOf(':') + 1);
}
