import type { BondWorth } from './bond-worth.ts';
import type { Weights } from './factor.ts';

/** How the price of an instrument is computed: a level, moved by factors with these weights. */
export interface Recipe {
  readonly level: number;
  readonly weights: Weights;
  /**
   * For a bond whose payments are known. Its price is the level multiplied by its worth, so the level only converts
   * the currency of the flows.
   */
  readonly bond?: {
    readonly worth: BondWorth;
    /** The factors that move its yield. A factor of 0.01 raises a yield of 8 % to 8.08 %. */
    readonly yieldWeights: Weights;
  };
}
