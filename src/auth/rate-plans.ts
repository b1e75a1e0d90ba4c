import type { ApiKeyRecord } from '../domain/access/api-key.ts';
import type { Allowance, RateLimit } from '../domain/access/rate-limit.ts';

/** The rate limits of a configuration. */
export interface RatePlanTable {
  readonly plans: ReadonlyMap<string, Allowance>;
  /** The plan of keys that have none. Undefined: such keys are not limited. */
  readonly defaultPlan?: string | undefined;
  /** The limit of keys for URLs that have none. Default: {@link usualUrlKeyLimit}. */
  readonly urlKeyLimit?: RateLimit | undefined;
}

/** The limit of keys for URLs, unless the operator sets another one. */
export const usualUrlKeyLimit: RateLimit = { requests: 60, seconds: 60, burst: 30 };

/** A limit, and its name in the rate limit headers. Each plan is one object. */
export interface RatePolicy {
  readonly name: string;
  readonly limit: RateLimit;
}

/** The name of a limit that is set for a single key. */
const ownLimitName = 'key';

/** The name of the limit of keys for URLs. */
const urlLimitName = 'url';

/** Maximum length of a plan's name, in characters. */
const planNameCharactersMax = 32;

/** The pattern of the names of plans. A valid name needs no escaping in a header. */
export const planNamePattern = `^[a-z][a-z0-9_-]{0,${planNameCharactersMax - 1}}$`;

const planNames = new RegExp(planNamePattern);

/** Whether a text is a valid name of a plan. */
export function isPlanName(text: string): boolean {
  return planNames.test(text);
}

/**
 * The rate limit of each key: its own limit, else that of its plan, else that of the default plan.
 *
 * When the plan of a key is not configured, the default plan applies. `onUnknownPlan` is called once
 * for each such plan. So a mistake in the configuration does not lock a client out, and does not
 * remove its limit where a default plan exists.
 *
 * A key for URLs leaks more easily, so it is always limited: where nothing else limits it, the limit of
 * such keys applies instead of the default plan (contract 5.5).
 */
export class RatePlans {
  readonly #onUnknownPlan: (plan: string) => void;
  readonly #own = new WeakMap<ApiKeyRecord, RatePolicy>();
  readonly #reported = new Set<string>();
  #plans: ReadonlyMap<string, RatePolicy | undefined> = new Map();
  #default: RatePolicy | undefined;
  #ofUrlKeys: RatePolicy = { name: urlLimitName, limit: usualUrlKeyLimit };

  constructor(table: RatePlanTable, onUnknownPlan: (plan: string) => void = () => {}) {
    this.#onUnknownPlan = onUnknownPlan;
    this.replace(table);
  }

  /** Replaces the plans of all keys at once. */
  replace({ plans, defaultPlan, urlKeyLimit = usualUrlKeyLimit }: RatePlanTable): void {
    this.#plans = new Map(
      [...plans].map(([name, allowance]) => [name, policyOf(name, allowance)] as const),
    );
    this.#default = defaultPlan === undefined ? undefined : this.#plans.get(defaultPlan);
    this.#ofUrlKeys = { name: urlLimitName, limit: urlKeyLimit };
    this.#reported.clear();
  }

  /** The policy of keys that have neither a plan nor a limit of their own; undefined for none. */
  get default(): RatePolicy | undefined {
    return this.#default;
  }

  /** The policy that applies to a key; undefined when the key is not limited. */
  policyOf(key: ApiKeyRecord): RatePolicy | undefined {
    return key.scope === 'url'
      ? (this.#assigned(key, undefined) ?? this.#ofUrlKeys)
      : this.#assigned(key, this.#default);
  }

  /** The policy of the key's own limit or plan; `otherwise` if it has neither, or an unknown plan. */
  #assigned(key: ApiKeyRecord, otherwise: RatePolicy | undefined): RatePolicy | undefined {
    const { limit, plan } = key;
    if (limit !== undefined) return limit === 'unlimited' ? undefined : this.#ownPolicy(key, limit);
    if (plan === undefined) return otherwise;
    if (this.#plans.has(plan)) return this.#plans.get(plan);
    if (!this.#reported.has(plan)) {
      this.#reported.add(plan);
      this.#onUnknownPlan(plan);
    }
    return otherwise;
  }

  #ownPolicy(key: ApiKeyRecord, limit: RateLimit): RatePolicy {
    const known = this.#own.get(key);
    if (known !== undefined) return known;
    const policy = { name: ownLimitName, limit };
    this.#own.set(key, policy);
    return policy;
  }
}

function policyOf(name: string, allowance: Allowance): RatePolicy | undefined {
  return allowance === 'unlimited' ? undefined : { name, limit: allowance };
}
