import type { RateLimit } from './result.ts';

/** The base of every error that this client throws by itself. An abort throws the reason of its signal. */
export class PizarraError extends Error {
  override readonly name: string = 'PizarraError';
}

/** The service answered with an error. */
export class PizarraHttpError extends PizarraError {
  override readonly name = 'PizarraHttpError';
  /** The HTTP status, such as 400, 401 or 429. */
  readonly status: number;
  /** The text of the service, in Spanish, for people. Empty if a proxy answered in its place. */
  readonly text: string;
  /** When to try again, in seconds. Only with 429 and 503. */
  readonly retryAfter: number | undefined;
  /** The rate limit of the key, if it has one. */
  readonly rateLimit: RateLimit | undefined;
  /** The requested address. It contains no key. */
  readonly url: string;

  constructor(error: {
    readonly status: number;
    readonly text: string;
    readonly retryAfter: number | undefined;
    readonly rateLimit: RateLimit | undefined;
    readonly url: string;
  }) {
    super(`${error.status}${error.text === '' ? '' : `: ${error.text}`} (${error.url})`);
    this.status = error.status;
    this.text = error.text;
    this.retryAfter = error.retryAfter;
    this.rateLimit = error.rateLimit;
    this.url = error.url;
  }
}

/** The service could not be reached, or the connection broke, in every attempt. `cause` has the last failure. */
export class PizarraConnectionError extends PizarraError {
  override readonly name: string = 'PizarraConnectionError';
}

/** The response did not arrive within `timeoutMs`, in any attempt. */
export class PizarraTimeoutError extends PizarraConnectionError {
  override readonly name = 'PizarraTimeoutError';
}

/** A successful response is not what the contract describes: the address is probably another service. */
export class PizarraResponseError extends PizarraError {
  override readonly name = 'PizarraResponseError';
}

/** The statuses after which the same request may succeed later. 502 and 504 come from proxies. */
const temporary = new Set([408, 429, 502, 503, 504]);

/** Whether the same request may succeed later. */
export function isTemporary(error: PizarraError): boolean {
  if (error instanceof PizarraHttpError) return temporary.has(error.status);
  return error instanceof PizarraConnectionError;
}
