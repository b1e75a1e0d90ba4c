import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { usSymbolOf } from './us-symbols.ts';

/** What the source calls an instrument. */
export interface YahooSymbol {
  readonly ticker: Ticker;
  readonly symbol: string;
  /** The currency that the source must report. Any other is a different security. */
  readonly currency: 'ARS' | 'USD';
  /** The source reports a volume of 0 for indices. */
  readonly hasVolume: boolean;
}

/** The indices. */
const indices: Readonly<Record<string, string>> = { MERVAL: '^MERV' };

/**
 * The symbol of an instrument; undefined where the source is not known to have it. Classes in dollars
 * and the tickers of BYMA with a dot (`BA.C`, `BMA.D`) are left out, because their symbols are not
 * known.
 */
export function yahooSymbolOf(instrument: Instrument): YahooSymbol | undefined {
  const { ticker, kind, market, currency } = instrument;
  const usSymbol = usSymbolOf(instrument);
  if (usSymbol !== undefined) {
    const symbol = usSymbol.replaceAll('.', '-');
    return { ticker, symbol, currency: 'USD', hasVolume: true };
  }
  if (market !== 'BYMA' || currency !== 'ARS') return undefined;
  const index = kind === 'index' ? indices[ticker] : undefined;
  if (index !== undefined) return { ticker, symbol: index, currency: 'ARS', hasVolume: false };
  if ((kind !== 'share' && kind !== 'cedear') || ticker.includes('.')) return undefined;
  return { ticker, symbol: `${ticker}.BA`, currency: 'ARS', hasVolume: true };
}
