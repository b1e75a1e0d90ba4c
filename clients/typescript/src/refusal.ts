import { PizarraHttpError } from './errors.ts';
import { parseRateLimit, parseRetryAfter } from './response-notes.ts';

/** The error of a response that is not a success. Reads its body. */
export async function refusalOf(response: Response, url: string): Promise<PizarraHttpError> {
  const { status, headers } = response;
  return new PizarraHttpError({
    status,
    text: textOf(await response.text()),
    retryAfter: parseRetryAfter(headers.get('retry-after'), Date.now()),
    rateLimit: parseRateLimit(headers.get('ratelimit-policy'), headers.get('ratelimit')),
    url,
  });
}

/** The text of the service in an error body. A proxy may send any other body. */
function textOf(body: string): string {
  try {
    const { error } = JSON.parse(body) as { readonly error?: unknown };
    return typeof error === 'string' ? error : '';
  } catch {
    return '';
  }
}
