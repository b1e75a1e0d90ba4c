import type { PlainDate } from '../../src/domain/plain-date.ts';
import type { Ticker } from '../../src/domain/ticker.ts';
import type { Update } from '../../src/domain/update.ts';
import type { Outcome } from '../../src/engine/engine.ts';

/** One line that the pusher sends. */
export interface Batch {
  readonly id: number;
  readonly updates: readonly (Update & { readonly last: number })[];
}

/** What a quote shows of its session. */
export interface ShownSession {
  readonly sessionDate: PlainDate;
  readonly last: number;
  readonly open?: number | undefined;
  readonly high?: number | undefined;
  readonly low?: number | undefined;
}

/** What the program has when it is ready to serve, before any new update. */
export interface Ready {
  /** From the start of the process until the board was complete. */
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
}

/** Says that a batch is durable. */
export interface Done {
  readonly id: number;
  readonly outcomes: readonly Outcome[];
}
