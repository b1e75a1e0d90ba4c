import type { DollarRow } from '../../market/api/quote.ts';
import type { Bonds } from '../../market/bonds/use-bonds.ts';
import type { RowFacts } from '../../market/facts/instrument-facts.ts';
import { receiptKey } from '../../market/facts/receipt-dollars.ts';
import { instruments } from '../../market/instruments.ts';
import type { Rows } from '../../market/rows/use-rows.ts';

/** What a board requests beside its quotes, for some of its columns. */
export interface SideFacts {
  /** The dollars that receipts imply, by {@link receiptName}. */
  readonly dollars: Rows<DollarRow>;
  readonly bonds: Bonds;
}

/** What is known of an instrument beside its quote. What reads it is redrawn when it changes. */
export function factsIn({ dollars, bonds }: SideFacts, ticker: string): Omit<RowFacts, 'quote'> {
  const info = instruments.value.get(ticker);
  return {
    info,
    dollar: rowOf(dollars, receiptKey(ticker)),
    bond: rowOf(bonds, ticker),
  };
}

/** The row of a name. Undefined before the first response, and null if it has none. */
function rowOf<Row>({ value: rows }: Rows<Row>, name: string): Row | null | undefined {
  return rows === undefined ? undefined : (rows.get(name) ?? null);
}
