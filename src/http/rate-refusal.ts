import { errorAnswer } from '../wire/error-texts.ts';
import { retryAfterSeconds } from '../wire/rate-limit-fields.ts';
import { errorBody } from './answer.ts';
import type { ErrorBody } from './answer.ts';

/** Builds 429 responses at little cost: the body is rendered once for each time to wait. */
export class RateRefusals {
  readonly #name: 'rate-exceeded' | 'failures-exceeded';
  /** Clients that do not wait get the same response for a second at a time, so the last one will do. */
  #last: { readonly seconds: number; readonly body: ErrorBody } | undefined;
  #count = 0;

  constructor(name: 'rate-exceeded' | 'failures-exceeded') {
    this.#name = name;
  }

  /** Refusals so far. */
  get count(): number {
    return this.#count;
  }

  /** @param retryMs how long the client is to wait, in milliseconds. */
  make(retryMs: number): ErrorBody {
    this.#count += 1;
    const seconds = retryAfterSeconds(retryMs);
    if (this.#last?.seconds === seconds) return this.#last.body;
    const { parts, headers } = errorBody(errorAnswer(this.#name, { seconds }));
    const body = { parts, headers: [...headers, 'retry-after', String(seconds)] };
    this.#last = { seconds, body };
    return body;
  }
}
