import { oneOf } from './kinds.ts';
import { allowance, planName, plans } from './rate-kinds.ts';
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
  keyLimitsOver: {
    group: 'Rate limits',
    kind: oneOf(['node', 'cluster']),
    fallback: 'node',
    description:
      'What the limit of a key applies to. With node, it applies on each node. With cluster, each node gets an equal part of it, by the number of live nodes that serve, so that the sum is about the limit if requests spread evenly.',
    reloadable: false,
  },
  failuresPerAddress: {
    group: 'Rate limits',
    kind: allowance(),
    fallback: '60/min burst 120',
    description:
      'Maximum rate of requests without a valid key from one client address (an IPv6 /64). Further ones get 429.',
    reloadable: true,
  },
} as const satisfies SettingTable;
