import type { FastifyReply } from 'fastify';

import { TokenBuckets } from '../lib/token-buckets.ts';
import { errorAnswer } from '../wire/error-texts.ts';
import { retryAfterSeconds } from '../wire/rate-limit-fields.ts';
import { jsonType } from './answer.ts';

/** How often a client that goes on asking too much has a line in the access log. */
const logPause = { burst: 1, refillMs: 1_000 };

/** Clients of whom it is kept when they last had a line; one that is forgotten has one too many. */
const loggedClientsMax = 10_000;

/** A body as it is written, with its length in bytes. */
interface Body {
  readonly seconds: number;
  readonly text: string;
  readonly length: string;
}

/**
 * Answers 429, for next to nothing: the body is made once for each time to wait, it is written past
 * the framework's own `send` (what a hook has set on the reply is taken along, and `onSend` hooks are
 * not run), and a client that goes on and on is logged once a second.
 */
export class RateRefusal {
  readonly #name: 'rate-exceeded' | 'failures-exceeded';
  readonly #logged = new TokenBuckets({ bucketsMax: loggedClientsMax });
  /** Clients that do not wait get the same answer for a second at a time, so the last one will do. */
  #last: Body | undefined;
  #count = 0;

  constructor(name: 'rate-exceeded' | 'failures-exceeded') {
    this.#name = name;
  }

  /** Refusals so far. */
  get count(): number {
    return this.#count;
  }

  /** @param at who is refused, now, in epoch milliseconds, and how long it is to wait. */
  send(
    reply: FastifyReply,
    at: { readonly client: string; readonly now: number; readonly retryMs: number },
  ): void {
    this.#count += 1;
    const { seconds, text, length } = this.#bodyFor(retryAfterSeconds(at.retryMs));
    reply.request.isUnlogged = !this.#logged.draw(at.client, logPause, at.now).ok;
    const head = ['content-type', jsonType, 'content-length', length];
    head.push('retry-after', String(seconds));
    for (const [name, value] of Object.entries(reply.getHeaders())) head.push(name, String(value));
    reply.hijack().raw.writeHead(429, head).end(text);
  }

  #bodyFor(seconds: number): Body {
    if (this.#last?.seconds === seconds) return this.#last;
    const { body } = errorAnswer(this.#name, { seconds });
    this.#last = { seconds, text: body, length: String(Buffer.byteLength(body)) };
    return this.#last;
  }
}
