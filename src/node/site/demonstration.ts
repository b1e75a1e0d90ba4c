import type { SimulatedConfig } from '../../feeds/simulated/simulated-config.ts';

/**
 * The feed of the demonstration. Prices change at any hour. The fixed seed gives the same prices in
 * every installation, so that two people see the same board.
 */
export const demonstration: SimulatedConfig = {
  type: 'simulated',
  name: 'demonstration',
  staleAfterSeconds: 60,
  seed: 1810,
  updatesPerSecond: 50,
  alwaysOpen: true,
};
