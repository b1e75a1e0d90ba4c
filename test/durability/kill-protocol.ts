import type { PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import type { Update } from '../../src/domain/quotes/update.ts';
import type { Outcome } from '../../src/engine/engine.ts';

/** One line that the pusher sends. */
export interface Batch {
  readonly id: number;
  readonly updates: readonly (Update & { readonly last: number })[];
}

/** The session of a published quote. */
export interface ShownSession {
  readonly sessionDate: PlainDate;
  readonly last: number;
  readonly open?: number | undefined;
  readonly high?: number | undefined;
  readonly low?: number | undefined;
}

/** One minute of an instrument. */
export type ShownBar = readonly [
  minute: number,
  open: number,
  high: number,
  low: number,
  last: number,
];

/** The state of the program when it is ready to serve, before any new update. */
export interface Ready {
  /** Time from the start of the process until the board was complete, in milliseconds. */
  readonly servedMs: number;
  readonly quotes: readonly {
    readonly ticker: Ticker;
    readonly version: number;
    readonly session: ShownSession;
  }[];
  readonly closes: readonly {
    readonly ticker: Ticker;
    readonly days: readonly number[];
    readonly closes: readonly number[];
  }[];
  /** Ascending for each instrument, with the minute under way. */
  readonly bars: readonly { readonly ticker: Ticker; readonly bars: readonly ShownBar[] }[];
}

/** Reports that a batch is durable. */
export interface Done {
  readonly id: number;
  readonly outcomes: readonly Outcome[];
}
