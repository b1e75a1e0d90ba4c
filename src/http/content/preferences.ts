import { parseHttpDate } from '../../lib/time/http-date.ts';
import { singleOf, type Request } from '../handler/request.ts';
import { wantedCodings, type Coding } from './negotiation.ts';

/** What a client accepts and what it has already. */
export interface Preferences {
  /** Best first. */
  readonly codings: readonly Coding[];
  readonly ifNoneMatch: string | undefined;
  /** In epoch milliseconds; undefined where the field is to be ignored. */
  readonly ifModifiedSince: number | undefined;
}

/**
 * Reads the preferences and preconditions of a client. `If-Modified-Since` is ignored unless it is one valid date and there is
 * no `If-None-Match`.
 *
 * @param now in epoch milliseconds; a two-digit year is read relative to it.
 *
 * Source: RFC 9110 13.1.3.
 */
export function readPreferences(
  request: Pick<Request, 'headers' | 'count'>,
  now: number,
): Preferences {
  const { headers } = request;
  const ifNoneMatch = singleOf(headers['if-none-match']);
  const since = singleOf(headers['if-modified-since']);
  const isDateRead =
    since !== undefined && ifNoneMatch === undefined && request.count('if-modified-since') === 1;
  return {
    codings: wantedCodings(singleOf(headers['accept-encoding'])),
    ifNoneMatch,
    ifModifiedSince: isDateRead ? parseHttpDate(since, now) : undefined,
  };
}
