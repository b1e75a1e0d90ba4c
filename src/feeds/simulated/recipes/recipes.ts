import { type Bond, valuedIn } from '../../../domain/bonds/bond.ts';
import { Bonds } from '../../../domain/bonds/bonds.ts';
import type { IndexValues } from '../../../domain/bonds/index-growth.ts';
import { type ReceiptPair, receiptPairs } from '../../../domain/dollars/receipt-rates.ts';
import type { DollarClass, Instrument } from '../../../domain/instruments/instrument.ts';
import type { Universe } from '../../../domain/instruments/universe.ts';
import { Noise } from '../../../lib/numbers/noise.ts';
import { BondWorth } from './bond-worth.ts';
import { ccl, inPesos, knownRecipes, mep, type Recipe } from './recipe.ts';

/** The usual yields of a family of bonds, as fractions (0.05 is 5%), and the factor that moves them. */
interface YieldCurve {
  /** The yield of bonds that mature soon. */
  readonly short: number;
  /** The yield of bonds that mature in many years. */
  readonly long: number;
  readonly factor: string;
}

/** The yield changes from `short` to `long` as `exp(-years / curveYears)`. */
const curveYears = 3;

const curves = {
  real: { short: 0.045, long: 0.085, factor: 'real rates' },
  'dollar-linked': { short: 0.035, long: 0.06, factor: 'real rates' },
  pesos: { short: 0.3, long: 0.25, factor: 'peso rates' },
  'dollars, law of Argentina': { short: 0.06, long: 0.105, factor: 'sovereign' },
  'dollars, law of New York': { short: 0.055, long: 0.098, factor: 'sovereign' },
  corporate: { short: 0.045, long: 0.08, factor: 'corporate' },
} as const satisfies Record<string, YieldCurve>;

/** How much the yield of a bond differs from its curve, as a fraction of the yield. */
const ownSpreadMax = 0.05;

/**
 * The recipe of a bond from its terms, in the currency of the instrument. Undefined for a bond whose payments
 * are not known, as those of a floating rate.
 */
function bondRecipe(
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

/**
 * The tickers of bonds and bills that are priced in pesos, among those without known payments. All others are
 * priced in dollars, whatever they are traded in.
 */
const pesoBond = /^(?:T|S\d|DICP|PARP|CUAP|DIP0|PAP0|BDC)/;

/** The recipe of each instrument of a universe, plausible for its kind and currency. */
export function recipesFor(
  universe: Universe,
  parts: { readonly seed: number; readonly indexValues: IndexValues },
): ReadonlyMap<Instrument, Recipe> {
  const { seed } = parts;
  const argentine = new Set(universe.panels.get('ADRARG'));
  const bonds = new Bonds(universe);
  const pairs = receiptPairs(universe.instruments, (ticker) => universe.find(ticker));
  const receipts = new Map(pairs.map((pair) => [pair.receipt, pair]));
  const recipes = new Map<Instrument, Recipe>();
  const recipeOf = (one: Instrument): Recipe => recipes.getOrInsertComputed(one, newRecipe);
  const newRecipe = (one: Instrument): Recipe => {
    const between = (low: number, high: number): number =>
      low * (high / low) ** new Noise(seed, `level ${stemOf(one)}`).uniform(0);
    const { dollarClass } = one;
    if (dollarClass !== undefined) {
      return inDollars(dollarClass, recipeOf(universe.get(dollarClass.base)));
    }
    const pair = receipts.get(one);
    if (pair !== undefined) return ofReceipt(pair, recipeOf(pair.underlying), between(0.99, 1.01));
    const bond = bonds.of(one);
    const ofTerms = bond && bondRecipe(bond, one, parts);
    if (ofTerms !== undefined) return ofTerms;
    return knownRecipes[one.ticker] ?? ordinary(one, { between, isArgentine: argentine.has(one) });
  };
  for (const instrument of universe.instruments) recipeOf(instrument);
  return recipes;
}

function ordinary(
  one: Instrument,
  {
    between,
    isArgentine,
  }: {
    readonly between: (low: number, high: number) => number;
    readonly isArgentine: boolean;
  },
): Recipe {
  const own = `own ${stemOf(one)}`;
  switch (one.kind) {
    case 'share':
    case 'adr':
    case 'etf':
      if (one.currency === 'ARS') {
        return { level: between(300, 12_000), weights: { ...inPesos, argentina: 1, [own]: 1.3 } };
      }
      return {
        level: between(15, 500),
        weights: isArgentine
          ? { argentina: 1, [own]: 1.3 }
          : { world: 1, [own]: one.kind === 'etf' ? 0.4 : 1.3 },
      };
    case 'cedear':
      return { level: between(4_000, 60_000), weights: { ...inPesos, world: 1, [own]: 1.3 } };
    case 'bond':
      if (pesoBond.test(one.ticker)) {
        return { level: between(100, 900), weights: { 'peso rates': -0.3, [own]: 0.2 } };
      }
      return inPesosIfSo(one, { level: between(55, 85), weights: { sovereign: -0.4, [own]: 0.2 } });
    case 'corporate-bond':
      return inPesosIfSo(one, {
        level: between(95, 112),
        weights: { corporate: -0.2, [own]: 0.2 },
      });
    case 'bill':
      return pesoBond.test(one.ticker)
        ? { level: between(100, 150), weights: { 'peso rates': -0.1, [own]: 0.05 } }
        : {
            level: between(145_000, 152_000),
            weights: { dollar: 1, 'official dollar': 1, [own]: 0.05 },
          };
    case 'crypto':
      return { level: between(0.2, 400), weights: { crypto: 1.1, [own]: 2 } };
    case 'index':
    case 'exchange-rate':
    case 'interest-rate':
    case 'spread':
    case 'country-risk':
      return { level: between(10, 1000), weights: { [own]: 0.5 } };
  }
}

function inPesosIfSo(one: Instrument, inUsd: Recipe): Recipe {
  if (one.currency !== 'ARS') return inUsd;
  return { level: inUsd.level * mep, weights: { ...inUsd.weights, dollar: 1 } };
}

/** The recipe of the class in pesos, divided by the dollar: AL30 ÷ AL30D is the current dollar. */
function inDollars({ paid }: DollarClass, { level, weights, ...rest }: Recipe): Recipe {
  const isCable = paid === 'cable';
  return {
    ...rest,
    level: level / (isCable ? ccl : mep),
    weights: {
      ...weights,
      dollar: (weights['dollar'] ?? 0) - 1,
      ...(isCable ? { cable: (weights['cable'] ?? 0) - 1 } : {}),
    },
  };
}

/**
 * The recipe of a receipt from that of its share, with a small premium or discount. So the dollars that all
 * receipts imply are near each other.
 */
function ofReceipt({ perShare }: ReceiptPair, share: Recipe, premium: number): Recipe {
  const level = (share.level * ccl * premium) / perShare;
  return { level, weights: { ...share.weights, ...inPesos } };
}

/**
 * The issuer of an instrument. Instruments of one issuer, such as GGAL and GGAL_US, share its news.
 */
function stemOf({ ticker }: Instrument): string {
  return ticker.replace(/_US$/, '');
}
