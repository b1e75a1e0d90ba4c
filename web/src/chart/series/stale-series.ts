import { intradayCodes, type RangeCode } from '../../places/route.ts';

/**
 * The age at which bars of minutes are requested again, in milliseconds. The new response has the volumes, and
 * the prices between two events of the stream.
 */
const intradayMs = 60_000;

/** The same for daily closes. The close of a session is stored some time after its end. */
const dailyMs = 300_000;

/** Whether a series must be requested. */
export function isStale({
  range,
  ageMs,
  day,
  quoteDay,
}: {
  readonly range: RangeCode;
  /** The time since the series was received. Undefined if it was not received yet. */
  readonly ageMs: number | undefined;
  /** The session of the quote at the time when the series was received. */
  readonly day: string | undefined;
  /** The session of the quote now. The basis of an adjustment changes with it (contract 4.2.6). */
  readonly quoteDay: string | undefined;
}): boolean {
  if (ageMs === undefined) return true;
  if (day !== undefined && quoteDay !== undefined && quoteDay > day) return true;
  return ageMs >= (isIntradayRange(range) ? intradayMs : dailyMs);
}

/** Whether the bars of a range are intraday bars. */
export function isIntradayRange(range: RangeCode): range is (typeof intradayCodes)[number] {
  return intradayCodes.some((code) => code === range);
}
