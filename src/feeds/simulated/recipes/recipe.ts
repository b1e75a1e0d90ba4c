import type { BondWorth } from './bond-worth.ts';
import type { Weights } from './factor.ts';

/** How the price of an instrument is computed: a level, moved by factors with these weights. */
export interface Recipe {
  readonly level: number;
  readonly weights: Weights;
  /** Of a bond whose payments are known: the level is for a price of 1 of what it is worth. */
  readonly bond?: {
    readonly worth: BondWorth;
    /** What moves its yield, in parts of the yield. */
    readonly yieldWeights: Weights;
  };
}
