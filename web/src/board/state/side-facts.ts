import type { ReadonlySignal } from '@preact/signals';

import type { Quote } from '../../market/api/quote.ts';
import type { Bonds } from '../../market/bonds/use-bonds.ts';
import type { RowFacts } from '../../market/facts/instrument-facts.ts';
import { instruments } from '../../market/instruments.ts';

/** What a board requests beside its quotes, for some of its columns. */
export interface SideFacts {
  /** The quotes of underlyings, by ticker. */
  readonly underlyings: ReadonlySignal<ReadonlyMap<string, Quote>>;
  readonly bonds: Bonds;
}

/** What is known of an instrument beside its quote. What reads it is redrawn when it changes. */
export function factsIn(
  { underlyings, bonds }: SideFacts,
  ticker: string,
): Omit<RowFacts, 'quote'> {
  const info = instruments.value.get(ticker);
  const known = bonds.value;
  return {
    info,
    underlying: underlyings.value.get(info?.subyacente ?? ''),
    bond: known === undefined ? undefined : (known.get(ticker) ?? null),
  };
}
