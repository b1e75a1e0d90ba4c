import { errorResponse } from '../../wire/texts/error-texts.ts';
import { retryAfterSeconds } from '../../wire/texts/rate-limit-fields.ts';
import { draftOf, retryAfter, type ResponseDraft } from '../handler/response-draft.ts';

/** Builds 429 answers at little cost: one is rendered for each time to wait. */
export class RateRefusals {
  readonly #name: 'rate-exceeded' | 'failures-exceeded';
  /** Clients that do not wait get the same answer for a second at a time, so the last one is enough. */
  #last: { readonly seconds: number; readonly answer: ResponseDraft } | undefined;
  #count = 0;

  constructor(name: 'rate-exceeded' | 'failures-exceeded') {
    this.#name = name;
  }

  /** The number of refusals. */
  get count(): number {
    return this.#count;
  }

  /** @param retryMs how long the client has to wait, in milliseconds. */
  answer(retryMs: number): ResponseDraft {
    this.#count += 1;
    const seconds = retryAfterSeconds(retryMs);
    if (this.#last?.seconds === seconds) return this.#last.answer;
    const error = errorResponse(this.#name, { seconds });
    const answer = draftOf(error, [retryAfter(seconds)]);
    this.#last = { seconds, answer };
    return answer;
  }
}
