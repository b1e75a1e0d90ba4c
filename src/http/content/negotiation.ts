import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

import type { Parsed } from '../../domain/values/problem.ts';
import { csvType } from '../../wire/texts/csv-text.ts';
import {
  parseFormatParams,
  type FormatName,
  type TableFormat,
} from '../../contract/table-format.ts';
import { jsonType } from '../handler/response.ts';

/** The supported content encodings, best first where the client has no preference. */
export type Coding = 'br' | 'zstd' | 'gzip' | 'identity';
const codings: readonly Coding[] = ['br', 'zstd', 'gzip', 'identity'];

/** The media type of a table in a format. */
export function mediaTypeOf(format: TableFormat): string {
  return typesByFormat[format === 'csv-comma' ? 'csv' : format];
}

/**
 * The format that a client requests of a table (contract 4.5.3 and 4.5.7): that of the query, else the
 * one that the `Accept` field prefers.
 */
export function requestedFormat(rawQuery: string, accept: string | undefined): Parsed<TableFormat> {
  const params = parseFormatParams(rawQuery);
  if (!params.ok) return params;
  const { format = wantedFormat(accept), csvStyle } = params.value;
  return { ok: true, value: format === 'csv' ? csvStyle : format };
}

/** The media type of each format, the preferred one first: the wildcard gets JSON. */
const typesByFormat: Readonly<Record<FormatName, string>> = {
  json: jsonType,
  csv: csvType,
  ndjson: 'application/x-ndjson; charset=utf-8',
};
const formatsByType = new Map(
  Object.entries(typesByFormat).map(([format, type]) => [type, format as FormatName]),
);
const mediaTypes = [...formatsByType.keys()];

/** Limits of the remembered header values. Few are in use, but a client may send any. */
const keptHeadersMax = 256;
const keptHeaderLengthMax = 256;

/**
 * The format that an `Accept` field prefers (RFC 9110 12.5.1). It is JSON without the field, for the
 * wildcard, and where no format is acceptable: the contract has no 406 for this case.
 */
const wantedFormat = remember((accept): FormatName => {
  const [best] = new Negotiator({ headers: { accept } }).mediaTypes(mediaTypes);
  return formatsByType.get(best ?? '') ?? 'json';
}, 'json');

/**
 * The supported encodings that an `Accept-Encoding` field accepts, best first (RFC 9110 12.5.3). The
 * list is empty if it accepts none of them, not even `identity`.
 */
export const wantedCodings = remember(
  (acceptEncoding): readonly Coding[] => {
    const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
    return (negotiator as CodingNegotiator).encodings(codings, { preferred: codings });
  },
  ['identity'],
);

/** A method of `negotiator` that its published types lack. */
interface CodingNegotiator {
  encodings(
    available: readonly Coding[],
    options: { readonly preferred: readonly Coding[] },
  ): Coding[];
}

/** Parses each header value once, as long as it is among the latest. */
function remember<T extends {}>(
  read: (header: string) => T,
  whenAbsent: T,
): (header: string | undefined) => T {
  const known = new LRUCache<string, T>({ max: keptHeadersMax });
  return (header) => {
    if (header === undefined) return whenAbsent;
    const held = known.get(header);
    if (held !== undefined) return held;
    const value = read(header);
    if (header.length <= keptHeaderLengthMax) known.set(header, value);
    return value;
  };
}
