import type { Parsed } from '../../domain/problem.ts';
import { problemAnswer } from '../../wire/error-texts.ts';
import { contentAnswer } from '../content/content-answer.ts';
import type { Content, ContentSource } from '../content/content.ts';
import { wantedFormat } from '../content/negotiation.ts';
import { errorToAnswer } from '../exchange/answer.ts';
import type { Answer } from '../exchange/answer.ts';
import { singleOf } from '../exchange/request.ts';
import type { Route } from '../exchange/route.ts';
import type { Visit } from '../exchange/visit.ts';

/** The route that answers with the contents of a source. */
export function contentRoute(source: ContentSource): Route {
  return {
    method: 'GET',
    path: source.path,
    scope: 'read',
    answer: (visit) => {
      const format = wantedFormat(singleOf(visit.request.headers['accept']));
      const found = source.find(visit.reading.query, format);
      return found instanceof Promise
        ? found.then((later) => foundAnswer(later, visit))
        : foundAnswer(found, visit);
    },
  };
}

function foundAnswer(found: Parsed<Content>, visit: Visit): Answer | Promise<Answer> {
  return found.ok ? contentAnswer(found.value, visit) : errorToAnswer(problemAnswer(found.problem));
}
