import { derivedValue, inputsOf, type Derivation } from '../domain/instruments/derivation.ts';
import type { PlainDate } from '../domain/calendar/plain-date.ts';
import type { Ticker } from '../domain/instruments/ticker.ts';
import type { Slot } from './slot.ts';

/** The value of a derived instrument for a session. The instants are absent when no input has one. */
export interface DerivedValue {
  readonly sessionDate: PlainDate;
  /** The instant of the older of its inputs: the value is not newer than it. */
  readonly asOf?: number;
  /** The instant of the latest of its inputs, at which the value came about. */
  readonly at?: number;
  readonly last: number;
}

/**
 * Computes a derived instrument from the sessions of its inputs. Undefined when an input is missing, when the
 * inputs are of different sessions, or when {@link derivedValue} is undefined.
 */
export function derive(
  derivation: Derivation,
  slotOf: (ticker: Ticker) => Pick<Slot, 'session' | 'inputsAt'> | undefined,
): DerivedValue | undefined {
  let sessionDate: PlainDate | undefined;
  const instants: number[] = [];
  const latest: number[] = [];
  const prices = new Map<Ticker, number>();
  for (const input of inputsOf(derivation)) {
    const { session, inputsAt } = slotOf(input) ?? {};
    if (session === undefined) return undefined;
    if (sessionDate !== undefined && sessionDate !== session.sessionDate) return undefined;
    sessionDate = session.sessionDate;
    if (session.asOf !== undefined) {
      instants.push(session.asOf);
      latest.push(Math.max(session.asOf, inputsAt ?? session.asOf));
    }
    prices.set(input, session.last);
  }
  if (sessionDate === undefined) throw new Error('a derivation has no inputs');
  const last = derivedValue(derivation, sessionDate, (ticker) => prices.get(ticker));
  if (last === undefined) return undefined;
  if (instants.length === 0) return { sessionDate, last };
  return { sessionDate, asOf: Math.min(...instants), at: Math.max(...latest), last };
}
