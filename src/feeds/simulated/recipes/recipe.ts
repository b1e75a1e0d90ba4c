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

/**
 * Rounds a price to five digits, with no decimals from 10,000 on and at least two below. A tie may go
 * either way, because simulated prices have no other origin. Exact rounding takes four times as long.
 */
export function roundedPrice(price: number, decimalsMax: number): number {
  const digits = Math.floor(Math.log10(price));
  const scale = 10 ** Math.min(digits >= 4 ? 0 : Math.max(2, 4 - digits), decimalsMax);
  return Math.round(price * scale) / scale;
}

/** Pesos for one dollar that is paid in Argentina, and for one that is paid abroad. */
export const mep = 1545;
export const ccl = 1590;

/** The weights that turn a price in dollars abroad into one in pesos. */
export const inPesos = { dollar: 1, cable: 1 };

const official = { dollar: 1, 'official dollar': 1 };

/** The reference exchange rate. Its closes are also the values of the index A3500. */
export const a3500: Recipe = { level: 1510, weights: official };

/** Levels of well-known instruments, close to those of late 2026. All prices are invented. */
export const knownRecipes: Readonly<Record<string, Recipe>> = {
  'DOLAR OFICIAL': { level: 1540, weights: official },
  'DOLAR OFICIAL VENTA': { level: 1540, weights: official },
  'DOLAR OFICIAL COMPRA': { level: 1490, weights: official },
  'DOLAR MAYORISTA': { level: 1512, weights: official },
  'DOLAR A3500': a3500,
  'DOLAR TARJETA': { level: 2002, weights: official },
  'DOLAR BLUE': { level: 1560, weights: { dollar: 1, 'informal dollar': 1 } },
  'DOLAR BLUE VENTA': { level: 1560, weights: { dollar: 1, 'informal dollar': 1 } },
  'DOLAR BLUE COMPRA': { level: 1540, weights: { dollar: 1, 'informal dollar': 1 } },
  'DOLAR MEP': { level: mep, weights: { dollar: 1 } },
  'DOLAR MEP LEDE': { level: mep + 2, weights: { dollar: 1 } },
  'DOLAR CCL': { level: ccl, weights: inPesos },
  'DOLAR CCL MTR': { level: ccl - 1, weights: inPesos },
  'DOLAR CRIPTO': { level: ccl - 5, weights: { ...inPesos, 'own DOLAR CRIPTO': 0.1 } },
  'DOLAR/EURO': { level: 1.168, weights: { 'own DOLAR/EURO': 0.35 } },
  EUROLELIQ: { level: 1800, weights: official },
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
