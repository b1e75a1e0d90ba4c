import type { DollarPayment, Instrument } from './instrument.ts';

/** One security that is traded in pesos and in dollars, with the instrument of each class. */
export interface InstrumentClasses {
  readonly pesos: Instrument;
  readonly mep?: Instrument;
  readonly cable?: Instrument;
}

/**
 * The securities that have a class in dollars, in the order of their classes in pesos. Classes are those that
 * the universe names: the last letter of a ticker tells nothing (`BA37D` is traded in pesos).
 */
export function instrumentClasses(
  instruments: readonly Instrument[],
): readonly InstrumentClasses[] {
  const dollars = Map.groupBy(instruments, ({ dollarClass }) => dollarClass?.base);
  return instruments.flatMap((pesos) => {
    const classes = pesos.dollarClass === undefined ? (dollars.get(pesos.ticker) ?? []) : [];
    if (classes.length === 0) return [];
    const paid = classes.map((one) => [one.dollarClass?.paid, one] as const);
    return [{ pesos, ...(Object.fromEntries(paid) as Partial<Record<DollarPayment, Instrument>>) }];
  });
}
