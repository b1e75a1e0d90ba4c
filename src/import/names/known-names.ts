import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { tickerKey, type TickerKey } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';

/** The instruments that a file may name. */
export type KnownNames = Pick<Universe, 'find' | 'instruments'>;

/**
 * The universe with the old tickers of its instruments, from the recorded changes of the ticker. An old
 * ticker has the market and the kind of the instrument that continues it. Its closes are stored under the
 * old ticker, as those of its days.
 */
export function withOldTickers(universe: Universe, actions: CorporateActions): KnownNames {
  const old = new Map<TickerKey, Instrument>();
  for (const ticker of actions.tickers) {
    if (universe.find(ticker) !== undefined) continue;
    const later = actions.laterTickers(ticker).flatMap((one) => universe.find(one) ?? []);
    const [instrument] = later;
    if (instrument !== undefined) old.set(tickerKey(ticker), { ...instrument, ticker });
  }
  return {
    instruments: universe.instruments,
    find: (spelling) => universe.find(spelling) ?? old.get(tickerKey(spelling)),
  };
}
