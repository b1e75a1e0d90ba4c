import type { EpochDay, PlainDate } from '../calendar/plain-date.ts';

/**
 * A stored close that live prices contradict, so that no variation is computed from it (contract 2.1.9).
 * The mark is stored with the quote. It ends when the close or the actions between it and the session
 * change. The operator may confirm the close: then it is compared with again, and prices are no longer
 * judged by it.
 */
export interface SetAsideBase {
  /** The day of the close. */
  readonly day: EpochDay;
  /** As stored. */
  readonly close: number;
  /** The session whose prices contradict the close. */
  readonly sessionDate: PlainDate;
  /** The close on the basis of that session. */
  readonly comparable: number;
  /** The price that decided, and its instant in epoch milliseconds. */
  readonly price: number;
  readonly at: number;
  readonly isConfirmed: boolean;
}

/** Whether a mark still keeps closes from being compared with. */
export function isInForce(mark: SetAsideBase | undefined): mark is SetAsideBase {
  return mark !== undefined && !mark.isConfirmed;
}
