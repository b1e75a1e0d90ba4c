import type { RatePlanTable, RatePlans, RatePolicy } from '../auth/rate-plans.ts';
import type { ApiKeyRecord } from '../domain/api-key.ts';
import { refillMs } from '../domain/rate-limit.ts';
import type { RateLimit } from '../domain/rate-limit.ts';
import { addressGroup } from '../lib/address-group.ts';
import { TokenBuckets } from '../lib/token-buckets.ts';
import type { BucketLimit, Draw } from '../lib/token-buckets.ts';
import { rateLimitField, ratePolicyField } from '../wire/rate-limit-fields.ts';
import type { ErrorBody } from './answer.ts';
import { RateRefusals } from './rate-refusal.ts';

/** Keys whose buckets are kept, about 200 bytes each; the one that asked longest ago is forgotten. */
const keyBucketsMax = 100_000;

/**
 * Groups of addresses whose failures are kept, about 200 bytes each; the one that failed longest ago
 * is forgotten. Whoever commands more addresses than that is not stopped by counting addresses.
 */
const addressBucketsMax = 20_000;

/** The name under which clients are told of the limit on failures. */
const failuresName = 'failures';

/** Whether a client may go on, and what it is told of its limit. */
export interface Admission {
  /** The names of the fields and their values, in turn; every answer has them. */
  readonly headers: readonly string[];
  /** What it is answered instead, when it has asked too much. */
  readonly refusal: ErrorBody | undefined;
}

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
  readonly #keyRefusals = new RateRefusals('rate-exceeded');
  readonly #failureRefusals = new RateRefusals('failures-exceeded');
  #failures: Gauge | undefined;

  /** @param failures most failures of an address; undefined for as many as it likes. */
  constructor({
    plans,
    failures,
  }: {
    readonly plans: RatePlans;
    readonly failures?: RateLimit | undefined;
  }) {
    this.#plans = plans;
    this.#failures = failuresGauge(failures);
  }

  /** From now on these limits hold. What clients have used up stays used up. */
  replace(table: RatePlanTable, failures: RateLimit | undefined): void {
    this.#plans.replace(table);
    this.#failures = failuresGauge(failures);
  }

  /** Requests that were refused so far. */
  get refused(): { readonly keys: number; readonly addresses: number } {
    return { keys: this.#keyRefusals.count, addresses: this.#failureRefusals.count };
  }

  /** Keys and groups of addresses that are remembered. */
  get remembered(): { readonly keys: number; readonly addresses: number } {
    return { keys: this.#keys.size, addresses: this.#addresses.size };
  }

  /** Counts a request with a valid key; undefined where the key has no limit. */
  admitKey(key: ApiKeyRecord, now: number): Admission | undefined {
    const policy = this.#plans.policyOf(key);
    if (policy === undefined) return undefined;
    const gauge = this.#gaugeOf(policy);
    const family = key.family ?? key.id;
    const draw = this.#keys.draw(family, gauge.limit, now);
    return admission(gauge, draw, this.#keyRefusals);
  }

  /**
   * Counts a failure of an address, in the same way. One that is admitted is told why it failed.
   */
  admitFailure(address: string, now: number): Admission | undefined {
    const gauge = this.#failures;
    if (gauge === undefined) return undefined;
    const group = addressGroup(address);
    const draw = this.#addresses.draw(group, gauge.limit, now);
    return admission(gauge, draw, this.#failureRefusals);
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

function failuresGauge(limit: RateLimit | undefined): Gauge | undefined {
  return limit === undefined ? undefined : gaugeOf(failuresName, limit);
}

function admission({ name, policyField }: Gauge, draw: Draw, refusals: RateRefusals): Admission {
  return {
    headers: ['ratelimit-policy', policyField, 'ratelimit', rateLimitField(name, draw)],
    refusal: draw.ok ? undefined : refusals.make(draw.retryMs),
  };
}
