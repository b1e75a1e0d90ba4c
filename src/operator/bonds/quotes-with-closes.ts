import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { makeQuote, type Quote } from '../../domain/quotes/quote.ts';
import { quotesOfStored, type StoredQuote } from '../../domain/quotes/stored-quote.ts';
import type { Store } from '../../store/contract/store.ts';

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
