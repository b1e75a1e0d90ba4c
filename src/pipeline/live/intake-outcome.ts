import type { Outcome } from '../../engine/engine.ts';

/** The result of an update of a source: that of the engine, or that it did not reach the engine. */
export type IntakeOutcome =
  | Outcome
  /** A source with a higher priority is used for the instrument. The update changes nothing. */
  | 'superseded';
