import type { ContentSource } from '../content.ts';
import type { QuoteAnswers } from '../quote-answers.ts';

/** The latest quotes of a selection (specification 4.1), from memory. */
export function cotizaciones(answers: QuoteAnswers): ContentSource {
  return {
    path: '/cotizaciones',
    find: (rawQuery, format) => {
      const answer = answers.find(rawQuery);
      return answer.ok ? { ok: true, value: answer.value.current(format) } : answer;
    },
  };
}
