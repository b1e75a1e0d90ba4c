import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { KeyRing } from '../../auth/key-ring.ts';
import { createPublicServer, type PublicServer } from '../../http/public-server.ts';
import type { ListeningAt } from '../../http/carriers/connection/transport.ts';
import type { RateLimits } from '../../http/admission/rate-limits.ts';
import type { StreamCounts } from '../../http/stream/stream-limits.ts';
import { StopPhase } from '../../http/handler/stop-phase.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { urlHost } from '../../lib/network/url-host.ts';
import { limitsPerProcess, flagName, type Settings } from '../../config/settings/settings.ts';
import type { ListenerFiles } from './listener-files.ts';
import type { MeetAt } from '../../http/carriers/stop/listener-stop.ts';
import type { NodeMarket } from '../market/market.ts';
import type { ListenerTransport } from './open-transport.ts';
import { OperatorFault } from '../../lib/reports/operator-fault.ts';
import type { PublicObservers } from '../metrics/public-metrics.ts';
import { replaceRateLimits } from '../../config/settings/rate-plans.ts';

/** A market, and the settings with which listeners show it. */
export interface ServedMarket {
  readonly market: NodeMarket;
  readonly settings: Settings;
}

/** The open listeners. They outlive markets. Disposing them drains them. */
export interface Listeners extends AsyncDisposable {
  /** Scheme, address and port of the public listener. */
  readonly origin: string;
  readonly port: number;
  /** Replaces the market at one instant. Connections stay open. */
  show(shown: ServedMarket): Promise<void>;
}

/** The listeners of a node that has no public one. */
export const noListeners: Listeners = {
  origin: '',
  port: 0,
  show: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
};

/** A port on which several processes listen. */
interface SharedPort {
  /** The number of processes. */
  readonly processes: number;
  /** Whether another process already listens on the port. */
  readonly isHeld: boolean;
  /** Waits for the others in a stop. */
  readonly meetAt: MeetAt;
}

/** The dependencies of the listeners. */
export interface ListenerParts extends ListenerFiles {
  /** The id of the instance, the same in all its processes. */
  readonly instance: string;
  readonly keyRing: KeyRing;
  readonly rateLimits: RateLimits;
  readonly log: Log;
  readonly reach: ListenerTransport;
  readonly observers: PublicObservers;
  /** The streams of each key in all processes. */
  readonly streamCounts: StreamCounts;
  /** The ids of the services that this one follows. */
  readonly origins?: (() => readonly string[]) | undefined;
  /** Absent if only this process listens on the port. */
  readonly sharedPort?: SharedPort | undefined;
}

/**
 * Opens the listeners.
 *
 * @throws OperatorFault when the process cannot listen on a port.
 */
export async function openListeners(first: ServedMarket, parts: ListenerParts): Promise<Listeners> {
  const { instance, keyRing, rateLimits, openapi, playground, log, reach, observers } = parts;
  const { sharedPort } = parts;
  const phase = new StopPhase();
  const serverOf = ({ market, settings: all }: ServedMarket): PublicServer => {
    const settings = limitsPerProcess(all, sharedPort?.processes ?? 1);
    return createPublicServer({
      instance,
      dataAgeMs: market.dataAgeMs,
      isBehind: market.isBehind,
      lineage: market.lineage,
      sources: market.sources,
      origins: parts.origins,
      board: market.board,
      history: market.history,
      versions: market.versions,
      bars: market.bars,
      actions: () => market.actions,
      indices: () => market.indices,
      revisions: market.revisions,
      keyRing,
      rateLimits,
      openapi,
      playground,
      log,
      accessLog: settings.accessLog,
      clock: systemClock,
      basePath: settings.basePath,
      transport: { ...reach.transport, connectionObserver: observers.connections },
      corsOrigins: settings.corsOrigins,
      urlKeys: settings.urlKeys === 'on',
      intradaySessions: settings.intradaySessions,
      limits: {
        tickersMax: settings.tickersPerRequestMax,
        requestLineBytesMax: settings.requestLineBytesMax,
        requestHeadBytesMax: settings.requestHeadBytesMax,
        responsesBytesMax: settings.responsesMib * 2 ** 20,
        historyRowsMax: settings.historyRowsMax,
        connectionsMax: settings.connectionsMax,
        connectionsPerAddressMax: settings.connectionsPerAddressMax,
        headersTimeoutMs: settings.headersTimeoutMs,
        requestTimeoutMs: settings.requestTimeoutMs,
        responseTimeoutMs: settings.responseTimeoutMs,
        keepAliveTimeoutMs: settings.keepAliveTimeoutMs,
        drainIdleMs: settings.drainIdleMs,
        drainMs: settings.drainMs,
      },
      streamLimits: {
        perKeyMax: settings.streamsPerKeyMax,
        streamsMax: settings.streamsMax,
        heartbeatMs: settings.streamHeartbeatMs,
        stallMs: settings.streamStallMs,
      },
      observer: observers.http,
      streamObserver: observers.streams,
      streamCounts: parts.streamCounts,
      phase,
      meetAt: sharedPort?.meetAt,
      ...(market.isSimulated ? { dataSource: 'simulated' } : {}),
    });
  };
  await using cleanUp = new AsyncDisposableStack();
  const server = cleanUp.use(serverOf(first));
  const { port } = first.settings;
  const { host, scheme } = reach;
  const at = await listen(() => listenOn(server, { host, port }, sharedPort), {
    host,
    port,
    names: { host: 'host', port: 'port' },
  });
  const running = cleanUp.move();
  return {
    origin: `${scheme}://${urlHost(at.host)}:${at.port}`,
    port: at.port,
    show: async (shown) => {
      replaceRateLimits(rateLimits, shown.settings);
      await server.handOver(serverOf(shown));
      // Requests that began before read the store within their own turn of the event loop.
      await nextTurn();
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function listenOn(
  server: PublicServer,
  at: ListeningAt,
  sharedPort: SharedPort | undefined,
): Promise<ListeningAt> {
  if (sharedPort === undefined) return server.listen(at);
  if (sharedPort.isHeld) return server.listen({ ...at, reusePort: true });
  // A shared port could be that of another service of the same user. Listening on it exclusively for a
  // moment proves that it is free. It also turns port 0 into a number that all processes can use.
  const probe = createServer();
  probe.listen({ ...at, exclusive: true });
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return server.listen({ ...at, port, reusePort: true });
}

/** The settings of the address of a listener. */
type ListenerNames = Readonly<Record<'host' | 'port', keyof Settings>>;

/**
 * Listens, and explains a failure to the operator.
 *
 * @throws OperatorFault that says what to do.
 */
export async function listen<T>(
  tryListening: () => Promise<T>,
  at: ListeningAt & { readonly names: ListenerNames },
): Promise<T> {
  try {
    return await tryListening();
  } catch (cause) {
    throw new OperatorFault(listenMessage(cause, at), { cause });
  }
}

/** The cause and the remedy of the errors of listening. */
const listenAdvice: Readonly<Record<string, (names: ListenerNames) => string>> = {
  EADDRINUSE: ({ port }) =>
    `the port is in use. Stop the program that listens on it, or choose another port with ${flagName(port)}`,
  EACCES: ({ port }) =>
    `this user may not use the port. Choose a port above 1023 with ${flagName(port)}`,
  EADDRNOTAVAIL: ({ host }) =>
    `this machine does not have the address. Choose another address with ${flagName(host)}`,
};

function listenMessage(
  cause: unknown,
  { host, port, names }: ListeningAt & { readonly names: ListenerNames },
): string {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  return `Cannot listen on ${host}, port ${port}: ${listenAdvice[code]?.(names) ?? message}.`;
}
