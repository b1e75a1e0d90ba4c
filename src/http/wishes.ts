import type { IncomingMessage } from 'node:http';

import { parseHttpDate } from '../lib/http-date.ts';
import { wantedCodings } from './negotiation.ts';
import type { Coding } from './negotiation.ts';

/** Which representations are of use to the client of a request. */
export interface Wishes {
  /** Best first. */
  readonly codings: readonly Coding[];
  readonly ifNoneMatch: string | undefined;
  /** In epoch milliseconds; undefined where the header is to be ignored. */
  readonly ifModifiedSince: number | undefined;
}

/** The header fields that the wishes of a client are read from. */
interface WishFields {
  readonly 'accept-encoding'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
  readonly 'if-modified-since'?: string | undefined;
}

/**
 * Reads the wishes of a client. `If-Modified-Since` is ignored unless it is one valid date.
 *
 * Source: RFC 9110 13.1.3.
 */
export function readWishes(fields: WishFields, now: number): Wishes {
  const since = fields['if-modified-since'];
  return {
    codings: wantedCodings(fields['accept-encoding']),
    ifNoneMatch: fields['if-none-match'],
    ifModifiedSince: since === undefined ? undefined : parseHttpDate(since, now),
  };
}

/** As {@link readWishes}. Of a header that came twice, Node gives the first. */
export function wishesOf({ headers, rawHeaders }: IncomingMessage, now: number): Wishes {
  const wishes = readWishes(headers, now);
  if (wishes.ifModifiedSince === undefined) return wishes;
  const dates = rawHeaders.filter(
    (name, at) => at % 2 === 0 && name.toLowerCase() === 'if-modified-since',
  );
  return dates.length === 1 ? wishes : { ...wishes, ifModifiedSince: undefined };
}
