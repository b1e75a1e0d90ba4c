import type { PanelCode } from './panel.ts';

/**
 * What a client asks for: the tickers in the order they were asked for, then a panel's members.
 * At least one of the two is there.
 *
 * Source: specification 4.1 rule 1, decisions rows 2 and 5.
 */
export interface Selection {
  /** As the client spelled them, white space folded; not empty texts. */
  readonly tickers: readonly string[];
  readonly panel?: PanelCode;
}
