import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

import type { Parsed } from '../../domain/values/problem.ts';
import { parseHttpDate } from '../../lib/time/http-date.ts';
import {
  csvType,
  parseFormatParams,
  type FormatName,
  type TableFormat,
} from '../../contract/table-format.ts';
import { errorResponse } from '../../wire/texts/error-texts.ts';
import { errorDraft, jsonType, type Fields, type ResponseDraft } from '../handler/response.ts';
import { singleOf, type Request, type RequestContext } from '../handler/request.ts';
import { allCodings, type Body, type Coding, type Representation } from './body.ts';

/** A body, and what its responses say besides what the body says itself. */
export interface Content {
  readonly body: Body;
  /** Fields of the response. A 304 has them as well. */
  readonly fields: Fields;
  /** When it last changed, in epoch milliseconds and whole seconds, where that is known. */
  readonly lastModified?: number | undefined;
  /** The request fields that the response depends on. */
  readonly vary: string;
}

/**
 * The date of what was read at an instant, both in epoch milliseconds: the end of its second, as an HTTP date has
 * whole seconds. Until it has passed, what was read may still change, and has no date.
 */
export function lastModifiedOf(readAt: number): number {
  return (Math.floor(readAt / 1000) + 1) * 1000;
}

/**
 * The request fields that the responses of all paths depend on. `Authorization` is not among them: RFC 9110 12.5.5
 * leaves it out, because a cache never reuses the response to one key for another.
 */
export const varyOfAnswers = 'Accept, Accept-Encoding';

const unacceptable = errorDraft(errorResponse('coding-unacceptable'));

/**
 * Answers with a content in the best encoding for a client, or as 304 without a body when the client has stored it
 * already. In that case nothing is rendered or compressed.
 *
 * Sources: RFC 9110 12.5.3, 13.1.2, 13.1.3, 13.2.2, 15.4.5.
 */
export function contentDraft(
  content: Content,
  { request, now }: RequestContext,
): ResponseDraft | Promise<ResponseDraft> {
  const { body } = content;
  const codings = wantedCodings(singleOf(request.headers['accept-encoding']));
  const ifNoneMatch = singleOf(request.headers['if-none-match']);
  if (ifNoneMatch !== undefined) {
    const tag = body.pickStored(ifNoneMatch, codings);
    if (tag !== undefined) return unchangedDraft(tag, content);
  }
  const representation = body.pick(codings);
  if (representation !== undefined) {
    // The date counts only if the client sent no tag. A date names no encoding, so it applies to each.
    return ifNoneMatch === undefined && isNoNewer(content, request, now)
      ? unchangedDraft(body.tagIn(representation.coding), content)
      : wholeDraft(representation, content);
  }
  const [coding] = codings;
  if (coding === undefined || coding === 'identity') {
    return { ...unacceptable, vary: content.vary };
  }
  // No form that exists is acceptable.
  return body.make(coding).then((made) => wholeDraft(made, content));
}

/**
 * Whether a content is no newer than the date in `If-Modified-Since`. The field is ignored unless it is one valid date
 * that is not in the future.
 */
function isNoNewer({ lastModified }: Content, request: Request, now: number): boolean {
  const sent = singleOf(request.headers['if-modified-since']);
  if (lastModified === undefined || sent === undefined) return false;
  if (request.count('if-modified-since') !== 1) return false;
  // A two-digit year is read relative to the present.
  const since = parseHttpDate(sent, now);
  return since !== undefined && lastModified <= since && since <= now;
}

function wholeDraft({ fields, parts }: Representation, content: Content): ResponseDraft {
  return { status: 200, fields: [fields, content.fields], body: parts, vary: content.vary };
}

function unchangedDraft(tag: Fields, content: Content): ResponseDraft {
  return { status: 304, fields: [tag, content.fields], body: [], vary: content.vary };
}

/** Limits of what is rendered, and of the memory for it. */
export interface ContentLimits {
  /** Maximum number of tickers in one request. More get 400. */
  readonly tickersMax: number;
  /**
   * Maximum memory for the responses of all paths and for what they are made of, such as rendered series, in bytes.
   * Beyond it, the least recently used is evicted and rendered again when it is needed.
   */
  readonly responsesBytesMax: number;
  /**
   * Maximum number of rows of one response of `/historicos` with `forma`, or of dates multiplied by
   * instruments, and of bars of `/udf/history`. More get 400.
   */
  readonly historyRowsMax: number;
}

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
const wantedCodings = remember(
  (acceptEncoding): readonly Coding[] => {
    const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
    return (negotiator as CodingNegotiator).encodings(allCodings, { preferred: allCodings });
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
