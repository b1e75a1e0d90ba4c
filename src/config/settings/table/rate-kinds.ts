import { isPlanName, planNamePattern } from '../../../auth/rate-plans.ts';
import {
  allowanceForm,
  allowancePattern,
  parseAllowance,
  rateLimitPattern,
  type Allowance,
  type RateLimit,
} from '../../../domain/access/rate-limit.ts';
import type { SettingKind } from './setting.ts';

/** A rate of requests with a burst, or `unlimited`. */
export function allowance(): SettingKind<Allowance> {
  return {
    placeholder: 'LIMIT',
    valid: allowanceForm,
    parse: parseAllowance,
    schema: { type: 'string', pattern: allowancePattern },
  };
}

/** A rate of requests with a burst. */
export function rateLimit(): SettingKind<RateLimit> {
  return {
    placeholder: 'LIMIT',
    valid: '"60/min burst 30" (per s, min, h or day), or "60/min"',
    parse: (value) => {
      const limit = parseAllowance(value);
      return limit === 'unlimited' ? undefined : limit;
    },
    schema: { type: 'string', pattern: rateLimitPattern },
  };
}

/** The name of a rate plan; empty for none. */
export function planName(): SettingKind<string> {
  return {
    placeholder: 'NAME',
    valid: 'empty, or the name of a plan',
    parse: (value) => (value === '' || isPlanName(value) ? value : undefined),
    schema: {
      // Without quotes, the names "true" and "false" are no texts in YAML.
      anyOf: [{ const: '' }, { type: 'string', pattern: planNamePattern }, { type: 'boolean' }],
    },
  };
}

/** Rate plans by name, as JSON. */
export function plans(): SettingKind<ReadonlyMap<string, Allowance>> {
  return {
    placeholder: 'JSON',
    valid: 'names with limits, such as {"free": "60/min burst 20", "inside": "unlimited"}',
    parse: parsePlans,
    isMapping: true,
    schema: {
      anyOf: [
        {
          type: 'object',
          propertyNames: { pattern: planNamePattern },
          additionalProperties: { type: 'string', pattern: allowancePattern },
        },
        { type: 'string', pattern: '^\\s*\\{' },
      ],
    },
  };
}

/** In the configuration file the plans are a mapping, which arrives here as JSON. */
function parsePlans(json: string): ReadonlyMap<string, Allowance> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const parsed = new Map<string, Allowance>();
  for (const [name, limit] of Object.entries(value)) {
    const one = typeof limit === 'string' ? parseAllowance(limit) : undefined;
    if (one === undefined || !isPlanName(name)) return undefined;
    parsed.set(name, one);
  }
  return parsed;
}
