import { unpackQuote } from '../../bus/process/packed-quotes.ts';
import type { SourcesState } from '../../domain/quotes/sources-state.ts';
import { Universe } from '../../domain/instruments/universe.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import type { StoreDamage } from '../../store/contract/store-fault.ts';
import { openPlace } from '../place/open-place.ts';
import { openFollowedSite, type FollowedSite } from '../roles/followed-site.ts';
import type { Replication, ShowMessage } from './messages.ts';

/** A site whose market runs in another process of the service. */
export interface ReceivedSite extends AsyncDisposable {
  readonly site: FollowedSite;
  /** Publishes quotes of that process, and notes what it knows about the store and the sources. */
  take(news: Pick<ShowMessage, 'quotes' | 'replication' | 'sources' | 'origins'>): void;
  /** The ids of the services that this one follows. */
  readonly origins: readonly string[];
}

/**
 * Opens a site from a message. The board has all quotes when the promise resolves.
 *
 * @throws StoreFault when the store cannot be read.
 */
export async function openReceivedSite(
  first: ShowMessage,
  damage: StoreDamage,
  log: Log,
): Promise<ReceivedSite> {
  const { settings, isSimulated, replication } = first;
  await using cleanUp = new AsyncDisposableStack();
  const universe = new Universe(first.universe);
  const installation = cleanUp.use(openPlace(settings.store, damage));
  learnLine(installation, replication);
  const place = isSimulated ? cleanUp.use(installation.demonstration()) : installation;
  const store = cleanUp.use(await place.open({ mode: 'read' }));
  let confirmedAt = 0;
  let isBehind = false;
  let lineage = replication?.lineage;
  let sources: SourcesState | undefined;
  let origins: readonly string[] = [];
  const site = cleanUp.use(
    await openFollowedSite({
      universe,
      store,
      damage,
      log,
      intradaySessions: settings.intradaySessions,
      // The first process has filled the demonstration at most a moment before.
      demonstrationSince: isSimulated ? systemClock.now() : undefined,
      sources: () => sources,
      ...(replication === undefined
        ? {}
        : {
            dataAgeMs: () => systemClock.monotonic() - confirmedAt,
            isBehind: () => isBehind,
            lineage: () => lineage,
          }),
    }),
  );
  const take: ReceivedSite['take'] = (news) => {
    confirmedAt = systemClock.monotonic() - (news.replication?.dataAgeMs ?? 0);
    isBehind = news.replication?.isBehind ?? false;
    lineage = news.replication?.lineage;
    ({ sources, origins = [] } = news);
    learnLine(installation, news.replication);
    site.publish(news.quotes.map((one) => unpackQuote(one, universe)));
  };
  take(first);
  const running = cleanUp.move();
  return {
    site,
    take,
    get origins() {
      return origins;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** A worker refuses the servers that the primary refuses. */
export function learnLine({ line }: StorePlace, replication: Replication | undefined): void {
  if (replication?.lineage !== undefined) line?.learn(replication.lineage);
}
