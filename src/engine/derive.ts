import type { Derivation } from '../domain/derivation.ts';
import type { PlainDate } from '../domain/plain-date.ts';
import type { LiveSession } from '../domain/stored-quote.ts';
import type { Ticker } from '../domain/ticker.ts';

/** What a derivation gives: a value for a session, as of an instant where its inputs have one. */
export interface DerivedValue {
  readonly sessionDate: PlainDate;
  readonly asOf?: number;
  readonly last: number;
}

/**
 * The value of a derived instrument from its inputs' sessions, or undefined when it has none: an
 * input is missing, the inputs are of different sessions, no factor is in force yet, or a divisor is
 * zero.
 */
export function derive(
  derivation: Derivation,
  sessionOf: (ticker: Ticker) => LiveSession | undefined,
): DerivedValue | undefined {
  switch (derivation.type) {
    case 'ratio':
      return combine(
        sessionOf(derivation.numerator),
        sessionOf(derivation.denominator),
        (numerator, denominator) => numerator / denominator,
      );
    case 'gap':
      return combine(
        sessionOf(derivation.value),
        sessionOf(derivation.base),
        (value, base) => (value / base - 1) * 100,
      );
    case 'scaled': {
      const source = sessionOf(derivation.source);
      if (source === undefined) return undefined;
      const dated = derivation.factors.findLast(({ since }) => since <= source.sessionDate);
      return dated === undefined ? undefined : valueOf(source, source.last * dated.factor);
    }
    case 'alias': {
      const source = sessionOf(derivation.source);
      return source === undefined ? undefined : valueOf(source, source.last);
    }
  }
}

function combine(
  a: LiveSession | undefined,
  b: LiveSession | undefined,
  operation: (a: number, b: number) => number,
): DerivedValue | undefined {
  if (a === undefined || b === undefined || a.sessionDate !== b.sessionDate) return undefined;
  const last = operation(a.last, b.last);
  if (!Number.isFinite(last)) return undefined;
  return valueOf((b.asOf ?? -Infinity) > (a.asOf ?? -Infinity) ? b : a, last);
}

function valueOf({ sessionDate, asOf }: LiveSession, last: number): DerivedValue {
  return { sessionDate, ...(asOf === undefined ? {} : { asOf }), last };
}
