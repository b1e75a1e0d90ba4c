import { usualUrlKeyLimit } from '../../../auth/rate-plans.ts';
import { formatAllowance } from '../../../domain/access/rate-limit.ts';
import { oneOf } from './kinds.ts';
import { allowance, planName, plans, rateLimit } from './rate-kinds.ts';
import type { SettingTable } from './setting.ts';

/** How many requests a client may make. */
export const rateLimitSettings = {
  plans: {
    group: 'Rate limits',
    kind: plans(),
    fallback: '{}',
    description:
      'Rate plans: the request limit of a key, by the name of a plan. In the configuration file it is a mapping.',
    reloadable: true,
  },
  defaultPlan: {
    group: 'Rate limits',
    kind: planName(),
    fallback: '',
    description: 'Plan of the keys that have none. When empty, those keys have no limit.',
    reloadable: true,
  },
  urlKeyPlan: {
    group: 'Rate limits',
    kind: rateLimit(),
    fallback: formatAllowance(usualUrlKeyLimit),
    description:
      'Limit of the keys for URLs that have no limit and no limited plan of their own. defaultPlan does not apply to them.',
    reloadable: true,
  },
  keyLimitsOver: {
    group: 'Rate limits',
    kind: oneOf(['node', 'cluster']),
    fallback: 'node',
    description:
      'Where the limit of a key applies, if several nodes share a PostgreSQL store. With node, each node allows a key its whole limit. With cluster, each node allows an equal part of it: the limit divided by the number of live nodes that serve requests. The balancer must spread the requests of a key evenly over the nodes (docs/rate-limits.md).',
    reloadable: true,
  },
  failuresPerAddress: {
    group: 'Rate limits',
    kind: allowance(),
    fallback: '60/min burst 120',
    description:
      'Maximum rate of requests without a valid key from one client address (an IPv6 /64). Further ones get 429. It applies at each node.',
    reloadable: true,
  },
} as const satisfies SettingTable;
