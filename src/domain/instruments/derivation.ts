import type { PlainDate } from '../calendar/plain-date.ts';
import type { Ticker } from './ticker.ts';

/**
 * The rule that computes a derived instrument from other instruments. All inputs must be of the
 * same session; otherwise the derived instrument has no value.
 */
export type Derivation =
  /** numerator ÷ denominator: DOLAR MEP = AL30 ÷ AL30D. */
  | { readonly type: 'ratio'; readonly numerator: Ticker; readonly denominator: Ticker }
  /** (value ÷ base − 1) × 100: MEP-CCL = (CCL ÷ MEP − 1) × 100. */
  | { readonly type: 'gap'; readonly value: Ticker; readonly base: Ticker }
  /** source × the factor in force on the session date. */
  | { readonly type: 'scaled'; readonly source: Ticker; readonly factors: readonly DatedFactor[] }
  /** The same value as another instrument. */
  | { readonly type: 'alias'; readonly source: Ticker };

/** A factor and the first day on which it applies. */
interface DatedFactor {
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
 * The value of a derived instrument for a session, not rounded, from the values of its inputs in
 * that session. Undefined when an input is missing, no factor applies yet, or a divisor is zero.
 */
export function derivedValue(
  derivation: Derivation,
  sessionDate: PlainDate,
  valueOf: (ticker: Ticker) => number | undefined,
): number | undefined {
  const [a = Number.NaN, b = Number.NaN] = inputsOf(derivation).map((input) => valueOf(input));
  const value = combine(derivation, sessionDate, a, b);
  return Number.isFinite(value) ? value : undefined;
}

function combine(derivation: Derivation, sessionDate: PlainDate, a: number, b: number): number {
  switch (derivation.type) {
    case 'ratio':
      return a / b;
    case 'gap':
      return (a / b - 1) * 100;
    case 'scaled': {
      const dated = derivation.factors.findLast(({ since }) => since <= sessionDate);
      return dated === undefined ? Number.NaN : a * dated.factor;
    }
    case 'alias':
      return a;
  }
}
