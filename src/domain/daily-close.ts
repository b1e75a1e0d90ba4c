import type { EpochDay } from './plain-date.ts';

/**
 * The close of one finished session, as traded that day: never adjusted for splits or dividends
 * (decisions row 14).
 */
export interface DailyClose {
  readonly day: EpochDay;
  readonly close: number;
  /** Nominal traded; null where the kind has none or the source did not say. */
  readonly volume: number | null;
  /** Present where the source has them. */
  readonly open?: number;
  readonly high?: number;
  readonly low?: number;
}

/**
 * Daily closes of one instrument as columns of one length, strictly ascending by day. Twenty years
 * are about 5,000 rows, and columns of them take 100 KB where objects would take a megabyte.
 */
export interface CloseSeries {
  readonly days: Int32Array;
  readonly closes: Float64Array;
  /** `NaN` stands for null. */
  readonly volumes: Float64Array;
}

/** A series of no rows. */
export const emptySeries: CloseSeries = {
  days: new Int32Array(0),
  closes: new Float64Array(0),
  volumes: new Float64Array(0),
};
