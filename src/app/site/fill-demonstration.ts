import { toEpochDay } from '../../domain/plain-date.ts';
import type { PlainDate } from '../../domain/plain-date.ts';
import type { Universe } from '../../domain/universe.ts';
import { simulatedHistory } from '../../feeds/simulated/simulated-history.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store/store.ts';

/**
 * Stores two years of simulated closes for a demonstration, up to now. This takes one to two seconds. A
 * demonstration that has closes up to yesterday is left unchanged.
 */
export async function fillDemonstration(
  store: Store,
  {
    universe,
    seed,
    source,
    clock,
  }: {
    readonly universe: Universe;
    readonly seed: number;
    /** The source of the closes. */
    readonly source: string;
    readonly clock: Clock;
  },
): Promise<void> {
  const now = clock.now();
  const today = toEpochDay(new Date(now).toISOString().slice(0, 10) as PlainDate);
  const tickers = universe.instruments.map(({ ticker }) => ticker);
  const latest = await store.history.latestCloses(tickers);
  if ([...latest.values()].some(({ day }) => day >= today - 1)) return;
  await store.history.transaction(async (transaction) => {
    let written: Promise<void> | undefined;
    for (const { ticker, closes } of simulatedHistory(universe, { seed, until: now, source })) {
      // The store writes the closes of one instrument while those of the next one are computed.
      await written;
      written = transaction.put(ticker, closes);
    }
    await written;
  });
}
