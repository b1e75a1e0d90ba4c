import { valuedIn, type Bond } from '../../../domain/bonds/bond.ts';
import type { IndexValues } from '../../../domain/bonds/index-growth.ts';
import type { Instrument } from '../../../domain/instruments/instrument.ts';
import { Noise } from '../../../lib/numbers/noise.ts';
import { BondWorth } from './bond-worth.ts';
import { mep } from './known-recipes.ts';
import type { Recipe } from './recipe.ts';

/** The usual yields of a family of bonds, as parts of one, and the factor that moves them. */
interface YieldCurve {
  /** Of bonds that mature soon, and in many years. */
  readonly short: number;
  readonly long: number;
  readonly factor: string;
}

/** The years in which a curve goes most of its way from short to long. */
const curveYears = 3;

const curves = {
  real: { short: 0.045, long: 0.085, factor: 'real rates' },
  'dollar-linked': { short: 0.035, long: 0.06, factor: 'real rates' },
  pesos: { short: 0.3, long: 0.25, factor: 'peso rates' },
  'dollars, law of Argentina': { short: 0.06, long: 0.105, factor: 'sovereign' },
  'dollars, law of New York': { short: 0.055, long: 0.098, factor: 'sovereign' },
  corporate: { short: 0.045, long: 0.08, factor: 'corporate' },
} as const satisfies Record<string, YieldCurve>;

/** How much the yield of a bond differs from its curve, as a part of the yield. */
const ownSpreadMax = 0.05;

/**
 * The recipe of a bond from its terms, in the currency of the instrument. Undefined for a bond whose payments
 * are not known, as those of a floating rate.
 */
export function bondRecipe(
  bond: Bond,
  instrument: Instrument,
  { seed, indexValues }: { readonly seed: number; readonly indexValues: IndexValues },
): Recipe | undefined {
  const { terms, flows } = bond;
  if (flows.every(({ total }) => total === null)) return undefined;
  const { short, long, factor } = curveOf(bond, instrument);
  const spread = ownSpreadMax * (2 * new Noise(seed, `spread ${terms.ticker}`).uniform(0) - 1);
  const usualYield = (years: number): number =>
    (long + (short - long) * Math.exp(-years / curveYears)) * (1 + spread);
  const isConverted = valuedIn(terms) !== instrument.currency;
  return {
    level: isConverted ? mep : 1,
    weights: isConverted ? { dollar: 1 } : {},
    bond: {
      worth: new BondWorth(bond, usualYield, indexValues),
      yieldWeights: { [factor]: 1, [`own ${terms.ticker}`]: 0.5 },
    },
  };
}

function curveOf({ terms }: Bond, { kind }: Instrument): YieldCurve {
  const { indexation, currency, law } = terms;
  if (indexation?.index === 'A3500') return curves['dollar-linked'];
  if (indexation !== undefined) return curves.real;
  if (currency === 'ARS') return curves.pesos;
  if (kind === 'corporate-bond') return curves.corporate;
  return law === 'NY' ? curves['dollars, law of New York'] : curves['dollars, law of Argentina'];
}
