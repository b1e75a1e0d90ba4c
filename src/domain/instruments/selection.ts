import type { PanelCode } from './panel.ts';

/**
 * The quotes that a client requests: tickers in the order of the request, then the members of a
 * panel (contract 4.1.3). At least one of the two is present.
 */
export interface Selection {
  /** Tickers as the client spelled them, with white space folded; none is empty. */
  readonly tickers: readonly string[];
  readonly panel?: PanelCode;
}
