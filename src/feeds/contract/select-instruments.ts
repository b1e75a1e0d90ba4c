import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Update } from '../../domain/quotes/update.ts';
import type { FeedConfig } from './feed-type.ts';

/**
 * The tickers that are taken from a source: those that it offers, that the universe has, and that the
 * configuration includes and does not exclude. In the order of the universe.
 */
export function selectInstruments(
  offered: Iterable<string>,
  context: SelectionContext,
): ReadonlySet<Ticker> {
  // The engine computes derived instruments and refuses updates of them.
  const derived = new Set(context.universe.derived.map(({ instrument }) => instrument));
  return tickersOf(selected(offered, context).filter((one) => !derived.has(one)));
}

/**
 * As {@link selectInstruments}, for history: the past of a derived instrument is not computed, so it is
 * taken from a source too.
 */
export function selectForHistory(
  offered: Iterable<string>,
  context: SelectionContext,
): ReadonlySet<Ticker> {
  return tickersOf(selected(offered, context));
}

interface SelectionContext {
  readonly universe: Universe;
  readonly config: FeedConfig;
}

function selected(
  offered: Iterable<string>,
  { universe, config }: SelectionContext,
): readonly Instrument[] {
  const { include, exclude } = config.instruments ?? {};
  const [offers, included, excluded] = [offered, include ?? [], exclude ?? []].map(
    (spellings) => new Set([...spellings].map((spelling) => universe.find(spelling))),
  );
  return universe.instruments.filter(
    (one) =>
      offers?.has(one) === true &&
      (include === undefined || included?.has(one) === true) &&
      excluded?.has(one) !== true,
  );
}

function tickersOf(instruments: readonly Instrument[]): ReadonlySet<Ticker> {
  return new Set(instruments.map(({ ticker }) => ticker));
}

/** What a source has: tickers, or a test of an instrument. */
export type Offer = Iterable<string> | ((instrument: Instrument) => boolean);

/** The instruments that a source has and that the configuration takes, without derived ones. */
export function selectOffered(offer: Offer, context: SelectionContext): readonly Instrument[] {
  if (typeof offer === 'function') return selectWhere(offer, context);
  return [...selectInstruments(offer, context)].map((ticker) => context.universe.get(ticker));
}

/** The instruments that pass a test and that the configuration takes. In the order of the universe. */
export function selectWhere(
  isOffered: (instrument: Instrument) => boolean,
  context: SelectionContext,
): readonly Instrument[] {
  const { universe } = context;
  const offered = universe.instruments.filter(isOffered).map(({ ticker }) => ticker);
  return [...selectInstruments(offered, context)].map((ticker) => universe.get(ticker));
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

/** A batch without the updates of instruments that are not taken from the source. */
export function onlySelected<Batch extends { readonly updates: readonly Update[] }>(
  batch: Batch,
  tickers: ReadonlySet<Ticker>,
): Batch {
  return { ...batch, updates: batch.updates.filter(({ ticker }) => tickers.has(ticker)) };
}
