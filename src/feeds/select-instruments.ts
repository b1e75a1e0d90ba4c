import type { Instrument } from '../domain/instrument.ts';
import type { Ticker } from '../domain/ticker.ts';
import type { Universe } from '../domain/universe.ts';
import type { Update } from '../domain/update.ts';
import type { FeedConfig } from './feed-type.ts';

/**
 * The tickers that are taken from a source: those that it offers, that the universe has, and that the
 * configuration includes and does not exclude. In the order of the universe.
 */
export function selectInstruments(
  offered: Iterable<string>,
  { universe, config }: { readonly universe: Universe; readonly config: FeedConfig },
): ReadonlySet<Ticker> {
  const { include, exclude } = config.instruments ?? {};
  const [offers, included, excluded] = [offered, include ?? [], exclude ?? []].map(
    (spellings) => new Set([...spellings].map((spelling) => universe.find(spelling))),
  );
  // The engine computes derived instruments and refuses updates of them.
  const derived = new Set(universe.derived.map(({ instrument }) => instrument));
  const selected = universe.instruments.filter(
    (one) =>
      !derived.has(one) &&
      offers?.has(one) === true &&
      (include === undefined || included?.has(one) === true) &&
      excluded?.has(one) !== true,
  );
  return new Set(selected.map(({ ticker }) => ticker));
}

/** The instruments that pass a test and that the configuration takes. In the order of the universe. */
export function selectWhere(
  isOffered: (instrument: Instrument) => boolean,
  context: { readonly universe: Universe; readonly config: FeedConfig },
): readonly Instrument[] {
  const { universe } = context;
  const offered = universe.instruments.filter(isOffered).map(({ ticker }) => ticker);
  return [...selectInstruments(offered, context)].map((ticker) => universe.get(ticker));
}

/** A batch without the updates of instruments that are not taken from the source. */
export function onlySelected<Batch extends { readonly updates: readonly Update[] }>(
  batch: Batch,
  selected: ReadonlySet<Ticker>,
): Batch {
  return { ...batch, updates: batch.updates.filter(({ ticker }) => selected.has(ticker)) };
}
