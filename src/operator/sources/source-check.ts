import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { FailedAt, RejectedRows } from './exchange-record.ts';

/**
 * The result of a check. `closed`: no price came, and none is expected while the markets are closed.
 * `warning`: a part of what came is not understood. `skipped`: there is nothing to connect to.
 */
export type CheckState = 'fine' | 'closed' | 'warning' | 'wrong' | 'skipped';

/** The result of one request or connection. It contains no key, no token and no query of the configuration. */
export interface PathCheck {
  readonly kind: 'request' | 'socket';
  readonly method: string;
  readonly url: string;
  readonly state: CheckState;
  /** Whether the server sent a response. */
  readonly reached: boolean;
  readonly status?: number;
  /** From the request to the head of the response, in milliseconds. */
  readonly responseMs?: number;
  /** From the request to the end of the body, or to the latest message. In milliseconds. */
  readonly totalMs?: number;
  readonly bytes: number;
  /** Messages of a WebSocket. */
  readonly messages?: number;
  /** Rows that the source sent, such as the entries of a list or the trades of a message. */
  readonly rows: number;
  /** The rows that were not rejected. */
  readonly understood: number;
  readonly rejected: readonly RejectedRows[];
  /** Instruments with a price. */
  readonly instruments: number;
  /** How long the latest row was in transit, in seconds. Absent where the rows have no instant of their own. */
  readonly newestRowSeconds?: number;
  readonly failedAt?: FailedAt;
  /** What is wrong. Absent if nothing is. */
  readonly says?: string;
  readonly todo?: string;
}

/** The result of the check of one source. */
export interface SourceCheck {
  readonly name: string;
  readonly type: string;
  readonly state: CheckState;
  /** The result in one sentence. */
  readonly says: string;
  /** What to do. Absent if there is nothing to do. */
  readonly todo?: string;
  readonly instruments: {
    readonly expected: number;
    readonly served: number;
    readonly missing: readonly Ticker[];
  };
  /** Of all markets of the instruments together. */
  readonly market?: { readonly isOpen: boolean; readonly opensAt?: string };
  /** By the configuration. Absent for a source that is not polled. */
  readonly delayMinutes?: number;
  /** How old the latest row of each instrument was when it arrived, in seconds: the least, and the median. */
  readonly newestRowSeconds?: number;
  readonly medianRowSeconds?: number;
  readonly rows: number;
  readonly understood: number;
  /** Requests of a poll that were not sent, because the poll ended before them. */
  readonly notRequested: number;
  readonly paths: readonly PathCheck[];
}
