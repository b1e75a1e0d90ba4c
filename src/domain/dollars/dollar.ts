import type { Derivation } from '../instruments/derivation.ts';
import type { Ticker } from '../instruments/ticker.ts';
import type { Universe } from '../instruments/universe.ts';
import type { Instrument } from '../instruments/instrument.ts';

/** The dollars of Argentina: what a dollar costs in pesos, by where and how it is bought. */
export const dollars = [
  'retail',
  'wholesale',
  'a3500',
  'card',
  'informal',
  'mep',
  'cable',
  /** By how much the dollar abroad is dearer than the one in Argentina, in percent. */
  'cable-over-mep',
  'crypto',
] as const;

export type Dollar = (typeof dollars)[number];

/** A dollar that an instrument of the universe quotes. */
export interface PublishedDollar {
  readonly dollar: Dollar;
  readonly instrument: Instrument;
  /** The instruments of its buying and its selling price, where they are instruments of their own. */
  readonly bid?: Instrument | undefined;
  readonly ask?: Instrument | undefined;
}

/** The instruments that quote a dollar, by the codes of the contract (2.5.3). */
const published: readonly (readonly [Dollar, ticker: string])[] = [
  ['retail', 'DOLAR OFICIAL'],
  ['wholesale', 'DOLAR MAYORISTA'],
  ['a3500', 'DOLAR A3500'],
  ['card', 'DOLAR TARJETA'],
  ['informal', 'DOLAR BLUE'],
  ['mep', 'DOLAR MEP'],
  ['mep', 'DOLAR MEP LEDE'],
  ['cable', 'DOLAR CCL'],
  ['cable', 'DOLAR CCL MTR'],
  ['crypto', 'DOLAR CRIPTO'],
];

/** The ticker that quotes a dollar, the usual one of several. */
export function tickerOfDollar(dollar: Exclude<Dollar, 'cable-over-mep'>): string {
  const [, ticker] = published.find(([one]) => one === dollar) ?? [];
  if (ticker === undefined) throw new Error(`no instrument quotes the dollar ${dollar}`);
  return ticker;
}

/** The bond by whose classes prices in pesos are converted. */
export const referenceBond = 'AL30';

/** The wholesale dollar, over which the others are compared. */
export const wholesaleTicker = 'DOLAR MAYORISTA' as Ticker;

/**
 * The dollars that a universe quotes. One that the service derives from two classes of a bond is not
 * published: it is the implied dollar of that bond.
 */
export function publishedDollars(universe: Universe): readonly PublishedDollar[] {
  const derivations = new Map<Ticker, Derivation>(
    universe.derived.map(({ instrument, derivation }) => [instrument.ticker, derivation]),
  );
  return published.flatMap(([dollar, ticker]) => {
    const instrument = universe.find(ticker);
    if (instrument === undefined) return [];
    if (derivations.get(instrument.ticker)?.type === 'ratio') return [];
    const bid = universe.find(`${ticker} COMPRA`);
    const ask = universe.find(`${ticker} VENTA`);
    return [{ dollar, instrument, bid, ask }];
  });
}
