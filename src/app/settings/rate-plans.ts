import { RatePlans } from '../../auth/rate-plans.ts';
import type { RatePlanTable } from '../../auth/rate-plans.ts';
import type { RateLimit } from '../../domain/rate-limit.ts';
import { RateLimits } from '../../http/admission/rate-limits.ts';
import type { Log } from '../../lib/log.ts';
import { UsageFault } from '../operator-fault.ts';
import type { Settings } from './settings.ts';

/**
 * The plans that the settings name.
 *
 * @throws UsageFault when the default plan is not among them.
 */
export function planTable({
  plans,
  defaultPlan,
}: Pick<Settings, 'plans' | 'defaultPlan'>): RatePlanTable {
  if (defaultPlan === '') return { plans };
  if (!plans.has(defaultPlan)) {
    throw new UsageFault(`defaultPlan is to be one of the plans: ${listed(plans)}.`);
  }
  return { plans, defaultPlan };
}

/**
 * Says that a plan is there, so that no key is given one that is not.
 *
 * @throws UsageFault when it is not.
 */
export function requirePlan({ plans }: Pick<Settings, 'plans'>, plan: string): void {
  if (plans.has(plan)) return;
  throw new UsageFault(
    `The configuration has no plan ${JSON.stringify(plan)}; there is ${listed(plans)}.`,
  );
}

/** The limits that the settings tell. */
export function makeRateLimits(settings: Settings, log: Log): RateLimits {
  const plans = new RatePlans(planTable(settings), (plan) => {
    log.warn({ plan }, 'a key has a plan that the configuration lacks; the default plan holds');
  });
  return new RateLimits({ plans, failures: failureLimit(settings) });
}

/** Lets what the settings tell now hold from now on. */
export function replaceRateLimits(rateLimits: RateLimits, settings: Settings): void {
  rateLimits.replace(planTable(settings), failureLimit(settings));
}

function failureLimit({ failuresPerAddress }: Settings): RateLimit | undefined {
  return failuresPerAddress === 'unlimited' ? undefined : failuresPerAddress;
}

function listed(plans: ReadonlyMap<string, unknown>): string {
  return plans.size === 0 ? 'none' : [...plans.keys()].join(', ');
}
