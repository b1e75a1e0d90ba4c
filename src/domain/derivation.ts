import type { PlainDate } from './plain-date.ts';
import type { Ticker } from './ticker.ts';

/**
 * How a derived instrument follows from others. Its inputs must be of one session, or there is no
 * value.
 */
export type Derivation =
  /** numerator ÷ denominator: DOLAR MEP = AL30 ÷ AL30D. */
  | { readonly type: 'ratio'; readonly numerator: Ticker; readonly denominator: Ticker }
  /** (value ÷ base − 1) × 100: MEP-CCL = (CCL ÷ MEP − 1) × 100. */
  | { readonly type: 'gap'; readonly value: Ticker; readonly base: Ticker }
  /** source × the factor in force on the session's date. */
  | { readonly type: 'scaled'; readonly source: Ticker; readonly factors: readonly DatedFactor[] }
  /** The same value as another instrument. */
  | { readonly type: 'alias'; readonly source: Ticker };

/** A factor and the first day on which it holds. */
export interface DatedFactor {
  readonly since: PlainDate;
  readonly factor: number;
}

/** The instruments that a derivation is computed from. */
export function inputsOf(derivation: Derivation): readonly Ticker[] {
  switch (derivation.type) {
    case 'ratio':
      return [derivation.numerator, derivation.denominator];
    case 'gap':
      return [derivation.value, derivation.base];
    case 'scaled':
    case 'alias':
      return [derivation.source];
  }
}
