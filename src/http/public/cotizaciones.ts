import { quoteParameters } from '../../wire/params/quote-params.ts';
import type { TableSource } from '../content/content.ts';
import type { QuoteResponses } from '../content/quote-responses.ts';

/** The latest quotes of a selection (contract 4.1), from memory. */
export function cotizaciones(responses: QuoteResponses): TableSource {
  return {
    path: '/cotizaciones',
    parameters: quoteParameters,
    find: (rawQuery, format) => {
      const response = responses.find(rawQuery);
      return response.ok ? { ok: true, value: response.value.current(format) } : response;
    },
  };
}
