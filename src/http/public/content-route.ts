import type { Parsed } from '../../domain/values/problem.ts';
import { knownQuery } from '../../wire/params/query-text.ts';
import { problemResponse } from '../../wire/texts/error-texts.ts';
import { contentDraft } from '../content/content-draft.ts';
import type { Content, ContentSource, Found, TableSource } from '../content/content.ts';
import { requestedFormat } from '../content/negotiation.ts';
import { draftOf } from '../handler/response-draft.ts';
import type { ResponseDraft } from '../handler/response-draft.ts';
import { singleOf } from '../handler/request.ts';
import type { Route } from '../handler/visit.ts';
import type { Visit } from '../handler/visit.ts';

/** The route that answers with the contents of a source, to keys in the header alone by default. */
export function contentRoute(
  source: ContentSource,
  further: Pick<Route, 'opensToUrlKeys'> = {},
): Route {
  return {
    ...further,
    method: 'GET',
    path: source.path,
    scope: 'read',
    respond: (visit) => respondWith(source.find(queryOf(source, visit), visit), visit),
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
  source: TableSource,
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
