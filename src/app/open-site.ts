import { join } from 'node:path';
import type { Universe } from '../domain/universe.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { HistoryReader } from '../store/history-store.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { openMarket } from './open-market.ts';
import type { Market } from './open-market.ts';
import type { Settings } from './settings.ts';

/** What is served: the real market of this installation, or a demonstration with made-up prices. */
export interface Site extends AsyncDisposable {
  readonly isSimulated: boolean;
  readonly market: Market;
  readonly history: HistoryReader;
}

/** What both sorts of site are made of. */
export interface SiteParts {
  readonly universe: Universe;
  readonly settings: Settings;
  readonly log: Log;
}

/** The demonstration's directory within the data directory, so that the two never mix. */
const demonstrationDirectory = 'demo';

/** Opens the real market over the installation's own store, which stays the caller's. */
export async function openRealSite(parts: SiteParts, store: Store): Promise<Site> {
  await using cleanUp = new AsyncDisposableStack();
  const market = cleanUp.use(await openMarketOver(parts, store));
  return siteOf({ isSimulated: false, market, history: store.history }, cleanUp.move());
}

/** Opens the demonstration over a store of its own. */
export async function openSimulatedSite(parts: SiteParts): Promise<Site> {
  await using cleanUp = new AsyncDisposableStack();
  const directory = join(parts.settings.data, demonstrationDirectory);
  const store = cleanUp.use(await openSqliteStore({ directory, writer: 'worker' }));
  const market = cleanUp.use(await openMarketOver(parts, store));
  return siteOf({ isSimulated: true, market, history: store.history }, cleanUp.move());
}

function openMarketOver({ universe, settings, log }: SiteParts, store: Store): Promise<Market> {
  const settleDelayMs = settings.settleDelayMinutes * 60_000;
  return openMarket({ universe, store, clock: systemClock, log, settleDelayMs });
}

function siteOf(parts: Omit<Site, keyof AsyncDisposable>, running: AsyncDisposableStack): Site {
  return { ...parts, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
