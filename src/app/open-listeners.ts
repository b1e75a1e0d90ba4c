import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyRing } from '../auth/key-ring.ts';
import type { HttpObserver } from '../http/http-observer.ts';
import { createPublicServer } from '../http/public-server.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import type { StreamObserver } from '../http/stream/quote-streams.ts';
import type { PlaygroundFile } from '../http/playground-file.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Site } from './open-site.ts';
import { OperatorFault } from './operator-fault.ts';
import type { Settings } from './settings.ts';

/** Where the listeners are. */
export interface ListenerPorts {
  readonly port: number;
}

/** The open listeners of one site. Disposing them drains. */
export interface Listeners extends AsyncDisposable {
  /** Where the public listener answers, base path included. */
  readonly url: string;
  /** The real ports where 0 was asked for. */
  readonly ports: ListenerPorts;
}

/** How often and how long listening is tried again while listeners of ours let go of a port. */
const handOverTriesMax = 40;
const handOverPauseMs = 25;

/**
 * Opens the listeners of a site.
 *
 * @param takeOver the ports of other listeners of ours that are closing just now; these are waited
 *   for.
 * @throws OperatorFault when a port cannot be listened on.
 */
export async function openListeners(
  parts: {
    readonly site: Site;
    readonly settings: Settings;
    readonly keyRing: KeyRing;
    readonly rateLimits: RateLimits;
    readonly openapi: Readonly<Record<string, unknown>>;
    readonly playground: readonly PlaygroundFile[];
    readonly log: Log;
    readonly observers: { readonly http: HttpObserver; readonly streams: StreamObserver };
  },
  takeOver?: ListenerPorts,
): Promise<Listeners> {
  const { site, settings, keyRing, rateLimits, openapi, playground, log, observers } = parts;
  await using cleanUp = new AsyncDisposableStack();
  const server = cleanUp.use(
    createPublicServer({
      board: site.market.board,
      history: site.history,
      keyRing,
      rateLimits,
      openapi,
      playground,
      log,
      clock: systemClock,
      basePath: settings.basePath,
      limits: { ...settings, tickersMax: settings.tickersPerRequestMax },
      streamLimits: {
        perKeyMax: settings.streamsPerKeyMax,
        streamsMax: settings.streamsMax,
        heartbeatMs: settings.streamHeartbeatMs,
        stallMs: settings.streamStallMs,
      },
      observer: observers.http,
      streamObserver: observers.streams,
      ...(site.isSimulated ? { dataSource: 'simulated' } : {}),
    }),
  );
  const { host } = settings;
  const port = takeOver?.port ?? settings.port;
  const at = await listen(() => server.listen({ host, port }), {
    host,
    port,
    triesMax: takeOver === undefined ? 1 : handOverTriesMax,
  });
  const running = cleanUp.move();
  const shownHost = at.host.includes(':') ? `[${at.host}]` : at.host;
  return {
    url: `http://${shownHost}:${at.port}${settings.basePath}`,
    ports: { port: at.port },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/**
 * Listens, and says in an operator's terms why it cannot.
 *
 * @throws OperatorFault
 */
export async function listen<T>(
  tryOnce: () => Promise<T>,
  at: { readonly host: string; readonly port: number; readonly triesMax: number },
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryOnce();
    } catch (cause) {
      const isTaken = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || tries >= at.triesMax) {
        throw new OperatorFault(listenMessage(cause, at), { cause });
      }
      await sleep(handOverPauseMs);
    }
  }
}

/** What to do about the ways in which listening fails. */
const listenAdvice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is taken; stop what listens there, or choose another port',
  EACCES: 'this user may not; choose a port above 1023',
  EADDRNOTAVAIL: 'this machine has no such address; choose another',
};

function listenMessage(
  cause: unknown,
  { host, port }: { readonly host: string; readonly port: number },
): string {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  return `Cannot listen on ${host}, port ${port}: ${listenAdvice[code] ?? message}.`;
}
