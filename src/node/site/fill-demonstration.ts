import { firstEpochDay, toEpochDay } from '../../domain/calendar/plain-date.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { simulatedHistory } from '../../feeds/simulated/simulated-history.ts';
import { SimulatedMinutes } from '../../feeds/simulated/simulated-minutes.ts';
import type { Store } from '../../store/contract/store.ts';
import { seedQuotes } from './seed-quotes.ts';

interface DemonstrationParts {
  readonly universe: Universe;
  readonly seed: number;
  /** The source of the closes and of the quotes. */
  readonly source: string;
  /** In epoch milliseconds. */
  readonly now: number;
}

/**
 * Brings the store of a demonstration up to an instant, as if it had always been running: two years of closes,
 * and the quotes of the current sessions. What it has already is left unchanged. The first time takes one to
 * two seconds.
 */
export async function fillDemonstration(store: Store, parts: DemonstrationParts): Promise<void> {
  const { universe, seed, source, now } = parts;
  await fillHistory(store, parts);
  const minutes = new SimulatedMinutes(universe, seed);
  await seedQuotes(store, { minutes, source: { name: source, delayMinutes: 0 }, now });
}

async function fillHistory(
  store: Store,
  { universe, seed, source, now }: DemonstrationParts,
): Promise<void> {
  const calendars = new MarketCalendars(universe);
  const tickers = universe.instruments.map(({ ticker }) => ticker);
  const latest = await store.history.latestCloses(tickers);
  const isComplete = universe.instruments.every((instrument) => {
    const lastOver = toEpochDay(calendars.of(instrument).lastSessionOver(now, 0));
    return (latest.get(instrument.ticker)?.day ?? firstEpochDay) >= lastOver;
  });
  if (isComplete) return;
  await store.history.transaction(async (transaction) => {
    let written: Promise<void> | undefined;
    for (const { ticker, closes } of simulatedHistory(universe, { seed, until: now, source })) {
      // The store writes the closes of one instrument while those of the next one are computed.
      await written;
      // A recorded session may have ended with another price than the simulation of its close.
      const stored = latest.get(ticker)?.day ?? firstEpochDay;
      written = transaction.put(
        ticker,
        closes.filter(({ day }) => day > stored),
      );
    }
    await written;
  });
}
