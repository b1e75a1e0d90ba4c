import type { Bond } from '../../domain/bonds/bond.ts';
import type { Bonds } from '../../domain/bonds/bonds.ts';
import { settlementOf } from '../../domain/calendar/business-days.ts';
import { conventions, defaultConvention } from '../../domain/bonds/conventions.ts';
import { valuesOf } from '../../domain/bonds/index-growth.ts';
import { quotedPrice } from '../../domain/bonds/quoted-price.ts';
import { isPlausibleParity, valueBond, type BondValuation } from '../../domain/bonds/value-bond.ts';
import { ConversionRates } from '../../domain/dollars/conversion-rates.ts';
import { DollarRates } from '../../domain/dollars/dollar-rates.ts';
import type { IndexSeries } from '../../domain/indices/index-series.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { makeQuote, type Quote } from '../../domain/quotes/quote.ts';
import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import { quotesOfStored, type StoredQuote } from '../../domain/quotes/stored-quote.ts';
import type { Store } from '../../store/contract/store.ts';
import { warningIfAny, type Finding } from '../../lib/reports/finding.ts';
import { instrumentClasses } from '../../domain/instruments/instrument-classes.ts';
import type { DollarRate } from '../../domain/dollars/dollar-rate.ts';

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

/**
 * The stored quotes, with the latest close of a bond in the place of its quote if the session of the close is
 * later. Such a close was imported while no service was running. A service shows it from its next start on.
 */
export async function quotesWithCloses(
  universe: Universe,
  stored: readonly StoredQuote[],
  history: Pick<Store['history'], 'latestCloses'>,
): Promise<readonly Quote[]> {
  const quotes = quotesOfStored(universe, stored);
  const byInstrument = new Map(quotes.map((quote) => [quote.instrument, quote]));
  const bonds = universe.instruments.filter(({ kind }) => canMature(kind));
  const closes = await history.latestCloses(bonds.map(({ ticker }) => ticker));
  for (const instrument of bonds) {
    const latest = closes.get(instrument.ticker);
    if (latest === undefined) continue;
    const sessionDate = fromEpochDay(latest.day);
    if (sessionDate <= (byInstrument.get(instrument)?.sessionDate ?? '')) continue;
    const session = { sessionDate, last: latest.close, volume: latest.volume };
    byInstrument.set(instrument, makeQuote(instrument, { version: 0, session, references: {} }));
  }
  return [...byInstrument.values()];
}

/**
 * Finds the quotes that cannot be prices of 100 nominal, because their parity is outside 5 to 200 %. Their state in
 * `/bonos` is `precio-dudoso`. Each case names the mistake that would explain the parity.
 */
export function checkBondPrices(quoted: readonly QuotedBond[]): Finding {
  const valued = quoted.filter(({ figures }) => figures.parity !== null);
  const doubtful = valued.filter(({ figures }) => figures.state === 'doubtful-price');
  const cases = doubtful.map((one) => lineOf(one) + explanationOf(one));
  return warningIfAny('bond prices', cases, {
    none:
      valued.length === 0
        ? 'No quote of a bond has a parity.'
        : `The parities of ${valued.length} quotes of bonds are plausible.`,
    some: 'Prices cannot be those of 100 nominal, so the bonds have no yield.',
    todo: 'Compare each with the market. If the source reports one nominal, write 1 into price_per of its row in instruments.csv of the universe. If it reports another currency or issue, correct currency there, series in bonds.csv, or the source.',
  });
}

function lineOf({ quote, figures }: QuotedBond): string {
  const { instrument, sessionDate, last } = quote;
  const { exchangeRate, parity } = figures;
  const rate = exchangeRate === null ? '' : ` at ${Number(exchangeRate.toFixed(2))} for a dollar`;
  const price = `${last} ${instrument.currency}${rate}`;
  return `${instrument.ticker} ${sessionDate}: ${price} is a parity of ${shown(parity)} %`;
}

/** The mistake that best explains a parity: without it, the parity would be closest to 100 %. */
function explanationOf({ quote, figures, rate }: QuotedBond): string {
  const parity = figures.parity ?? Number.NaN;
  const mistakes = [{ mistake: 'the price of one nominal', parity: parity * 100 }];
  if (rate !== undefined) {
    const isInDollars = quote.instrument.currency === 'USD';
    mistakes.push({
      mistake: isInDollars ? 'in ARS' : 'in USD',
      parity: isInDollars ? parity / rate : parity * rate,
    });
  }
  const [best] = mistakes
    .filter((one) => isPlausibleParity(one.parity))
    .toSorted((a, b) => distance(a.parity) - distance(b.parity));
  return best === undefined ? '' : `, as if it were ${best.mistake}`;
}

function distance(parity: number): number {
  return Math.abs(Math.log(parity / 100));
}

function shown(parity: number | null): number {
  return Number((parity ?? Number.NaN).toPrecision(3));
}

/** The largest difference between the yields of both classes in dollars, in basis points. */
const differenceMax = 300;

const basisPoints = 100;

/**
 * Finds the bonds whose yields of class D (dollars in Argentina) and class C (dollars abroad) are more than 300
 * basis points apart in one session. The difference between the two dollars explains less than that.
 */
export function checkBondClasses(universe: Universe, quoted: readonly QuotedBond[]): Finding {
  const yields = new Map(
    quoted.flatMap(({ quote: { instrument, sessionDate, last }, figures: { yield: percent } }) =>
      percent === null
        ? []
        : [[instrument, { ticker: instrument.ticker, sessionDate, last, percent }] as const],
    ),
  );
  const pairs = instrumentClasses(universe.instruments).flatMap(({ mep, cable }) => {
    const [classD, classC] = [mep && yields.get(mep), cable && yields.get(cable)];
    if (classD === undefined || classC === undefined) return [];
    return classD.sessionDate === classC.sessionDate ? [{ classD, classC }] : [];
  });
  const cases = pairs.flatMap(({ classD, classC }) => {
    const apart = Math.abs(classD.percent - classC.percent) * basisPoints;
    if (apart <= differenceMax) return [];
    return `${classD.ticker} yields ${classD.percent.toFixed(2)} % at ${classD.last}, ${classC.ticker} ${classC.percent.toFixed(2)} % at ${classC.last} (${classD.sessionDate}): ${Math.round(apart)} basis points`;
  });
  return warningIfAny('bond classes', cases, {
    none:
      pairs.length === 0
        ? 'No bond has a yield of class D and one of class C in one session.'
        : `The yields of class D and class C agree for ${pairs.length} bonds.`,
    some: `Yields of class D and class C of a bond are more than ${differenceMax} basis points apart.`,
    todo: 'Compare both prices with the market: one may be old, or of another class or issue. Then correct the source, or base and class in instruments.csv of the universe.',
  });
}

/**
 * Finds the dollars that two classes of a security imply and that cannot be believed. Their state in `/dolares` is
 * `precio-dudoso`. Without the MEP of AL30, no price in pesos of a bond in dollars has a yield.
 */
export function checkDollars(
  quotes: readonly Quote[],
  { universe, bonds }: { readonly universe: Universe; readonly bonds: Bonds },
): Finding {
  const byInstrument = new Map(quotes.map((quote) => [quote.instrument, quote]));
  const rates = new DollarRates(universe, bonds).implied((one) => byInstrument.get(one));
  const cases = rates.filter(({ state }) => state === 'doubtful-price').map(rateText);
  return warningIfAny('dollars', cases, {
    none:
      rates.length === 0
        ? 'No security has prices of two of its classes in one session.'
        : `${rates.length} dollars that the classes of securities imply can be believed.`,
    some: 'Two classes of a security imply a dollar that cannot be.',
    todo: 'Compare both prices with the market: one may be of one nominal, of another class or issue, or a slip. Then correct the source, or price_per, base and class in instruments.csv of the universe.',
  });
}

function rateText({ dollar, sessionDate, numerator, denominator, last }: DollarRate): string {
  const unit = dollar === 'cable-over-mep' ? '% of canje' : 'ARS for a dollar';
  return `${numerator} ÷ ${denominator} ${sessionDate}: ${Number(last.toPrecision(6))} ${unit}`;
}
