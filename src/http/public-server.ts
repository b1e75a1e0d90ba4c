import type { IncomingMessage, ServerResponse } from 'node:http';

import type { FastifyInstance } from 'fastify';

import type { KeyRing } from '../auth/key-ring.ts';
import type { Board } from '../board/board.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { HistoryChanges } from '../store/history-changes.ts';
import type { HistoryReader } from '../store/history-store.ts';
import { errorAnswer } from '../wire/error-texts.ts';
import { addAccessLog } from './access-log.ts';
import type { AccessLog } from './access-log.ts';
import { sendError } from './answer.ts';
import { addAuthHook, presentedKey } from './auth-hook.ts';
import type { ContentSource } from './content.ts';
import { corsHeaders, corsHook, corsVary } from './cors-hook.ts';
import { createFramework } from './create-framework.ts';
import type { Transport } from './create-framework.ts';
import { drainHook } from './drain-hook.ts';
import { FastPath } from './fast-path/fast-path.ts';
import type { FastPathParts } from './fast-path/fast-path.ts';
import { defaultHttpLimits } from './http-limits.ts';
import type { HttpLimits } from './http-limits.ts';
import { observeHook } from './http-observer.ts';
import type { HttpObserver } from './http-observer.ts';
import { listenAt } from './listen-at.ts';
import type { ListeningAt } from './listen-at.ts';
import { messageHook } from './message-hook.ts';
import { plainHttpHook } from './plain-http-hook.ts';
import type { PlaygroundFile } from './playground-file.ts';
import type { PublicRoute } from './public-route.ts';
import type { RateLimits } from './rate-limits.ts';
import { QuoteAnswers } from './quote-answers.ts';
import { logFailure } from './request-failure.ts';
import { methodOf } from './request-method.ts';
import { pathOf } from './request-target.ts';
import { contentRoute } from './routes/content-route.ts';
import { cotizaciones } from './routes/cotizaciones.ts';
import { cotizacionesStreamRoute } from './routes/cotizaciones-stream.ts';
import { especiesJson } from './routes/especies-json.ts';
import { especiesTxt } from './routes/especies-txt.ts';
import { healthzRoute } from './routes/healthz.ts';
import { historicos } from './routes/historicos.ts';
import { openapiJsonRoute } from './routes/openapi-json.ts';
import { playgroundRoutes } from './routes/playground.ts';
import { RequestQueue } from './request-queue.ts';
import { queueClient, saturatedBody, saturatedStatus } from './saturation.ts';
import { SeriesCache } from './series-cache.ts';
import { standingHeaders, standingHeadersHook } from './standing-headers.ts';
import { StopPhase } from './stop/stop-phase.ts';
import { QuoteStreams } from './stream/quote-streams.ts';
import type { StreamObserver } from './stream/quote-streams.ts';
import { defaultStreamLimits } from './stream/stream-limits.ts';
import type { StreamLimits } from './stream/stream-limits.ts';
import { transportSecurity } from './transport-security.ts';
import { unknownHook } from './unknown-hook.ts';

/** What the public listener works with: exactly this, and nothing global. */
export interface PublicServerParts {
  /** The id of the running service, shown in `/healthz`. */
  readonly instance: string;
  readonly board: Board;
  readonly history: HistoryReader;
  readonly historyChanges: HistoryChanges;
  readonly keyRing: KeyRing;
  /** The OpenAPI document, parsed. */
  readonly openapi: Readonly<Record<string, unknown>>;
  readonly log: Log;
  /** Which answers are logged; those that refuse something unless told otherwise. */
  readonly accessLog?: AccessLog;
  readonly clock: Clock;
  /** Before every public path: empty, or like `/v5`. */
  readonly basePath?: string;
  readonly limits?: Partial<HttpLimits>;
  /** How much clients may ask for; without them, as much as they like. */
  readonly rateLimits?: RateLimits;
  readonly streamLimits?: Partial<StreamLimits>;
  readonly streamObserver?: StreamObserver;
  readonly observer?: HttpObserver;
  /** How it is reached; without, plain HTTP and no proxy. */
  readonly transport?: Transport;
  /** Origins whose scripts may read answers; none unless told. */
  readonly corsOrigins?: readonly string[];
  /** The built playground; without it, its pages are paths like any other. */
  readonly playground?: readonly PlaygroundFile[];
  /** Told to every client, by a header of every answer and in `/healthz`. */
  readonly dataSource?: 'simulated';
  /** Further headers of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How far stopping has come: the same object for all servers that answer over one listener. */
  readonly phase?: StopPhase;
}

/**
 * The public listener, read-only.
 *
 * It lives from {@link listen} to its disposal. Disposing it stops it as {@link ListenerStop} says.
 * {@link drain} takes only the first step.
 */
export interface PublicServer extends AsyncDisposable {
  /**
   * Begins to listen; port 0 takes any free one. With `reusePort` other processes of the same user may
   * listen there too, if they say the same; the system spreads the connections over all of them.
   *
   * @throws the system's own error, with its `code` (`EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`).
   */
  listen(at: ListeningAt & { readonly reusePort?: boolean }): Promise<ListeningAt>;
  /** Ends the streams, and has every response close its connection from now on. */
  drain(): void;
  /**
   * Lets another server, one that does not listen, answer every request that begins from one instant
   * on, over the listener and the connections of this one: no connection is refused or closed, and
   * every request sees the one or the other and never a mix. Requests under way finish with what
   * they began with. Streams continue at the other server, as {@link QuoteStreams.moveTo} says.
   *
   * The listener stays this server's, with its limits on sizes and times of connections; disposing
   * this one disposes the other. May be called again with the next.
   */
  handOver(next: PublicServer): Promise<void>;
  /** Gets ready to {@link answer} without listening. */
  ready(): Promise<void>;
  /** The open streams. */
  readonly streams: QuoteStreams;
  /** Answers a request that another server received. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** The short way to the same answers, for the connections of another server; not every one has it. */
  readonly fastPath: FastPath | undefined;
}

/** Builds the public listener. All that can be decided beforehand is decided here. */
export function createPublicServer(parts: PublicServerParts): PublicServer {
  const { board, clock, instance, dataSource, basePath = '', playground = [], transport } = parts;
  const { phase = new StopPhase() } = parts;
  const limits: HttpLimits = { ...defaultHttpLimits, ...parts.limits };
  const streamLimits: StreamLimits = { ...defaultStreamLimits, ...parts.streamLimits };
  const streams = new QuoteStreams({
    ...parts,
    limits: streamLimits,
    observer: parts.streamObserver,
  });
  const { tickersMax, answersBytesMax } = limits;
  const answers = new QuoteAnswers({ board, clock, tickersMax, answersBytesMax });
  const series = new SeriesCache({ ...parts, bytesMax: limits.historyCacheBytesMax });
  const following = parts.historyChanges.subscribe((tickers) => series.invalidate(tickers));
  const sources: readonly ContentSource[] = [
    cotizaciones(answers),
    historicos({ universe: board.universe, series, clock }),
    especiesTxt(parts),
    especiesJson(parts),
  ];
  const routes: readonly PublicRoute[] = [
    ...sources.map((source) => contentRoute(source, clock)),
    cotizacionesStreamRoute({ board, streams, tickersMax, perKeyMax: streamLimits.perKeyMax }),
    openapiJsonRoute({
      document: parts.openapi,
      basePath,
      clock,
      figures: {
        ...limits,
        tickersPerRequestMax: tickersMax,
        streamsPerKeyMax: streamLimits.perKeyMax,
        streamHeartbeatMs: streamLimits.heartbeatMs,
        streamStallMs: streamLimits.stallMs,
      },
    }),
    healthzRoute({
      universe: board.universe,
      clock,
      instance,
      isSimulated: dataSource === 'simulated',
    }),
    ...playgroundRoutes({ files: playground, basePath }),
  ];
  let heir: PublicServer | undefined;

  const extraHeaders = {
    ...parts.headers,
    ...(dataSource === undefined ? {} : { 'data-source': dataSource }),
  };
  const corsOrigins = new Set(parts.corsOrigins);
  const { accessLog = 'refused' } = parts;
  // A line for each answer takes as long as all that the short way leaves out.
  const fastPath =
    accessLog === 'all'
      ? undefined
      : createFastPath(parts, {
          sources,
          basePath,
          corsOrigins,
          extraHeaders,
          logRefusal: (line) => writeLine(line),
          keepAliveTimeoutMs: limits.keepAliveTimeoutMs,
          isDraining: () => phase.isDraining,
        });

  const { app, stop, answer, handOver } = createFramework(limits, {
    transport,
    phase,
    saturation: {
      queue: new RequestQueue(limits),
      clientOf: ({ headers, socket }) =>
        queueClient(parts, presentedKey(headers.authorization), socket),
      refuse: (request, response) => {
        parts.observer?.shed?.();
        writeSaturated(request, response, { corsOrigins, extraHeaders });
      },
    },
    fastPath: () => (heir ?? { fastPath }).fastPath,
  });
  const writeLine = addAccessLog(app, parts.log, accessLog);
  // The order is the order in which a request is looked at: nothing comes before its key.
  app.addHook('onRequest', standingHeadersHook(extraHeaders));
  const { plainPeers } = parts.transport ?? {};
  if (plainPeers !== undefined) {
    const healthPath = `${basePath}/healthz`;
    app.addHook('onRequest', plainHttpHook({ ...parts, plainPeers, healthPath }));
  }
  if (corsOrigins.size > 0) app.addHook('onRequest', corsHook(corsOrigins));
  addAuthHook(app, parts);
  app.addHook('onRequest', drainHook(phase));
  app.addHook('onRequest', messageHook(limits));
  app.addHook('onRequest', unknownHook(new Set(routes.map(({ path }) => basePath + path))));
  if (parts.observer !== undefined) app.addHook('onResponse', observeHook(parts.observer));
  addRoutes(app, routes, basePath);
  addFailureHandler(app, parts.log);

  const drain = (): void => {
    stop.drain();
    (heir?.streams ?? streams).drain();
  };
  return {
    fastPath,
    streams,
    answer,
    listen: (at) => listenAt(app, at),
    drain,
    handOver: async (next) => {
      await next.ready();
      const before = heir;
      heir = next;
      handOver(next.answer);
      (before?.streams ?? streams).moveTo(next.streams);
      if (before === undefined) {
        following[Symbol.dispose]();
        series.clear();
      } else await before[Symbol.asyncDispose]();
    },
    ready: async () => {
      await app.ready();
    },
    [Symbol.asyncDispose]: async () => {
      if (app.server.listening) drain();
      await stop.stop();
      streams[Symbol.dispose]();
      await heir?.[Symbol.asyncDispose]();
      following[Symbol.dispose]();
    },
  };
}

/** Refuses a request that waited too long for its turn, without the framework. */
function writeSaturated(
  { headers: { origin } }: IncomingMessage,
  response: ServerResponse,
  {
    corsOrigins,
    extraHeaders,
  }: {
    readonly corsOrigins: ReadonlySet<string>;
    readonly extraHeaders: Readonly<Record<string, string>>;
  },
): void {
  const head = [...saturatedBody.headers, ...corsHeaders(corsOrigins, origin)];
  if (corsOrigins.size > 0) head.push('vary', corsVary);
  head.push(...Object.entries({ ...standingHeaders, ...extraHeaders }).flat());
  for (let at = 0; at < head.length; at += 2)
    response.setHeader(head[at] ?? '', head[at + 1] ?? '');
  response.writeHead(saturatedStatus).end(saturatedBody.parts[0]);
}

function createFastPath(
  parts: PublicServerParts,
  {
    extraHeaders,
    ...own
  }: Pick<
    FastPathParts,
    'sources' | 'basePath' | 'corsOrigins' | 'keepAliveTimeoutMs' | 'isDraining' | 'logRefusal'
  > & {
    readonly extraHeaders: Readonly<Record<string, string>>;
  },
): FastPath {
  const { certificate, proxies, plainPeers } = parts.transport ?? {};
  const isTls = certificate !== undefined;
  const security = isTls ? transportSecurity : {};
  return new FastPath({
    ...parts,
    ...own,
    isTls,
    proxies,
    plainPeers,
    standingHeaders: { ...standingHeaders, ...security, ...extraHeaders },
    logFailure: (failure) => logFailure(parts.log, failure),
  });
}

function addRoutes(app: FastifyInstance, routes: readonly PublicRoute[], basePath: string): void {
  for (const { path, isOpen = false, isStream = false, handle } of routes) {
    const config = { isOpen, isStream };
    app.route({ method: 'GET', url: basePath + path, config, handler: handle });
  }
}

/** What went wrong is for the log; the client learns only that something did. */
function addFailureHandler(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error, request, reply) => {
    const { raw, apiKey } = request;
    const method = methodOf(raw);
    logFailure(log, { error, method, path: pathOf(raw.url ?? ''), keyId: apiKey?.id });
    return sendError(reply, errorAnswer('failure'));
  });
}
