import type { Parsed } from '../../domain/values/problem.ts';
import { problemAnswer } from '../../wire/texts/error-texts.ts';
import { contentAnswer } from '../content/content-answer.ts';
import type { Content, ContentSource, Found, TableSource } from '../content/content.ts';
import { requestedFormat } from '../content/negotiation.ts';
import { errorToAnswer } from '../exchange/answer.ts';
import type { Answer } from '../exchange/answer.ts';
import { singleOf } from '../exchange/request.ts';
import type { Route } from '../exchange/visit.ts';
import type { Visit } from '../exchange/visit.ts';

/** The route that answers with the contents of a source. */
export function contentRoute(source: ContentSource): Route {
  return {
    method: 'GET',
    path: source.path,
    scope: 'read',
    answer: (visit) => answerOf(source.find(visit.reading.query), visit),
  };
}

/**
 * The route that answers with a table, in the format that the query or `Accept` requests (contract
 * 4.5.3 and 4.5.7). Every path that returns rows is such a route: its source renders each format with
 * the columns of one `CsvTable`, and knows nothing of the parameters of the format.
 */
export function tableRoute(source: TableSource): Route {
  return {
    method: 'GET',
    path: source.path,
    scope: 'read',
    answer: (visit) => {
      const { request, reading } = visit;
      const accept = singleOf(request.headers['accept']);
      const format = (reading.derived.tableFormat ??= requestedFormat(reading.query, accept));
      if (!format.ok) return errorToAnswer(problemAnswer(format.problem));
      return answerOf(source.find(reading.query, format.value), visit);
    },
  };
}

function answerOf(found: Found, visit: Visit): Answer | Promise<Answer> {
  return found instanceof Promise
    ? found.then((later) => foundAnswer(later, visit))
    : foundAnswer(found, visit);
}

function foundAnswer(found: Parsed<Content>, visit: Visit): Answer | Promise<Answer> {
  return found.ok ? contentAnswer(found.value, visit) : errorToAnswer(problemAnswer(found.problem));
}
