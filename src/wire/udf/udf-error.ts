import type { ErrorResponse } from '../texts/error-texts.ts';

/**
 * An error in the form of the paths below `/udf` (contract 4.15.1). The adapter of the charting library
 * ignores the status. It recognizes an error by `s`, and shows `errmsg` to a person.
 */
export function udfError({ status, body }: ErrorResponse): ErrorResponse {
  const { error } = JSON.parse(body) as { readonly error: string };
  return { status, body: JSON.stringify({ error, s: 'error', errmsg: error }) };
}
