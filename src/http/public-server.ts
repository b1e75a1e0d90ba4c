import type { KeyRing } from '../auth/key-ring.ts';
import { errorResponse } from '../wire/texts/error-texts.ts';
import type { RateLimits } from './admission/rate-limits.ts';
import { admittingHandler } from './admission/steps.ts';
import type { ListeningAt, Transport } from './carriers/connection/transport.ts';
import { createListener, type Listener } from './carriers/listener.ts';
import type { MeetAt } from './carriers/stop/listener-stop.ts';
import { AccessLogWriter, type AccessLog } from './handler/access-log.ts';
import type { HttpObserver, RequestHandler } from './handler/request-handler.ts';
import { StopPhase } from './handler/stop-phase.ts';
import { defaultHttpLimits, type HttpLimits } from './http-limits.ts';
import { udfErrors } from './udf/paths.ts';
import { publicRoutes, type PublicRoutesParts } from './public/routes.ts';
import type { QuoteStreams } from './stream/quote-streams.ts';
import { defaultStreamLimits, type StreamLimits } from './stream/stream-limits.ts';

/** What the public listener works with. */
export interface PublicServerParts extends PublicRoutesParts {
  readonly keyRing: KeyRing;
  /** Which responses are logged. Default: refusals. */
  readonly accessLog?: AccessLog;
  /** Precedes every public path: empty, or like `/v5`. */
  readonly basePath?: string;
  readonly limits?: Partial<HttpLimits>;
  /** The limits of clients; absent for none. */
  readonly rateLimits?: RateLimits;
  readonly streamLimits?: Partial<StreamLimits>;
  readonly observer?: HttpObserver;
  /** How it is reached; absent for plain HTTP without a proxy. */
  readonly transport?: Transport;
  /** Further headers of every response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How far stopping has come: the same object for all servers that answer over one listener. */
  readonly phase?: StopPhase;
  /** Waits for the other processes that listen on the port. Absent if there are none. */
  readonly meetAt?: MeetAt | undefined;
}

/**
 * The public listener, read-only.
 *
 * It lives from {@link listen} to its disposal, which stops it ({@link Listener}). {@link drain} takes
 * only the first step of the stop.
 */
export interface PublicServer extends AsyncDisposable {
  /**
   * Begins to listen. Port 0 takes any free one. With `reusePort` other processes of the same user may
   * listen on the same port, if they set it too; the system distributes the connections among them.
   *
   * @throws the system's own error, with its `code` (`EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`).
   */
  listen(at: ListeningAt & { readonly reusePort?: boolean }): Promise<ListeningAt>;
  /** Ends the streams. Every response closes its connection from now on. */
  drain(): void;
  /**
   * From now on another server, one that does not listen, answers all requests over the listener and
   * the connections of this one. No connection is refused or closed, and every request is answered by
   * one of the two. Requests under way finish with the server that they began with. Streams continue at
   * the other server ({@link QuoteStreams.moveTo}).
   *
   * The listener stays this server's, with its limits on connections. Disposing this server disposes
   * the other. May be called again with the next one.
   */
  handOver(next: PublicServer): Promise<void>;
  /** The open streams. */
  readonly streams: QuoteStreams;
  /** Answers requests, whichever carrier receives them. */
  readonly handler: RequestHandler;
}

/** Builds the public listener. Everything that does not depend on a request is decided here. */
export function createPublicServer(parts: PublicServerParts): PublicServer {
  const { clock, log, dataSource, observer, transport, basePath = '' } = parts;
  const { phase = new StopPhase() } = parts;
  const limits: HttpLimits = { ...defaultHttpLimits, ...parts.limits };
  const streamLimits: StreamLimits = { ...defaultStreamLimits, ...parts.streamLimits };
  const own = publicRoutes(parts, { basePath, limits, streamLimits });
  const { table, streams } = own;
  const accessLog = new AccessLogWriter(log, parts.accessLog ?? 'refused');
  const handler = admittingHandler({
    ...parts,
    ...transport,
    table,
    errors: errorResponse,
    errorAt: udfErrors(basePath),
    limits,
    phase,
    accessLog,
    observer,
    corsOrigins: new Set(parts.corsOrigins),
    extraFields: {
      ...parts.headers,
      ...(dataSource === undefined ? {} : { 'data-source': dataSource }),
    },
  });

  let listener: Listener | undefined;
  let heir: PublicServer | undefined;
  const inForce = (): RequestHandler => (heir ?? { handler }).handler;
  const drain = (): void => {
    listener?.drain();
    (heir?.streams ?? streams).drain();
  };
  return {
    handler,
    streams,
    listen: (at) => {
      const { meetAt } = parts;
      const carried = {
        limits,
        clock,
        phase,
        transport,
        handler: inForce,
        isForMany: true,
        meetAt,
      };
      listener = createListener(carried);
      return listener.listen(at);
    },
    drain,
    handOver: async (next) => {
      const before = heir;
      heir = next;
      (before?.streams ?? streams).moveTo(next.streams);
      if (before === undefined) own.clear();
      else await before[Symbol.asyncDispose]();
    },
    [Symbol.asyncDispose]: async () => {
      if (listener !== undefined) drain();
      await listener?.stop();
      streams[Symbol.dispose]();
      await heir?.[Symbol.asyncDispose]();
      await own.stop();
      accessLog[Symbol.dispose]();
    },
  };
}
