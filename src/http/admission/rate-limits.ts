import type { RatePlanTable, RatePlans, RatePolicy } from '../../auth/rate-plans.ts';
import type { ApiKeyRecord } from '../../domain/access/api-key.ts';
import { partOf, refillMs, type RateLimit } from '../../domain/access/rate-limit.ts';
import { addressGroup } from '../../lib/network/address-group.ts';
import { TokenBuckets, type BucketLimit, type Draw } from '../../lib/network/token-buckets.ts';
import { errorResponse } from '../../wire/texts/error-texts.ts';
import { Fields, type ResponseDraft, errorDraft, retryAfter } from '../handler/response.ts';
import type { RequestContext } from '../handler/request.ts';

/** Maximum number of keys with a bucket, about 200 bytes each. The least recently used is evicted. */
const keyBucketsMax = 100_000;

/**
 * Maximum number of address groups with a bucket, about 200 bytes each. The least recently used is
 * evicted. Counting addresses does not stop a client that has more addresses than this.
 */
const addressBucketsMax = 20_000;

/** The name of the limit on failures in the fields that clients read. */
const failuresName = 'failures';

/**
 * Where the limit of a key applies: at each node separately, or to all nodes together. Then each node enforces
 * an equal part of it.
 */
export type RateLimitScope = 'node' | 'cluster';

/** Whether a client is within its limit, and the fields that report the limit. */
export interface Admission {
  /** Fields of every response to a limited client. */
  readonly fields: Fields;
  /** The answer to a client over its limit. */
  readonly refusal: ResponseDraft | undefined;
}

/** A policy, with all that is computed once. */
interface Gauge {
  readonly name: string;
  readonly limit: BucketLimit;
  readonly policyField: string;
}

/**
 * The limits of clients: the requests of each key, by its plan, and the failures of each address. Every
 * response to a limited client carries the two fields of draft-ietf-httpapi-ratelimit-headers-11. An
 * unlimited client gets none.
 *
 * A failure is a request without a valid key. A request with a valid key never meets the limit on
 * failures, whatever others do from the same address. Keys cannot be guessed, because they have 178
 * random bits; the limit keeps attempts cheap for the service. Each node answers them by itself, so the limit
 * on failures is never divided by the nodes.
 *
 * One object is shared by all servers of a process and outlives them. Buckets are in memory only, so a
 * restart fills them.
 */
export class RateLimits {
  readonly #plans: RatePlans;
  readonly #keys = new TokenBuckets({ bucketsMax: keyBucketsMax });
  readonly #addresses = new TokenBuckets({ bucketsMax: addressBucketsMax });
  readonly #refused = { keys: 0, addresses: 0 };
  #gauges = new WeakMap<RatePolicy, Gauge>();
  #failureLimit: RateLimit | undefined;
  #failures: Gauge | undefined;
  #scope: RateLimitScope;
  #nodes = 1;

  /** @param options.failures the limit on failures of an address; undefined for none. */
  constructor({
    plans,
    failures,
    scope = 'node',
  }: {
    readonly plans: RatePlans;
    readonly failures?: RateLimit | undefined;
    readonly scope?: RateLimitScope;
  }) {
    this.#plans = plans;
    this.#failureLimit = failures;
    this.#failures = failuresGauge(failures);
    this.#scope = scope;
  }

  /** Replaces the limits. Buckets keep their levels. */
  replace(
    table: RatePlanTable,
    failures: RateLimit | undefined,
    scope: RateLimitScope = 'node',
  ): void {
    this.#plans.replace(table);
    this.#failureLimit = failures;
    this.#failures = failuresGauge(failures);
    this.#scope = scope;
    this.#gauges = new WeakMap();
  }

  /**
   * Sets the number of nodes that serve clients, by which the scope `cluster` divides the limits of keys. A
   * change neither adds tokens nor takes those that still fit: a smaller number of nodes lets buckets grow from
   * their levels, and a larger one lowers those that hold more than the smaller burst.
   *
   * @param now in epoch milliseconds.
   */
  divide(nodes: number, now: number): void {
    if (nodes === this.#nodes) return;
    this.#keys.settle(now);
    this.#nodes = nodes;
    this.#gauges = new WeakMap();
  }

  /** Where the limit of a key applies. */
  get scope(): RateLimitScope {
    return this.#scope;
  }

  /** The number of nodes among which the limit of a key is divided. */
  get parts(): number {
    return this.#scope === 'cluster' ? this.#nodes : 1;
  }

  /** The limit on failures of an address; undefined for none. */
  get failures(): RateLimit | undefined {
    return this.#failureLimit;
  }

  /** The whole limit of a key that has neither a plan nor a limit of its own; undefined for none. */
  get ofKeysWithoutPlan(): RateLimit | undefined {
    return this.#plans.default?.limit;
  }

  /** The number of refused requests. */
  get refused(): { readonly keys: number; readonly addresses: number } {
    return { ...this.#refused };
  }

  /** The number of keys and address groups with a bucket. */
  get remembered(): { readonly keys: number; readonly addresses: number } {
    return { keys: this.#keys.size, addresses: this.#addresses.size };
  }

  /** Counts a request with a valid key; undefined if the key has no limit. */
  admitKey(key: ApiKeyRecord, now: number): Admission | undefined {
    const policy = this.#plans.policyOf(key);
    if (policy === undefined) return undefined;
    const gauge = this.#gaugeOf(policy);
    const family = key.family ?? key.id;
    const draw = this.#keys.draw(family, gauge.limit, now);
    if (!draw.ok) this.#refused.keys += 1;
    return admission(gauge, draw, 'rate-exceeded');
  }

  /** Counts a failure of an address; undefined if failures have no limit. */
  admitFailure(address: string, now: number): Admission | undefined {
    const gauge = this.#failures;
    if (gauge === undefined) return undefined;
    const group = addressGroup(address);
    const draw = this.#addresses.draw(group, gauge.limit, now);
    if (!draw.ok) this.#refused.addresses += 1;
    return admission(gauge, draw, 'failures-exceeded');
  }

  #gaugeOf(policy: RatePolicy): Gauge {
    const known = this.#gauges.get(policy);
    if (known !== undefined) return known;
    const gauge = gaugeOf(policy.name, partOf(policy.limit, this.parts));
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

function admission(
  { name, policyField }: Gauge,
  draw: Draw,
  error: 'rate-exceeded' | 'failures-exceeded',
): Admission {
  const fields = new Fields([
    'ratelimit-policy',
    policyField,
    'ratelimit',
    rateLimitField(name, draw),
  ]);
  if (draw.ok) return { fields, refusal: undefined };
  const seconds = retryAfterSeconds(draw.retryMs);
  return { fields, refusal: errorDraft(errorResponse(error, { seconds }), [retryAfter(seconds)]) };
}

/**
 * Counts a failed request, and stores the fields that report the limit in the context.
 *
 * @returns the answer to a client over its limit.
 */
export function admitFailure(
  context: RequestContext,
  rateLimits: RateLimits | undefined,
): ResponseDraft | undefined {
  const admitted = rateLimits?.admitFailure(context.head.remote, context.now);
  context.limits = admitted?.fields;
  return admitted?.refusal;
}

/**
 * The `RateLimit-Policy` field (contract 6.1): a quota of `q` requests in every `w` seconds.
 *
 * A token bucket has no window. The quota is the burst, and the window is the time in which the
 * whole burst refills, rounded up. A client that never sends more than `q` requests in any `w`
 * seconds is never refused.
 *
 * Source: draft-ietf-httpapi-ratelimit-headers-11, with structured fields (RFC 9651). The name of a
 * plan needs no escaping.
 */
export function ratePolicyField(name: string, limit: RateLimit): string {
  const windowSeconds = Math.ceil((limit.burst * refillMs(limit)) / 1_000);
  return `"${name}";q=${limit.burst};w=${windowSeconds}`;
}

/**
 * The `RateLimit` field: `r` requests remain at this moment, and the full quota is available in `t`
 * seconds.
 */
export function rateLimitField(
  name: string,
  { remaining, fullMs }: { readonly remaining: number; readonly fullMs: number },
): string {
  return `"${name}";r=${remaining};t=${Math.ceil(fullMs / 1_000)}`;
}

/** The value of `Retry-After`: whole seconds, at least 1. */
export function retryAfterSeconds(retryMs: number): number {
  return Math.max(1, Math.ceil(retryMs / 1_000));
}
