import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { FeedConfig } from './feed-type.ts';

/** What a source has: tickers in any spelling, or a test of an instrument. */
export type Offer = Iterable<string> | ((instrument: Instrument) => boolean);

interface SelectionContext {
  readonly universe: Universe;
  readonly config: FeedConfig;
}

/**
 * The instruments that are taken from a source: those that it offers, and that the configuration includes and does
 * not exclude. In the order of the universe.
 */
export function selectInstruments(offer: Offer, context: SelectionContext): readonly Instrument[] {
  // The engine computes derived instruments and refuses updates of them.
  const derived = new Set(context.universe.derived.map(({ instrument }) => instrument));
  return selectForHistory(offer, context).filter((one) => !derived.has(one));
}

/**
 * As {@link selectInstruments}, for history: the past of a derived instrument is not computed, so it is
 * taken from a source too.
 */
export function selectForHistory(
  offer: Offer,
  { universe, config }: SelectionContext,
): readonly Instrument[] {
  const { include, exclude = [] } = config.instruments ?? {};
  const isOneOf = (spellings: Iterable<string>): ((one: Instrument) => boolean) => {
    const named = new Set(Array.from(spellings, (spelling) => universe.find(spelling)));
    return (one) => named.has(one);
  };
  const isOffered = typeof offer === 'function' ? offer : isOneOf(offer);
  const isIncluded = include === undefined ? () => true : isOneOf(include);
  const isExcluded = isOneOf(exclude);
  return universe.instruments.filter(
    (one) => isOffered(one) && isIncluded(one) && !isExcluded(one),
  );
}

/** The tickers of instruments. */
export function tickersOf(instruments: readonly Instrument[]): ReadonlySet<Ticker> {
  return new Set(instruments.map(({ ticker }) => ticker));
}

/**
 * Instruments in the order in which a source that limits requests is asked for them: those first that no
 * source with a higher priority has.
 */
export function newFirst(
  instruments: readonly Instrument[],
  earlier: ReadonlySet<Ticker> = new Set(),
): readonly Instrument[] {
  const hasOther = ({ ticker }: Instrument): boolean => earlier.has(ticker);
  return [...instruments.filter((one) => !hasOther(one)), ...instruments.filter(hasOther)];
}
