import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

import { csvType } from '../../wire/csv-text.ts';
import { jsonType } from '../exchange/answer.ts';

/** The forms in which an answer can be had. */
export type BodyFormat = 'json' | 'csv';

/** The content codings that are served, best first where the client has no preference. */
export type Coding = 'br' | 'zstd' | 'gzip' | 'identity';
const codings: readonly Coding[] = ['br', 'zstd', 'gzip', 'identity'];

/** The media type of each format, the preferred one first: so the wildcard gets JSON. */
const formatsByType: ReadonlyMap<string, BodyFormat> = new Map([
  [jsonType, 'json'],
  [csvType, 'csv'],
]);
const mediaTypes = [...formatsByType.keys()];

/** The texts of headers are few in practice, and a client may still send what it likes. */
const keptHeadersMax = 256;
const keptHeaderLengthMax = 256;

/**
 * The format that an `Accept` header asks for (RFC 9110 12.5.1). JSON when there is none, for the
 * wildcard, and also where neither format is acceptable: the contract names no 406, and an answer
 * that can be read is better than none.
 */
export const wantedFormat = remember((accept): BodyFormat => {
  const [best] = new Negotiator({ headers: { accept } }).mediaTypes(mediaTypes);
  return formatsByType.get(best ?? '') ?? 'json';
}, 'json');

/**
 * The codings that an `Accept-Encoding` header accepts, best first (RFC 9110 12.5.3). None when it
 * accepts none that is served, not even `identity`.
 */
export const wantedCodings = remember(
  (acceptEncoding): readonly Coding[] => {
    const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
    return (negotiator as CodingNegotiator).encodings(codings, { preferred: codings });
  },
  ['identity'],
);

/** What `negotiator` does and its published types do not know yet. */
interface CodingNegotiator {
  encodings(
    available: readonly Coding[],
    options: { readonly preferred: readonly Coding[] },
  ): Coding[];
}

/** Reads each text of a header once, for as long as it is among the latest. */
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
