import type { FeedType } from '../contract/feed-type.ts';
import { createSimulatedFeed, simulatedSchema, type SimulatedConfig } from './simulated-feed.ts';
import { createSimulatedIndices } from './simulated-history.ts';

/** Synthetic prices, and synthetic values of the indices to which bonds refer. */
export const simulatedType: FeedType<SimulatedConfig> = {
  type: 'simulated',
  schema: simulatedSchema,
  create: createSimulatedFeed,
  createIndices: createSimulatedIndices,
  opensAllDay: ({ alwaysOpen }) => alwaysOpen,
  mustBeAlone: 'real and invented prices never mix',
};
