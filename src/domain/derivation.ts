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

/**
 * The value that a derivation gives for a session from its inputs' values in it, not rounded.
 * Undefined when it has none: an input is missing, no factor is in force yet, or a divisor is zero.
 */
export function derivedValue(
  derivation: Derivation,
  sessionDate: PlainDate,
  valueOf: (ticker: Ticker) => number | undefined,
): number | undefined {
  const [a, b] = inputsOf(derivation).map((input) => valueOf(input));
  const value = a === undefined ? undefined : combine(derivation, sessionDate, a, b);
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

function combine(
  derivation: Derivation,
  sessionDate: PlainDate,
  a: number,
  b: number | undefined,
): number | undefined {
  switch (derivation.type) {
    case 'ratio':
      return b === undefined ? undefined : a / b;
    case 'gap':
      return b === undefined ? undefined : (a / b - 1) * 100;
    case 'scaled': {
      const dated = derivation.factors.findLast(({ since }) => since <= sessionDate);
      return dated === undefined ? undefined : a * dated.factor;
    }
    case 'alias':
      return a;
  }
}
