import type { Bond } from '../../domain/bonds/bond.ts';
import type { Bonds } from '../../domain/bonds/bonds.ts';
import { settlementOf } from '../../domain/calendar/business-days.ts';
import { conventions, defaultConvention } from '../../domain/bonds/conventions.ts';
import { valuesOf } from '../../domain/bonds/index-growth.ts';
import { quotedPrice } from '../../domain/bonds/quoted-price.ts';
import { valueBond, type BondValuation } from '../../domain/bonds/value-bond.ts';
import { ConversionRates } from '../../domain/dollars/conversion-rates.ts';
import { DollarRates } from '../../domain/dollars/dollar-rates.ts';
import type { IndexSeries } from '../../domain/indices/index-series.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Quote } from '../../domain/quotes/quote.ts';

/** A bond with its figures at a quote of one of its classes. */
export interface QuotedBond {
  readonly quote: Quote;
  readonly bond: Bond;
  readonly figures: BondValuation;
  /** Pesos for one dollar in the session of the quote, whether it was needed or not. Absent if not known. */
  readonly rate: number | undefined;
}

/** The figures of all bonds at their quotes, as `/bonos` has them by default. */
export function valueQuotes(
  quotes: readonly Quote[],
  known: { readonly universe: Universe; readonly bonds: Bonds; readonly series: IndexSeries },
): readonly QuotedBond[] {
  const { universe, bonds, series } = known;
  const rates = new ConversionRates(universe, new DollarRates(universe, bonds));
  const byInstrument = new Map(quotes.map((quote) => [quote.instrument, quote]));
  const convention = conventions[defaultConvention];
  const index = valuesOf(series);
  return quotes.flatMap((quote) => {
    const bond = bonds.of(quote.instrument);
    if (bond === undefined) return [];
    const { rate } = rates.of(
      'mep',
      { day: quote.sessionDate, isQuoted: true },
      { quoteOf: (instrument) => byInstrument.get(instrument), indices: series },
    );
    const figures = valueBond(bond, {
      settlement: settlementOf(bond.days, quote.sessionDate, convention.settles),
      convention,
      price: quotedPrice(quote),
      exchangeRate: rate,
      index,
    });
    return { quote, bond, figures, rate };
  });
}
