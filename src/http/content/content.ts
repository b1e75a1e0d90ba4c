import type { Parsed } from '../../domain/values/problem.ts';
import { parseHttpDate } from '../../lib/time/http-date.ts';
import type { TableFormat } from '../../contract/table-format.ts';
import { errorResponse } from '../../wire/texts/error-texts.ts';
import type { Fields } from '../handler/fields.ts';
import { singleOf, type Request } from '../handler/request.ts';
import { draftOf, type ResponseDraft } from '../handler/response-draft.ts';
import type { Caller, Visit } from '../handler/visit.ts';
import type { Body, Representation } from './body.ts';
import { wantedCodings } from './negotiation.ts';

/** A body, and what its responses say besides what the body says itself. */
export interface Content {
  readonly body: Body;
  /** Fields of the response. A 304 has them as well. */
  readonly fields: Fields;
  /** When it last changed, in epoch milliseconds and whole seconds, where that is known. */
  readonly lastModified?: number | undefined;
}

/**
 * The date of what was read at an instant, both in epoch milliseconds: the end of its second, as an HTTP date has
 * whole seconds. Until it has passed, what was read may still change, and has no date.
 */
export function lastModifiedOf(readAt: number): number {
  return (Math.floor(readAt / 1000) + 1) * 1000;
}

/** The content that was found, a problem, or a promise of either where it has to be read first. */
export type Found = Parsed<Content> | Promise<Parsed<Content>>;

/** Finds the contents of one path. */
export interface ContentSource {
  /** Without the base path. */
  readonly path: string;
  /** The names of the parameters that it reads. Others are no part of the query. */
  readonly parameters: readonly string[];
  /**
   * The content that a query requests, in a format. Its parameters are as sent. `formato` and `decimal` are not among
   * them.
   */
  find(rawQuery: string, format: TableFormat, caller: Caller): Found;
}

/**
 * The request fields that the representation of a content depends on. The key is not among them: RFC
 * 9110 12.5.5 leaves it out, because a response to one client is never reused for another.
 */
const vary = 'Accept, Accept-Encoding';

const unacceptable = { ...draftOf(errorResponse('coding-unacceptable')), vary };

/**
 * Answers with a content in the best encoding for a client, or as 304 without a body when the client has stored it
 * already. In that case nothing is rendered or compressed.
 *
 * Sources: RFC 9110 12.5.3, 13.1.2, 13.1.3, 13.2.2, 15.4.5.
 */
export function contentDraft(
  content: Content,
  { request, now }: Visit,
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
  if (coding === undefined || coding === 'identity') return unacceptable;
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
  return { status: 200, fields: [fields, content.fields], body: parts, vary };
}

function unchangedDraft(tag: Fields, content: Content): ResponseDraft {
  return { status: 304, fields: [tag, content.fields], body: [], vary };
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
