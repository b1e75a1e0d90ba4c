import type { Instrument } from '../../domain/instruments/instrument.ts';

/** The suffix of the tickers of instruments that trade in the United States. */
const suffix = '_US';

/** Companies that changed their symbol. */
const renamed: Readonly<Record<string, string>> = { SQ_US: 'XYZ' };

/** Companies that are no longer listed. Another company may have received the symbol since. */
const delisted: ReadonlySet<string> = new Set([
  'ACC_US',
  'BPMP_US',
  'CEI_US',
  'DESP_US',
  'LRFC_US',
  'X_US',
]);

/**
 * The symbol of an instrument on the exchanges of the United States. Undefined for an instrument that
 * does not trade there. A class of shares follows a dot, such as `BRK.B`.
 */
export function usSymbolOf({ ticker }: Pick<Instrument, 'ticker'>): string | undefined {
  if (!ticker.endsWith(suffix) || delisted.has(ticker)) return undefined;
  return renamed[ticker] ?? ticker.slice(0, -suffix.length);
}
