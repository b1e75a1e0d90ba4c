import type { Parsed } from '../../domain/values/problem.ts';
import { parseHttpDate } from '../../lib/time/http-date.ts';
import type { TableFormat } from '../../contract/table-format.ts';
import { errorResponse, problemResponse } from '../../wire/texts/error-texts.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { remembered } from '../../lib/results/remembered.ts';
import { closestTo } from '../../lib/text/closest.ts';
import { knownQuery } from '../../contract/part.ts';
import { Fields, errorDraft, type ResponseDraft, missingNames } from '../handler/response.ts';
import {
  singleOf,
  type Request,
  type Caller,
  type RequestContext,
  type Route,
} from '../handler/request.ts';
import type { Body, Representation } from './body.ts';
import { wantedCodings, requestedFormat } from './negotiation.ts';

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
export type MaybeContent = Parsed<Content> | Promise<Parsed<Content>>;

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
  find(rawQuery: string, format: TableFormat, caller: Caller): MaybeContent;
}

/**
 * The request fields that the representation of a content depends on. The key is not among them: RFC
 * 9110 12.5.5 leaves it out, because a response to one client is never reused for another.
 */
const vary = 'Accept, Accept-Encoding';

const unacceptable = { ...errorDraft(errorResponse('coding-unacceptable')), vary };

/**
 * Answers with a content in the best encoding for a client, or as 304 without a body when the client has stored it
 * already. In that case nothing is rendered or compressed.
 *
 * Sources: RFC 9110 12.5.3, 13.1.2, 13.1.3, 13.2.2, 15.4.5.
 */
function contentDraft(
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

/** The route that answers with the contents of a source, to keys in the header alone by default. */
export function contentRoute(
  source: ContentSource,
  further: Partial<Pick<Route, 'opensToUrlKeys' | 'scope'>> = {},
): Route {
  return {
    scope: 'read',
    ...further,
    method: 'GET',
    path: source.path,
    respond: (context) =>
      respondWith(source.find(knownQueryOf(source, context), 'json', context), context),
  };
}

/**
 * The route that answers with a table, in the format that the query or `Accept` requests (contract
 * 4.5.3 and 4.5.7). Every path that returns rows is such a route: its source renders each format with
 * the columns of one `CsvTable`, and knows nothing of the parameters of the format.
 *
 * A table is what spreadsheets and charts read, so a key in the URL opens it, too, by default (contract 5.5).
 */
export function tableRoute(
  source: ContentSource,
  further: Pick<Route, 'opensToUrlKeys'> = { opensToUrlKeys: true },
): Route {
  return {
    ...further,
    method: 'GET',
    path: source.path,
    scope: 'read',
    respond: (context) => {
      const { request, head } = context;
      const accept = singleOf(request.headers['accept']);
      const format = (head.derived.tableFormat ??= requestedFormat(head.query, accept));
      if (!format.ok) return errorDraft(problemResponse(format.problem));
      return respondWith(
        source.find(knownQueryOf(source, context), format.value, context),
        context,
      );
    },
  };
}

/** What a query says to a source. */
function knownQueryOf(
  { parameters }: Pick<ContentSource, 'parameters'>,
  { head: { query, derived } }: RequestContext,
): string {
  return query === '' ? query : (derived.knownQuery ??= knownQuery(query, parameters));
}

function respondWith(
  found: MaybeContent,
  context: RequestContext,
): ResponseDraft | Promise<ResponseDraft> {
  return found instanceof Promise
    ? found.then((later) => foundDraft(later, context))
    : foundDraft(found, context);
}

function foundDraft(
  found: Parsed<Content>,
  context: RequestContext,
): ResponseDraft | Promise<ResponseDraft> {
  return found.ok ? contentDraft(found.value, context) : errorDraft(problemResponse(found.problem));
}

/** Maximum number of unknown tickers of a response for which a similar one is looked up. */
const suggestedMax = 5;

/** Maximum number of tickers whose suggestion is remembered: a client repeats its mistake. */
const rememberedMax = 1_000;

/** Maximum length of a text that may be a mistyped ticker, in characters. */
const tickerCharsMax = 40;

/** Adds the tickers that were probably meant to a response that names unknown ones (contract 4.1.5). */
export class TickerSuggestions {
  readonly #universe: Universe;
  /** The ticker that is probably meant. */
  readonly #meantBy: (name: string) => string | undefined;

  constructor(universe: Universe) {
    this.#universe = universe;
    const tickers = universe.instruments.map(({ ticker }) => ticker);
    this.#meantBy = remembered(rememberedMax, (name) => closestTo(name, tickers));
  }

  /** A source whose responses have suggestions. */
  of(source: ContentSource): ContentSource {
    const { path, parameters } = source;
    return {
      path,
      parameters,
      find: (...asked) => {
        const found = source.find(...asked);
        return found instanceof Promise
          ? found.then((later) => this.#added(later))
          : this.#added(found);
      },
    };
  }

  #added(found: Parsed<Content>): Parsed<Content> {
    if (!found.ok || found.value.fields === Fields.none) return found;
    const { fields } = found.value;
    const at = fields.list.indexOf('missing-especies');
    if (at === -1) return found;
    const suggested = missingNames({
      'suggested-especies': this.#suggestions(fields.list[at + 1] ?? ''),
    });
    if (suggested === Fields.none) return found;
    const both = new Fields([...fields.list, ...suggested.list]);
    return { ok: true, value: { ...found.value, fields: both } };
  }

  #suggestions(header: string): readonly string[] {
    const unknown = header
      .split(',')
      .map((name) => decodeURIComponent(name))
      .filter((name) => name.length <= tickerCharsMax && this.#universe.find(name) === undefined);
    const meant = unknown.slice(0, suggestedMax).flatMap((name) => this.#meantBy(name) ?? []);
    return [...new Set(meant)];
  }
}
