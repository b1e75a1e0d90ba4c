import { usualUrlKeyLimit, isPlanName, planNamePattern } from '../../../auth/rate-plans.ts';
import {
  formatAllowance,
  allowanceForm,
  allowancePattern,
  parseAllowance,
  rateLimitPattern,
  type Allowance,
  type RateLimit,
} from '../../../domain/access/rate-limit.ts';
import { oneOf } from './kinds.ts';
import { inGroup, type SettingKind, type SettingTable } from './setting.ts';

/** How many requests a client may make. */
export const rateLimitSettings = inGroup('Rate limits', {
  plans: {
    kind: plans(),
    fallback: '{}',
    description:
      'Rate plans: the request limit of a key, by the name of a plan. In the configuration file it is a mapping.',
    reloadable: true,
  },
  defaultPlan: {
    kind: planName(),
    fallback: '',
    description: 'Plan of the keys that have none. When empty, those keys have no limit.',
    reloadable: true,
  },
  urlKeyPlan: {
    kind: rateLimit(),
    fallback: formatAllowance(usualUrlKeyLimit),
    description:
      'Limit of the keys for URLs that have no limit and no limited plan of their own. defaultPlan does not apply to them.',
    reloadable: true,
  },
  keyLimitsOver: {
    kind: oneOf(['node', 'cluster']),
    fallback: 'node',
    description:
      'Whether each node that shares a PostgreSQL store allows a key its whole limit, or an equal part of it. With cluster, the balancer must spread the requests of a key evenly over the nodes (docs/rate-limits.md).',
    reloadable: true,
  },
  failuresPerAddress: {
    kind: allowance(),
    fallback: '60/min burst 120',
    description:
      'Maximum rate of requests without a valid key from one client address (an IPv6 /64). Further ones get 429. It applies at each node.',
    reloadable: true,
  },
} as const satisfies SettingTable);

/** A rate of requests with a burst, or `unlimited`. */
function allowance(): SettingKind<Allowance> {
  return {
    placeholder: 'LIMIT',
    valid: allowanceForm,
    parse: parseAllowance,
    schema: { type: 'string', pattern: allowancePattern },
  };
}

/** A rate of requests with a burst. */
function rateLimit(): SettingKind<RateLimit> {
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
function planName(): SettingKind<string> {
  return {
    placeholder: 'NAME',
    valid: 'empty, or the name of a plan',
    parse: (value) => (value === '' || isPlanName(value) ? value : undefined),
    schema: {
      // In YAML, the names true and false are booleans unless they have quotes.
      anyOf: [{ const: '' }, { type: 'string', pattern: planNamePattern }, { type: 'boolean' }],
    },
  };
}

/** Rate plans by name, as JSON. */
function plans(): SettingKind<ReadonlyMap<string, Allowance>> {
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
