import type { FeedType } from '../contract/feed-type.ts';
import { simulatedSchema } from './simulated-config.ts';
import type { SimulatedConfig } from './simulated-config.ts';
import { createSimulatedFeed } from './simulated-feed.ts';

/** Synthetic prices. */
export const simulatedType: FeedType<SimulatedConfig> = {
  type: 'simulated',
  schema: simulatedSchema,
  create: createSimulatedFeed,
  opensAllDay: ({ alwaysOpen }) => alwaysOpen,
  mustBeAlone: 'real and invented prices never mix',
};
