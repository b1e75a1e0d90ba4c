import type { FastifyReply } from 'fastify';

import type { RatePlans, RatePolicy } from '../auth/rate-plans.ts';
import type { ApiKeyRecord } from '../domain/api-key.ts';
import { refillMs } from '../domain/rate-limit.ts';
import type { RateLimit } from '../domain/rate-limit.ts';
import { addressGroup } from '../lib/address-group.ts';
import { TokenBuckets } from '../lib/token-buckets.ts';
import type { BucketLimit, Draw } from '../lib/token-buckets.ts';
import { errorAnswer } from '../wire/error-texts.ts';
import type { ErrorAnswer } from '../wire/error-texts.ts';
import { rateLimitField, ratePolicyField, retryAfterSeconds } from '../wire/rate-limit-fields.ts';
import { sendError } from './answer.ts';

/** Keys whose buckets are kept, about 200 bytes each; the one that asked longest ago is forgotten. */
const keyBucketsMax = 100_000;

/**
 * Groups of addresses whose failures are kept, about 200 bytes each; the one that failed longest ago
 * is forgotten. Whoever commands more addresses than that is not stopped by counting addresses.
 */
const addressBucketsMax = 20_000;

/** The name under which clients are told of the limit on failures. */
const failuresName = 'failures';

/** A policy, with all that can be made of it beforehand. */
interface Gauge {
  readonly name: string;
  readonly limit: BucketLimit;
  readonly policyField: string;
}

/**
 * How much clients may ask for, and what they are told of it: the requests of each key, as its plan
 * says, and the failures of each address. Every answer to a limited client carries the two fields of
 * draft-ietf-httpapi-ratelimit-headers-11; to an unlimited one there is nothing to tell.
 *
 * A failure is a request without a key that holds. Failures take nothing from the keys of the same
 * address: a request with a key that holds never meets the limit on failures. What keeps a key from
 * being guessed is its 178 bits; the limit keeps the guessing cheap for us.
 *
 * It is shared by all servers of a process, and outlives them. Buckets are in memory only: a restart
 * fills them.
 */
export class RateLimits {
  readonly #plans: RatePlans;
  readonly #keys = new TokenBuckets({ bucketsMax: keyBucketsMax });
  readonly #addresses = new TokenBuckets({ bucketsMax: addressBucketsMax });
  readonly #gauges = new WeakMap<RatePolicy, Gauge>();
  readonly #failures: Gauge | undefined;

  /** @param failures most failures of an address; undefined for as many as it likes. */
  constructor({
    plans,
    failures,
  }: {
    readonly plans: RatePlans;
    readonly failures?: RateLimit | undefined;
  }) {
    this.#plans = plans;
    this.#failures = failures === undefined ? undefined : gaugeOf(failuresName, failures);
  }

  /** Keys and groups of addresses that are remembered. */
  get remembered(): { readonly keys: number; readonly addresses: number } {
    return { keys: this.#keys.size, addresses: this.#addresses.size };
  }

  /**
   * Counts a request with a valid key, and tells its client in the headers of the reply. Gives true
   * when it may go on; else it has answered 429.
   */
  admitKey(reply: FastifyReply, key: ApiKeyRecord, now: number): boolean {
    const policy = this.#plans.policyOf(key);
    if (policy === undefined) return true;
    const gauge = this.#gaugeOf(policy);
    const draw = this.#keys.draw(key.family ?? key.id, gauge.limit, now);
    tell(reply, gauge, draw);
    return draw.ok || refuse(reply, draw, rateExceeded);
  }

  /**
   * Counts a failure of an address, in the same way. Gives true when the client may learn why it
   * failed; else it has answered 429.
   */
  admitFailure(reply: FastifyReply, address: string, now: number): boolean {
    const gauge = this.#failures;
    if (gauge === undefined) return true;
    const draw = this.#addresses.draw(addressGroup(address), gauge.limit, now);
    tell(reply, gauge, draw);
    return draw.ok || refuse(reply, draw, failuresExceeded);
  }

  #gaugeOf(policy: RatePolicy): Gauge {
    const known = this.#gauges.get(policy);
    if (known !== undefined) return known;
    const gauge = gaugeOf(policy.name, policy.limit);
    this.#gauges.set(policy, gauge);
    return gauge;
  }
}

function gaugeOf(name: string, limit: RateLimit): Gauge {
  return {
    name,
    limit: { burst: limit.burst, refillMs: refillMs(limit) },
    policyField: ratePolicyField(name, limit),
  };
}

function tell(reply: FastifyReply, { name, policyField }: Gauge, draw: Draw): void {
  void reply.header('ratelimit-policy', policyField);
  void reply.header('ratelimit', rateLimitField(name, draw));
}

function refuse(
  reply: FastifyReply,
  { retryMs }: Draw,
  answerIn: (seconds: number) => ErrorAnswer,
): false {
  const seconds = retryAfterSeconds(retryMs);
  void sendError(reply.header('retry-after', String(seconds)), answerIn(seconds));
  return false;
}

function rateExceeded(seconds: number): ErrorAnswer {
  return errorAnswer('rate-exceeded', { seconds });
}

function failuresExceeded(seconds: number): ErrorAnswer {
  return errorAnswer('failures-exceeded', { seconds });
}
