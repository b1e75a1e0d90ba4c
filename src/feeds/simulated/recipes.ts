import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { Noise } from '../../lib/numbers/noise.ts';

/** How the price of an instrument is computed: a level, moved by factors with these weights. */
export interface Recipe {
  readonly level: number;
  readonly weights: Readonly<Record<string, number>>;
}

/**
 * The standard deviation of a factor's daily move, and the part of a deviation left a day later.
 */
export interface FactorTraits {
  readonly dailyPct: number;
  readonly persistence: number;
}

/** The factors of more than one instrument. Any other name is the news of one issuer. */
export const sharedFactors: Readonly<Record<string, FactorTraits>> = {
  argentina: { dailyPct: 1.4, persistence: 0.995 },
  world: { dailyPct: 0.9, persistence: 0.995 },
  /** Pesos per dollar, as implied by bonds. */
  dollar: { dailyPct: 0.6, persistence: 0.997 },
  /** The premium of a dollar abroad. */
  cable: { dailyPct: 0.15, persistence: 0.95 },
  'official dollar': { dailyPct: 0.2, persistence: 0.997 },
  'informal dollar': { dailyPct: 0.3, persistence: 0.97 },
  sovereign: { dailyPct: 0.7, persistence: 0.995 },
  corporate: { dailyPct: 0.2, persistence: 0.99 },
  'peso rates': { dailyPct: 0.25, persistence: 0.99 },
  caucion: { dailyPct: 2, persistence: 0.97 },
  crypto: { dailyPct: 2, persistence: 0.995 },
};

/** The factor for the news of one issuer. */
export const ownFactor: FactorTraits = { dailyPct: 1, persistence: 0.99 };

const mep = 1545;
const ccl = 1590;
const inPesos = { dollar: 1, cable: 1 };

/** Levels of well-known instruments, close to those of late 2026. All prices are invented. */
const known: Readonly<Record<string, Recipe>> = {
  'DOLAR OFICIAL': { level: 1540, weights: { 'official dollar': 1 } },
  'DOLAR OFICIAL VENTA': { level: 1540, weights: { 'official dollar': 1 } },
  'DOLAR OFICIAL COMPRA': { level: 1490, weights: { 'official dollar': 1 } },
  'DOLAR MAYORISTA': { level: 1512, weights: { 'official dollar': 1 } },
  'DOLAR A3500': { level: 1510, weights: { 'official dollar': 1 } },
  'DOLAR TARJETA': { level: 2002, weights: { 'official dollar': 1 } },
  'DOLAR BLUE': { level: 1560, weights: { dollar: 1, 'informal dollar': 1 } },
  'DOLAR BLUE VENTA': { level: 1560, weights: { dollar: 1, 'informal dollar': 1 } },
  'DOLAR BLUE COMPRA': { level: 1540, weights: { dollar: 1, 'informal dollar': 1 } },
  'DOLAR MEP': { level: mep, weights: { dollar: 1 } },
  'DOLAR MEP LEDE': { level: mep + 2, weights: { dollar: 1 } },
  'DOLAR CCL': { level: ccl, weights: inPesos },
  'DOLAR CCL MTR': { level: ccl - 1, weights: inPesos },
  'DOLAR CRIPTO': { level: ccl - 5, weights: { ...inPesos, 'own DOLAR CRIPTO': 0.1 } },
  'DOLAR/EURO': { level: 1.168, weights: { 'own DOLAR/EURO': 0.35 } },
  EUROLELIQ: { level: 1800, weights: { 'official dollar': 1 } },
  MERVAL: { level: 2_300_000, weights: { ...inPesos, argentina: 1, 'own MERVAL': 0.2 } },
  'MERVAL USD': { level: 2_300_000 / ccl, weights: { argentina: 1, 'own MERVAL': 0.2 } },
  'RESERVAS BCRA': { level: 46_000, weights: { 'own RESERVAS BCRA': 0.2 } },
  'RIESGO PAIS': { level: 580, weights: { argentina: -0.8, 'own RIESGO PAIS': 0.8 } },
  'CAUCION 1D': { level: 27, weights: { caucion: 1, 'own CAUCION 1D': 1 } },
  'CAUCION 7D': { level: 27.5, weights: { caucion: 1, 'own CAUCION 7D': 0.5 } },
  'CAUCION 14D': { level: 28, weights: { caucion: 1, 'own CAUCION 14D': 0.5 } },
  'CAUCION 30D': { level: 28.5, weights: { caucion: 1, 'own CAUCION 30D': 0.5 } },
  BTC: crypto('BTC', 92_000, 0.5),
  ETH: crypto('ETH', 3_200, 1),
  BNB: crypto('BNB', 900, 1),
  SOL: crypto('SOL', 160, 1.5),
  USDT: stable('USDT'),
  USDC: stable('USDC'),
  DAI: stable('DAI'),
  'BTC/ARS': { level: 92_000 * ccl, weights: { ...inPesos, crypto: 1, 'own BTC': 0.5 } },
  'ETH/ARS': { level: 3_200 * ccl, weights: { ...inPesos, crypto: 1, 'own ETH': 1 } },
  'USDC/ARS': { level: ccl, weights: { ...inPesos, 'own USDC': 0.02 } },
};

function crypto(ticker: string, level: number, own: number): Recipe {
  return { level, weights: { crypto: 1, [`own ${ticker}`]: own } };
}

function stable(ticker: string): Recipe {
  return { level: 1, weights: { [`own ${ticker}`]: 0.02 } };
}

/**
 * Bonds and bills priced in pesos. All others are priced in dollars, whatever they are traded in.
 */
const pesoBond = /^(?:T|S\d|DICP|PARP|CUAP|DIP0|PAP0|BDC)/;

/** The recipe of each instrument of a universe, plausible for its kind and currency. */
export function recipesFor(universe: Universe, seed: number): ReadonlyMap<Instrument, Recipe> {
  const argentine = new Set(universe.panels.get('ADRARG'));
  const recipes = new Map<Instrument, Recipe>();
  const recipeOf = (one: Instrument): Recipe => {
    const paidInPesos = pesoTwinOf(one, universe);
    if (paidInPesos !== undefined) return inDollars(one, recipeOf(paidInPesos));
    const between = (low: number, high: number): number =>
      low * (high / low) ** new Noise(seed, `level ${stemOf(one)}`).uniform(0);
    return known[one.ticker] ?? ordinary(one, { between, isArgentine: argentine.has(one) });
  };
  for (const instrument of universe.instruments) recipes.set(instrument, recipeOf(instrument));
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
        return { level: between(100, 900), weights: { 'peso rates': 1, [own]: 0.2 } };
      }
      return inPesosIfSo(one, { level: between(55, 85), weights: { sovereign: 1, [own]: 0.2 } });
    case 'corporate-bond':
      return inPesosIfSo(one, { level: between(95, 112), weights: { corporate: 1, [own]: 0.2 } });
    case 'bill':
      return pesoBond.test(one.ticker)
        ? { level: between(100, 150), weights: { 'peso rates': 0.3, [own]: 0.05 } }
        : { level: between(145_000, 152_000), weights: { 'official dollar': 1, [own]: 0.05 } };
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

/** The same security traded in pesos on the same market, as AL30 is for AL30D and AL30C. */
function pesoTwinOf(one: Instrument, universe: Universe): Instrument | undefined {
  if (one.currency !== 'USD' || !/[CD]$/.test(one.ticker)) return undefined;
  const twin = universe.find(one.ticker.replace(/\.?[CD]$/, ''));
  return twin?.currency === 'ARS' && twin.market === one.market ? twin : undefined;
}

/** The recipe of the peso security, divided by the dollar: AL30 ÷ AL30D is the current dollar. */
function inDollars(one: Instrument, { level, weights }: Recipe): Recipe {
  const isCable = one.ticker.endsWith('C');
  return {
    level: level / (isCable ? ccl : mep),
    weights: {
      ...weights,
      dollar: (weights['dollar'] ?? 0) - 1,
      ...(isCable ? { cable: (weights['cable'] ?? 0) - 1 } : {}),
    },
  };
}

/**
 * The issuer of an instrument. Instruments of one issuer, such as GGAL and GGAL_US, share its news.
 */
function stemOf({ ticker }: Instrument): string {
  return ticker.replace(/_US$/, '');
}
