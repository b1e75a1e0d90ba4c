import type { InstrumentClasses } from '../instruments/instrument-classes.ts';
import type { Instrument } from '../instruments/instrument.ts';
import type { Quote } from '../quotes/quote.ts';
import { believedRates } from './believed-rates.ts';
import { referenceBond, type Dollar } from './dollar.ts';
import { rateOfQuotes, type DollarRate } from './dollar-rate.ts';

/** What implied rates are judged by. */
export interface ImpliedWitnesses {
  /** Whether the price of a quote cannot be one of its bond. */
  readonly isDoubtful: (quote: Quote) => boolean;
  /** The wholesale dollar, if it is comparable with a rate. */
  readonly wholesaleFor: (rate: DollarRate) => number | undefined;
}

/**
 * The dollars that the classes of securities imply: the price of each in pesos by its price in dollars, and its
 * price in local dollars by that in dollars abroad. Prices of different sessions imply nothing. A rate is doubtful
 * if one of its prices is, or if the rates of other securities contradict it.
 */
export function impliedRates(
  securities: readonly InstrumentClasses[],
  quoteOf: (instrument: Instrument) => Quote | undefined,
  { isDoubtful, wholesaleFor }: ImpliedWitnesses,
): readonly DollarRate[] {
  const rate = (
    base: Instrument,
    dollar: Dollar,
    [numerator, denominator]: readonly [Instrument | undefined, Instrument | undefined],
    transform: (value: number) => number = (value) => value,
  ): readonly DollarRate[] => {
    const above = numerator && quoteOf(numerator);
    const below = denominator && quoteOf(denominator);
    const own = { dollar, base: base.ticker, method: 'implied' } as const;
    const found = rateOfQuotes(above, below, own, transform);
    if (found === undefined) return [];
    const isIn = [above, below].some((quote) => quote !== undefined && isDoubtful(quote));
    return [isIn ? { ...found, state: 'doubtful-price' } : found];
  };
  const all = securities.flatMap(({ pesos, mep, cable }) => [
    ...rate(pesos, 'mep', [pesos, mep]),
    ...rate(pesos, 'cable', [pesos, cable]),
    ...rate(pesos, 'cable-over-mep', [mep, cable], (ratio) => (ratio - 1) * 100),
  ]);
  const groups = Map.groupBy(all, groupOf);
  const believed = new Map(
    Array.from(groups, ([group, rates]) => [group, believedOf(rates, wholesaleFor)]),
  );
  return all.map((one) =>
    believed.get(groupOf(one))?.(one) === true ? one : { ...one, state: 'doubtful-price' },
  );
}

function groupOf({ dollar, sessionDate }: DollarRate): string {
  return `${dollar} ${sessionDate}`;
}

/** Which of the rates of one dollar and one session are believed. */
function believedOf(
  rates: readonly DollarRate[],
  wholesaleFor: ImpliedWitnesses['wholesaleFor'],
): (rate: DollarRate) => boolean {
  const usable = rates.filter(({ state }) => state !== 'doubtful-price');
  const [first] = usable;
  if (first === undefined) return () => false;
  const isRatio = first.dollar === 'cable-over-mep';
  const valueOf = ({ last }: DollarRate): number => (isRatio ? 1 + last / 100 : last);
  const reference = usable.find(({ base }) => base === referenceBond);
  const believed = believedRates(usable.map(valueOf), {
    reference: reference && valueOf(reference),
    anchor: isRatio ? 1 : wholesaleFor(first),
  });
  return (rate) => rate.state !== 'doubtful-price' && believed.includes(valueOf(rate));
}
