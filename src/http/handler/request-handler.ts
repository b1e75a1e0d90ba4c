import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { isOutage } from '../../store/contract/store-fault.ts';
import type { ErrorResponse, errorResponse } from '../../wire/texts/error-texts.ts';
import type { KeyRefusal } from '../../auth/key-ring.ts';
import type { AccessLogWriter } from './access-log.ts';
import {
  Overloaded,
  errorDraft,
  inOtherForm,
  retryAfter,
  type ResponseDraft,
  Fields,
  standingFields,
  urlKeyFields,
  VaryFields,
  type Response,
  ResponseHeads,
} from './response.ts';
import {
  type Departure,
  type Peer,
  type Request,
  originForm,
  pathOf,
  queryOf,
  type Route,
  type ParsedHead,
  type Step,
  type ClientInfo,
  type RequestContext,
} from './request.ts';
import { methodsOf, type RouteTable } from './route-table.ts';
import type { StopPhase } from './stop-phase.ts';

/** When a client may ask again for what the store did not give, in seconds. */
const storeRetrySeconds = 1;

/** What a handler works with. */
export interface RequestHandlerParts {
  readonly table: RouteTable;
  /** The steps that decide before the route, in order. */
  readonly steps: readonly Step[];
  readonly clientInfo: (request: Request) => ClientInfo;
  /** Decides about a client whose bytes are no request. */
  readonly admitUnread: (peer: Peer, error: UnreadError['name'], now: number) => UnreadAdmission;
  /** Whose requests a request waits behind when the service is saturated. */
  readonly clientOf: (request: Request, head: ParsedHead, now: number) => string;
  /** The response to a request that waited too long for its turn. */
  readonly saturated: ResponseDraft;
  /** The texts of the listener's errors. */
  readonly errors: typeof errorResponse;
  /** Gives an error the form of its path. Absent where all paths have the same form. */
  readonly errorAt?: ((path: string, error: ErrorResponse) => ErrorResponse) | undefined;
  /** Fields of every response besides the standing ones. */
  readonly extraFields: Readonly<Record<string, string>>;
  /** The request fields that every response to a method depends on: one of a few constants. */
  readonly varies: (method: string) => string | undefined;
  readonly phase: StopPhase;
  readonly clock: Clock;
  readonly log: Log;
  readonly accessLog: AccessLogWriter;
  readonly observer: HttpObserver | undefined;
  readonly keepAliveTimeoutMs: number;
}

/** How a client is answered whose bytes are no request. */
interface UnreadAdmission {
  /** Fields besides those of the error. */
  readonly fields: readonly Fields[];
  /** The response that is sent instead of that of the error. */
  readonly refusal: ResponseDraft | undefined;
}

/** Why bytes are no request. */
export type UnreadError =
  | { readonly name: 'request-malformed' | 'request-too-slow' | 'headers-too-large' }
  | { readonly name: 'target-too-long'; readonly max: number };

interface OwnHead extends ParsedHead {
  readonly owner: RequestHandler;
  readonly standing: Fields;
}

/**
 * Turns a request into a response. It knows neither Node's servers nor sockets.
 *
 * 1. The head is read: path, query, route, the client's address.
 * 2. The steps decide, in order. The first one that decides ends the way of the request.
 * 3. The route answers. What it throws becomes a 500, and is logged. A store that is unavailable is a 503.
 * 4. The fields that every response has are added. The body is left out for HEAD.
 * 5. When the client has taken the response, the carrier calls {@link finished}: it is counted and
 *    logged.
 *
 * If everything that is needed is in memory, the response is returned at once. Otherwise it is a promise
 * that never rejects.
 */
export class RequestHandler {
  readonly heads: ResponseHeads;
  readonly #parts: RequestHandlerParts;
  readonly #vary = new VaryFields();
  readonly #standing: Fields;
  readonly #standingOf: ReadonlyMap<Route, Fields>;
  /** Of responses to requests with a key in the path. No route that such a key opens has fields of its own. */
  readonly #standingOfUrlKeys: Fields;

  constructor(parts: RequestHandlerParts) {
    this.#parts = parts;
    this.heads = new ResponseHeads(parts);
    const { extraFields } = parts;
    this.#standing = Fields.of({ ...standingFields, ...extraFields });
    this.#standingOfUrlKeys = Fields.of({ ...standingFields, ...extraFields, ...urlKeyFields });
    this.#standingOf = new Map(
      parts.table.routes.map((route) => [
        route,
        Fields.of({ ...standingFields, ...extraFields, ...route.standing }),
      ]),
    );
  }

  /**
   * Answers a request. It never throws.
   *
   * @param departure told if the client leaves before a promise is fulfilled
   */
  respond(request: Request, departure?: Departure): Response | Promise<Response> {
    const { clock, steps } = this.#parts;
    const context = this.#context(request, clock.now(), departure);
    try {
      for (const step of steps) {
        const draft = step(context);
        if (draft !== undefined) return this.#complete(context, draft);
      }
      const { route } = context.head;
      if (route === undefined) throw new Error('a request without a route was admitted');
      const draft = route.respond(context);
      return draft instanceof Promise
        ? draft.then(
            (later) => this.#complete(context, later),
            (error: unknown) => this.#fail(context, error),
          )
        : this.#complete(context, draft);
    } catch (error) {
      return this.#fail(context, error);
    }
  }

  /** Whether the response may last until the client leaves. */
  mayStream(request: Request): boolean {
    return this.#headOf(request).route?.isStream === true;
  }

  /** Whose requests a request waits behind when the service is saturated. */
  clientOf(request: Request): string {
    return this.#parts.clientOf(request, this.#headOf(request), this.#parts.clock.now());
  }

  /** Refuses a request that waited too long for its turn. */
  shed(request: Request): Response {
    const { clock, observer, saturated } = this.#parts;
    observer?.shed?.();
    return this.#complete(this.#context(request, clock.now()), saturated);
  }

  /**
   * Refuses bytes that are no request. The connection closes.
   *
   * @param target that of the request line, if it is known. If it is not, it may contain a key.
   */
  refuseUnread(peer: Peer, { name, ...values }: UnreadError, target?: string): Response {
    const { table, errors, admitUnread, clock, varies } = this.#parts;
    const mayHaveKey =
      table.acceptsUrlKeys &&
      (target === undefined || table.find(pathOf(originForm(target))).hasKeyPrefix);
    const standing = mayHaveKey ? this.#standingOfUrlKeys : this.#standing;
    const { fields, refusal } = admitUnread(peer, name, clock.now());
    const error = refusal ?? errorDraft(errors(name, values as { readonly max: number }));
    return {
      status: error.status,
      fields: [standing, ...fields, this.#vary.on(undefined, varies('')), ...error.fields],
      body: error.body,
      closes: true,
      drainsBody: false,
      account: { route: 'unknown', method: '', path: '', remote: peer.address, keyId: undefined },
    };
  }

  /** Whether the connection closes after a response, as of now. */
  closesAfter({ keepsAlive }: Pick<Request, 'keepsAlive'>, { closes }: Response): boolean {
    return closes || !keepsAlive || this.#parts.phase.isDraining;
  }

  /**
   * The client has taken a response, or has left.
   *
   * @param ms the time since the request arrived, in milliseconds.
   */
  finished({ status, stream, account }: Response, ms: number): void {
    const { observer, accessLog } = this.#parts;
    const { route, method, keyId, remote, path } = account;
    if (stream === undefined) {
      observer?.answered({ route, method: observedMethod(method), status, seconds: ms / 1_000 });
    }
    if (accessLog.logs(status)) accessLog.write({ keyId, remote, method, path, status, ms });
  }

  #context(request: Request, now: number, departure?: Departure): OwnContext {
    const head = this.#headOf(request);
    return { request, head, now, departure, key: undefined, limits: undefined, closes: false };
  }

  #headOf(request: Request): OwnHead {
    const known = request.head as OwnHead | undefined;
    if (known?.owner === this) return known;
    const { table, clientInfo } = this.#parts;
    const target = originForm(request.target);
    const { path, at, hasKeyPrefix, urlKey } = table.find(pathOf(target));
    const route = at !== undefined && methodsOf(at).includes(request.method) ? at : undefined;
    const { remote, fields } = clientInfo(request);
    const standing = hasKeyPrefix
      ? this.#standingOfUrlKeys
      : ((route && this.#standingOf.get(route)) ?? this.#standing);
    const query = queryOf(target);
    const routeName = route === undefined ? 'unknown' : table.nameOf(route);
    const derived = {
      presentedKey: undefined,
      isAcceptable: undefined,
      tableFormat: undefined,
      knownQuery: undefined,
    };
    // One is made for each new head, and spreading the parts takes longer.
    const head: OwnHead = {
      owner: this,
      standing,
      derived,
      path,
      at,
      hasKeyPrefix,
      urlKey,
      query,
      route,
      routeName,
      remote,
      fields,
    };
    request.head = head;
    return head;
  }

  #complete({ request, head, key, limits, closes }: OwnContext, given: ResponseDraft): Response {
    const draft = given.made === undefined ? given : this.#formed(given, head.path);
    const { standing, fields: ofClient, route, routeName, path, remote } = head;
    const fields = [standing, ...ofClient];
    if (limits !== undefined) fields.push(limits);
    fields.push(this.#vary.on(draft.vary, this.#parts.varies(request.method)), ...draft.fields);
    const { status, stream } = draft;
    const account = {
      route: routeName,
      method: request.method,
      path,
      remote,
      keyId: key?.id,
    };
    const body = request.method === 'HEAD' ? [] : draft.body;
    return {
      status,
      fields,
      body,
      closes: closes || draft.closes === true || stream !== undefined,
      drainsBody: request.hasBody && route?.takesBody === true,
      account,
      ...(stream === undefined ? {} : { stream }),
    };
  }

  /** An error in the form of its path. */
  #formed(draft: ResponseDraft, path: string): ResponseDraft {
    const { errorAt } = this.#parts;
    return errorAt === undefined ? draft : inOtherForm(draft, (error) => errorAt(path, error));
  }

  /** The client learns only that something failed. The log has the detail. */
  #fail(context: OwnContext, error: unknown): Response {
    const { log, errors, saturated } = this.#parts;
    const { request, head, key } = context;
    if (error instanceof Overloaded) return this.#complete(context, saturated);
    if (isOutage(error)) {
      // The follower of the store logs the outage once, so it is not logged for each request.
      log.debug({ err: error, path: head.path }, 'store unavailable for a request');
      const unavailable = errors('store-unavailable', { seconds: storeRetrySeconds });
      return this.#complete(context, errorDraft(unavailable, [retryAfter(storeRetrySeconds)]));
    }
    const details = { err: error, method: request.method, path: head.path, keyId: key?.id };
    if (request.body?.isCut() === true)
      log.info(details, 'client left before its body was complete');
    else log.error(details, 'request failed');
    return this.#complete(context, errorDraft(errors('failure')));
  }
}

type OwnContext = RequestContext & { readonly head: OwnHead };

/** Receives every request of a listener, for the metrics. */
export interface HttpObserver {
  /**
   * A response was sent. A stream of quotes is not reported: its life is no response time.
   *
   * @param answer.route the path of the route, or `unknown`: never what a client sent, so that clients
   *   cannot create time series.
   */
  answered(answer: {
    readonly route: string;
    readonly method: string;
    readonly status: number;
    readonly seconds: number;
  }): void;
  /** No key admitted a request. `two-keys`: it has one in the header, and one in the path. */
  keyRefused(reason: KeyRefusal | 'missing' | 'two-keys'): void;
  /** A request was refused because it had waited too long for its turn. */
  shed?(): void;
}

const methods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/** A method as the metrics name it. A client may send any token. */
function observedMethod(method: string): string {
  return methods.has(method) ? method : 'other';
}
