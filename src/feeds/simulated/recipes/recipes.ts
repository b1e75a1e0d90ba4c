import { Bonds } from '../../../domain/bonds/bonds.ts';
import type { IndexValues } from '../../../domain/bonds/index-growth.ts';
import { receiptPairs, type ReceiptPair } from '../../../domain/dollars/receipt-rates.ts';
import type { DollarClass, Instrument } from '../../../domain/instruments/instrument.ts';
import type { Universe } from '../../../domain/instruments/universe.ts';
import { Noise } from '../../../lib/numbers/noise.ts';
import { bondRecipe } from './bond-recipe.ts';
import { ccl, inPesos, knownRecipes, mep } from './known-recipes.ts';
import type { Recipe } from './recipe.ts';

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
