import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { makeQuote } from '../../domain/quotes/quote.ts';
import type { Quote } from '../../domain/quotes/quote.ts';
import { quotesOfStored } from '../../domain/quotes/stored-quote.ts';
import type { Store } from '../../store/contract/store.ts';

/**
 * The latest prices of a store: its quotes, and the closes of bonds that are of a later session. Those were
 * imported and no service has read them yet; it would show them.
 */
export async function quotesWithCloses(
  universe: Universe,
  { quotes, history }: Pick<Store, 'quotes' | 'history'>,
): Promise<readonly Quote[]> {
  const shown = quotesOfStored(universe, await quotes.readAll());
  const byInstrument = new Map(shown.map((quote) => [quote.instrument, quote]));
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
