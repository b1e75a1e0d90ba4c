import { RatePlans, type RatePlanTable } from '../../auth/rate-plans.ts';
import type { RateLimit } from '../../domain/access/rate-limit.ts';
import { RateLimits } from '../../http/admission/rate-limits.ts';
import type { Log } from '../../lib/reports/log.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import type { SettingName, Settings } from './settings.ts';

const defaultPlanName: SettingName = 'defaultPlan';

/**
 * The configured rate plans.
 *
 * @throws UsageFault when the default plan is not one of them.
 */
export function planTable({
  plans,
  defaultPlan,
  urlKeyPlan: urlKeyLimit,
}: Pick<Settings, 'plans' | 'defaultPlan' | 'urlKeyPlan'>): RatePlanTable {
  if (defaultPlan === '') return { plans, urlKeyLimit };
  if (!plans.has(defaultPlan)) {
    throw new UsageFault(
      `${defaultPlanName} is ${JSON.stringify(defaultPlan)}, which is not a plan. Configured plans: ${listed(plans)}.`,
    );
  }
  return { plans, defaultPlan, urlKeyLimit };
}

/**
 * Checks that a plan is configured, before a key gets it.
 *
 * @throws UsageFault when it is not.
 */
export function requirePlan({ plans }: Pick<Settings, 'plans'>, plan: string): void {
  if (plans.has(plan)) return;
  throw new UsageFault(
    `There is no plan ${JSON.stringify(plan)}. Configured plans: ${listed(plans)}.`,
  );
}

/** Creates the rate limits of the settings. */
export function makeRateLimits(settings: Settings, log: Log): RateLimits {
  const plans = new RatePlans(planTable(settings), (plan) => {
    log.warn({ plan }, 'key has an unknown plan, using the default plan');
  });
  const { keyLimitsOver: scope } = settings;
  return new RateLimits({ plans, failures: failureLimit(settings), scope });
}

/** Applies the rate limits of changed settings. */
export function replaceRateLimits(rateLimits: RateLimits, settings: Settings): void {
  rateLimits.replace(planTable(settings), failureLimit(settings), settings.keyLimitsOver);
}

function failureLimit({ failuresPerAddress }: Settings): RateLimit | undefined {
  return failuresPerAddress === 'unlimited' ? undefined : failuresPerAddress;
}

function listed(plans: ReadonlyMap<string, unknown>): string {
  return plans.size === 0 ? 'none' : [...plans.keys()].join(', ');
}
