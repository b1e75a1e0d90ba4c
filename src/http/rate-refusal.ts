import { TokenBuckets } from '../lib/token-buckets.ts';
import { errorAnswer } from '../wire/error-texts.ts';
import { retryAfterSeconds } from '../wire/rate-limit-fields.ts';
import { errorBody } from './answer.ts';
import type { ErrorBody } from './answer.ts';

/** How often a client that goes on asking too much has a line in the access log. */
const logPause = { burst: 1, refillMs: 1_000 };

/** Clients of whom it is kept when they last had a line; one that is forgotten has one too many. */
const loggedClientsMax = 10_000;

/** A 429, ready to be written. */
export interface RateRefusal {
  readonly body: ErrorBody;
  /** Whether it is to have a line in the access log. */
  readonly isLogged: boolean;
}

/**
 * Makes answers of 429 for next to nothing: the body is made once for each time to wait, and a client
 * that goes on and on is logged once a second.
 */
export class RateRefusals {
  readonly #name: 'rate-exceeded' | 'failures-exceeded';
  readonly #logged = new TokenBuckets({ bucketsMax: loggedClientsMax });
  /** Clients that do not wait get the same answer for a second at a time, so the last one will do. */
  #last: { readonly seconds: number; readonly body: ErrorBody } | undefined;
  #count = 0;

  constructor(name: 'rate-exceeded' | 'failures-exceeded') {
    this.#name = name;
  }

  /** Refusals so far. */
  get count(): number {
    return this.#count;
  }

  /** @param at who is refused, now, in epoch milliseconds, and how long it is to wait. */
  make(at: {
    readonly client: string;
    readonly now: number;
    readonly retryMs: number;
  }): RateRefusal {
    this.#count += 1;
    return {
      body: this.#bodyFor(retryAfterSeconds(at.retryMs)),
      isLogged: this.#logged.draw(at.client, logPause, at.now).ok,
    };
  }

  #bodyFor(seconds: number): ErrorBody {
    if (this.#last?.seconds === seconds) return this.#last.body;
    const { parts, headers } = errorBody(errorAnswer(this.#name, { seconds }));
    const body = { parts, headers: [...headers, 'retry-after', String(seconds)] };
    this.#last = { seconds, body };
    return body;
  }
}
