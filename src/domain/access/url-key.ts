import type { ApiKeyRecord } from './api-key.ts';
import { endOfExpiryDay, expiryDayOf } from './expiry-day.ts';

/** Maximum number of days from today until the last day on which a key for URLs is valid. */
const urlKeyDaysMax = 366;

/**
 * Why a key may not have an expiry and a limit, as a sentence for the operator; undefined when it may.
 *
 * A URL is stored in more places than a header, so a key for URLs leaks more easily. It expires within
 * {@link urlKeyDaysMax} days, and it is always limited (contract 5.5). Other keys may have any expiry and limit.
 *
 * @param now in epoch milliseconds.
 */
export function urlKeyFault(
  { scope, expiresAt, limit }: Pick<ApiKeyRecord, 'scope' | 'expiresAt' | 'limit'>,
  now: number,
): string | undefined {
  if (scope !== 'url') return undefined;
  if (limit === 'unlimited') {
    return 'A key for URLs always has a limit. Give one such as "60/min burst 30".';
  }
  if (expiresAt !== undefined && expiresAt <= endOfExpiryDay(lastDay(now))) return undefined;
  const problem =
    expiresAt === undefined ? 'A key for URLs needs an expiry.' : 'The expiry is too late.';
  return `${problem} Give a day at most ${urlKeyDaysMax} days from today (until ${lastDay(now).toString()}).`;
}

/** The last day that may be given as the expiry. */
function lastDay(now: number): Temporal.PlainDate {
  return expiryDayOf(now).add({ days: urlKeyDaysMax });
}
