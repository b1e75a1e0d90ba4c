import { derivedValue, inputsOf } from '../domain/instruments/derivation.ts';
import type { Derivation } from '../domain/instruments/derivation.ts';
import type { PlainDate } from '../domain/calendar/plain-date.ts';
import type { LiveSession } from '../domain/quotes/stored-quote.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';

/** The value of a derived instrument for a session. The instant is absent when no input has one. */
export interface DerivedValue {
  readonly sessionDate: PlainDate;
  readonly asOf?: number;
  readonly last: number;
}

/**
 * Computes a derived instrument from the sessions of its inputs, as of the latest of their
 * instants. Undefined when an input is missing, when the inputs are of different sessions, or when
 * {@link derivedValue} is undefined.
 */
export function derive(
  derivation: Derivation,
  sessionOf: (ticker: Ticker) => LiveSession | undefined,
): DerivedValue | undefined {
  let sessionDate: PlainDate | undefined;
  let asOf: number | undefined;
  const prices = new Map<Ticker, number>();
  for (const input of inputsOf(derivation)) {
    const session = sessionOf(input);
    if (session === undefined) return undefined;
    if (sessionDate !== undefined && sessionDate !== session.sessionDate) return undefined;
    sessionDate = session.sessionDate;
    if (session.asOf !== undefined) asOf = Math.max(asOf ?? session.asOf, session.asOf);
    prices.set(input, session.last);
  }
  if (sessionDate === undefined) throw new Error('a derivation has no inputs');
  const last = derivedValue(derivation, sessionDate, (ticker) => prices.get(ticker));
  if (last === undefined) return undefined;
  return { sessionDate, ...(asOf === undefined ? {} : { asOf }), last };
}
