import type { Universe } from '../../domain/instruments/universe.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import { remembered } from '../../lib/results/remembered.ts';
import { closestTo } from '../../lib/text/closest.ts';
import { knownQuery } from '../../wire/params/query-text.ts';
import { problemResponse } from '../../wire/texts/error-texts.ts';
import { contentDraft, type Content, type ContentSource, type Found } from '../content/content.ts';
import { requestedFormat } from '../content/negotiation.ts';
import { Fields } from '../handler/fields.ts';
import { draftOf, missingNames, type ResponseDraft } from '../handler/response-draft.ts';
import { singleOf } from '../handler/request.ts';
import type { Route } from '../handler/visit.ts';
import type { Visit } from '../handler/visit.ts';

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
    respond: (visit) => respondWith(source.find(queryOf(source, visit), 'json', visit), visit),
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
    respond: (visit) => {
      const { request, reading } = visit;
      const accept = singleOf(request.headers['accept']);
      const format = (reading.derived.tableFormat ??= requestedFormat(reading.query, accept));
      if (!format.ok) return draftOf(problemResponse(format.problem));
      return respondWith(source.find(queryOf(source, visit), format.value, visit), visit);
    },
  };
}

/** What a query says to a source. */
function queryOf(
  { parameters }: Pick<ContentSource, 'parameters'>,
  { reading: { query, derived } }: Visit,
): string {
  return query === '' ? query : (derived.knownQuery ??= knownQuery(query, parameters));
}

function respondWith(found: Found, visit: Visit): ResponseDraft | Promise<ResponseDraft> {
  return found instanceof Promise
    ? found.then((later) => foundDraft(later, visit))
    : foundDraft(found, visit);
}

function foundDraft(found: Parsed<Content>, visit: Visit): ResponseDraft | Promise<ResponseDraft> {
  return found.ok ? contentDraft(found.value, visit) : draftOf(problemResponse(found.problem));
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
