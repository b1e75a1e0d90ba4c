import { Factors, type FactorTraits } from './factor.ts';

/** The factors of more than one instrument. Any other name is the news of one issuer. */
const sharedFactors: Readonly<Record<string, FactorTraits>> = {
  argentina: { dailyPct: 1.4, persistence: 0.995 },
  world: { dailyPct: 0.9, persistence: 0.995 },
  /** Pesos per dollar, however it is paid. */
  dollar: { dailyPct: 0.6, persistence: 0.997 },
  /** The premium of a dollar abroad. */
  cable: { dailyPct: 0.15, persistence: 0.95 },
  /** How far the official dollar is from the dollars that securities imply. */
  'official dollar': { dailyPct: 0.2, persistence: 0.97 },
  'informal dollar': { dailyPct: 0.3, persistence: 0.97 },
  /** The yields of bonds, in parts of the yield. */
  sovereign: { dailyPct: 2, persistence: 0.99 },
  corporate: { dailyPct: 1, persistence: 0.99 },
  'real rates': { dailyPct: 1.5, persistence: 0.99 },
  'peso rates': { dailyPct: 1.2, persistence: 0.99 },
  'deposit rates': { dailyPct: 1, persistence: 0.98 },
  caucion: { dailyPct: 2, persistence: 0.97 },
  crypto: { dailyPct: 2, persistence: 0.995 },
};

/** The factor for the news of one issuer. */
const ownFactor: FactorTraits = { dailyPct: 1, persistence: 0.99 };

/** The factors of a simulation. */
export function makeFactors(seed: number): Factors {
  return new Factors(seed, (name) => sharedFactors[name] ?? ownFactor);
}
