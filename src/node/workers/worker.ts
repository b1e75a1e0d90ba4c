/**
 * The program of a worker process: a node that never claims. It follows the store of the service as a node on
 * another machine does, and listens on the port of the primary. `Workers` is the other end of its channel. A fault
 * ends the process, and the primary replaces it.
 */
import type { Logger } from 'pino';

import { Universe } from '../../domain/instruments/universe.ts';
import { StreamCounts } from '../../http/stream/stream-limits.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { SerialQueue } from '../../lib/time/serial-queue.ts';
import { StoreDamage, StoreFault } from '../../store/contract/store-fault.ts';
import type { Store, StoreHints } from '../../store/contract/store.ts';
import { openListeners } from '../listeners/open-listeners.ts';
import { openTransports } from '../listeners/open-transport.ts';
import { makeLog, type ProgramLog } from '../log/make-log.ts';
import { Metrics } from '../metrics/metrics.ts';
import { openPlace } from '../place/open-place.ts';
import { keysOf } from '../roles/open-when-ready.ts';
import { openMarket, type NodeMarket } from '../market/market.ts';
import { PeerWatch } from '../roles/peer-watch.ts';
import { openFront, openLog } from '../roles/open-front.ts';
import {
  Channel,
  type MetricsJson,
  type PrimaryCalls,
  type WorkerCalls,
  type WorkerMarket,
} from './channel.ts';
import { HintsForClients } from './hints-for-clients.ts';

/** What runs in this process. Disposing it drains the listener. */
interface Worker extends AsyncDisposable {
  metrics(): Promise<MetricsJson>;
  show(market: WorkerMarket): Promise<void>;
}

/** A market, and what it is made of, which is disposed with it. */
interface Shown {
  readonly market: NodeMarket;
  readonly parts: AsyncDisposableStack;
}

let programLog: ProgramLog | undefined;
let log: Logger | undefined;
let worker: Worker | undefined;
let sources: WorkerMarket['sources'] = { origins: [] };
const queue = new SerialQueue();

const calls: WorkerCalls = {
  show: (market) =>
    queue.run(async () => {
      ({ sources } = market);
      programLog ??= await makeLog(market.settings);
      log ??= programLog.log.child({ worker: process.pid });
      log.level = market.settings.logLevel;
      if (worker === undefined) worker = await open(market, { programLog, log });
      else await worker.show(market);
    }),
  tell: (told) => {
    sources = told;
  },
  // Before the first market there are no metrics.
  metrics: async () => (await worker?.metrics()) ?? [],
  stop: () =>
    queue.run(async () => {
      await worker?.[Symbol.asyncDispose]();
      await programLog?.flush();
      process.disconnect?.();
    }),
  streams: (count) => streamCounts.setElsewhere(count),
  damaged: (reason) => damage.found(new StoreFault('corrupt', reason)),
};

const primary = new Channel<PrimaryCalls>(process, calls, (fault) => {
  const reason = fault instanceof Error ? fault.message : String(fault);
  log?.error({ err: fault, reason }, 'worker process failed');
  process.exit(1);
});
const streamCounts = new StreamCounts((count) => void primary.call('streams', count));
const damage = new StoreDamage();
damage.onFound(({ message }) => void primary.call('damaged', message));

// A terminal and a process manager send signals to every process of a service. Only the primary acts
// on them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

// Without the primary, the sources of the quotes are not known, and a new primary needs the port.
process.on('disconnect', () => process.exit());

/**
 * Opens the place to read, and listens on the port.
 *
 * @throws OperatorFault and StoreFault, as a start does.
 */
async function open(
  first: WorkerMarket,
  own: { readonly programLog: ProgramLog; readonly log: Logger },
): Promise<Worker> {
  const { version, instance, processes, port } = first;
  const settings = { ...first.settings, port };
  await using cleanUp = new AsyncDisposableStack();
  const place = cleanUp.use(openPlace(settings.store, damage));
  const { log: placeLog } = cleanUp.use(openLog(own.log, place));
  const { public: reach } = cleanUp.use(await openTransports(settings, placeLog));
  const store = cleanUp.use(await place.open({ mode: 'read' }));
  if (place.line !== undefined) cleanUp.use(place.line.exchange());
  const clients = new HintsForClients();
  const hintsOf = ({ hints }: Pick<Store, 'hints'>): StoreHints =>
    place.kind === 'sqlite' ? clients.of(hints) : hints;
  const metrics = new Metrics({ version });
  const { listenerParts } = cleanUp.use(
    await openFront({
      place,
      store: { keys: keysOf(place, store), hints: hintsOf(store) },
      settings,
      metrics,
      programLog: own.programLog,
      instance,
      log: placeLog,
      reach,
      streamCounts,
      origins: () => sources.origins,
      sharedPort: { processes, isHeld: true, meetAt: (step) => primary.call('reach', step) },
    }),
  );
  let shown: Shown | undefined;
  const peers =
    place.kind === 'sqlite'
      ? undefined
      : cleanUp.use(
          new PeerWatch({
            instance,
            nodes: place.nodes,
            ageMs: () => shown?.market.ageMs ?? 0,
            clock: systemClock,
            log: placeLog,
          }),
        );
  const openShown = async (wanted: WorkerMarket): Promise<Shown> => {
    await using opening = new AsyncDisposableStack();
    const { isSimulated } = wanted;
    const source = isSimulated ? opening.use(place.demonstration()) : place;
    const read = isSimulated ? opening.use(await source.open({ mode: 'read' })) : store;
    // The first process has filled the demonstration at most a moment before.
    const now = systemClock.now();
    const market = opening.use(
      await openMarket({
        place: source,
        store: read,
        universe: new Universe(wanted.universe),
        log: placeLog,
        intradaySessions: wanted.settings.intradaySessions,
        demonstrationSince: isSimulated ? () => now : undefined,
        hints: hintsOf(read),
        isBehind: () => peers?.isBehind === true,
        sources: () => sources.state,
      }),
    );
    return { market, parts: opening.move() };
  };
  shown = await openShown(first);
  cleanUp.defer(() => shown?.parts.disposeAsync());
  const { observers } = listenerParts;
  const connections = {
    ...observers.connections,
    connectionsChanged: (count: number) => clients.connectionsChanged(count),
  };
  const listeners = cleanUp.use(
    await openListeners(
      { market: shown.market, settings },
      { ...listenerParts, observers: { ...observers, connections } },
    ),
  );
  const running = cleanUp.move();
  return {
    metrics: () => metrics.registry.getMetricsAsJSON(),
    show: async (wanted) => {
      const before = shown;
      shown = await openShown(wanted);
      // A stream must not go back.
      before?.market.stopFollowing();
      await shown.market.catchUp();
      await listeners.show({ market: shown.market, settings: wanted.settings });
      await before?.parts.disposeAsync();
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
