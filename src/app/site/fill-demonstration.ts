import { toEpochDay } from '../../domain/plain-date.ts';
import type { PlainDate } from '../../domain/plain-date.ts';
import type { Universe } from '../../domain/universe.ts';
import { simulatedHistory } from '../../feeds/simulated/simulated-history.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store/store.ts';

/**
 * Gives a demonstration two years of made-up closes, up to now. Making them takes a second or two, so
 * a demonstration that has them up to yesterday is left as it is.
 */
export async function fillDemonstration(
  store: Store,
  {
    universe,
    seed,
    clock,
  }: { readonly universe: Universe; readonly seed: number; readonly clock: Clock },
): Promise<void> {
  const now = clock.now();
  const today = toEpochDay(new Date(now).toISOString().slice(0, 10) as PlainDate);
  const tickers = universe.instruments.map(({ ticker }) => ticker);
  const latest = await store.history.latestCloses(tickers);
  if ([...latest.values()].some(({ day }) => day >= today - 1)) return;
  await store.history.transaction(async (transaction) => {
    for (const { ticker, closes } of simulatedHistory(universe, { seed, until: now })) {
      await transaction.put(ticker, closes);
    }
  });
}
