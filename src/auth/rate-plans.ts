import type { ApiKeyRecord } from '../domain/api-key.ts';
import type { Allowance, RateLimit } from '../domain/rate-limit.ts';

/** What a configuration says of how much clients may ask for. */
export interface RatePlanTable {
  readonly plans: ReadonlyMap<string, Allowance>;
  /** The plan of keys that have none; undefined: they may ask as they like. */
  readonly defaultPlan?: string | undefined;
}

/** A limit and the name by which clients are told of it. One object a plan. */
export interface RatePolicy {
  readonly name: string;
  readonly limit: RateLimit;
}

/** The name of a limit that is a key's own. */
const ownLimitName = 'key';

/** Longest name of a plan, in characters. */
const planNameCharactersMax = 32;

/** What a plan may be called, so that its name can stand in a header as it is. */
export function isPlanName(text: string): boolean {
  return text.length <= planNameCharactersMax && /^[a-z][a-z0-9_-]*$/.test(text);
}

/**
 * How much each key may ask for: its own limit, else its plan's, else the default plan's.
 *
 * A key whose plan the configuration does not have is told to `onUnknownPlan`, once a plan, and held
 * to the default plan: a slip in the configuration neither shuts a client out nor, where there is a
 * default, opens the doors to it.
 */
export class RatePlans {
  readonly #onUnknownPlan: (plan: string) => void;
  readonly #own = new WeakMap<ApiKeyRecord, RatePolicy>();
  readonly #toldOf = new Set<string>();
  #plans: ReadonlyMap<string, RatePolicy | undefined> = new Map();
  #default: RatePolicy | undefined;

  constructor(table: RatePlanTable, onUnknownPlan: (plan: string) => void = () => {}) {
    this.#onUnknownPlan = onUnknownPlan;
    this.replace(table);
  }

  /** From now on these plans hold, for all keys at once. */
  replace({ plans, defaultPlan }: RatePlanTable): void {
    this.#plans = new Map(
      [...plans].map(([name, allowance]) => [name, policyOf(name, allowance)] as const),
    );
    this.#default = defaultPlan === undefined ? undefined : this.#plans.get(defaultPlan);
    this.#toldOf.clear();
  }

  /** The policy that a key is held to, or undefined when it may ask as it likes. */
  policyOf(key: ApiKeyRecord): RatePolicy | undefined {
    const { limit, plan } = key;
    if (limit !== undefined) return limit === 'unlimited' ? undefined : this.#ownPolicy(key, limit);
    if (plan === undefined) return this.#default;
    if (this.#plans.has(plan)) return this.#plans.get(plan);
    if (!this.#toldOf.has(plan)) {
      this.#toldOf.add(plan);
      this.#onUnknownPlan(plan);
    }
    return this.#default;
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
