import * as v from '@badrap/valita';
import {
  PizarraClient,
  PizarraConnectionError,
  PizarraHttpError,
  PizarraResponseError,
  PizarraTimeoutError,
  type RateLimit,
  type RequestOptions,
  type Result,
  type StreamEvent,
  type StreamOptions,
} from '../../../clients/typescript/src/index.ts';
import type { Parameters } from '../../../clients/typescript/src/contract.ts';
import { boundedResponse } from '../../lib/network/bounded-response.ts';
import { trustingFetch } from '../../lib/network/trusting-fetch.ts';
import type { FeedDeps } from '../contract/feed-type.ts';
import { FeedFault } from '../contract/feed.ts';
import { commonFields, secretField, streamFields, urlField } from '../contract/fields.ts';
import { usualFetchLimits, type ExchangeObserver } from '../contract/network.ts';
import { faultOfStatus, networkFault } from '../net/network-fault.ts';

/** An address of the public listener, where it is reached over HTTP. */
const protocols = ['https:', 'http:'];

/** The fields of the configuration. */
export const pizarraSchema = v.object({
  ...commonFields('pizarra', { staleAfterSeconds: 60 }),
  ...streamFields({ url: '', protocols }),
  /** The address of the other Pizarra, with its base path if it has one. There is no public one. */
  url: urlField(protocols),
  /** A key of the other Pizarra, with the scope `read`. */
  key: secretField(),
});

/** The configuration of a feed that follows another Pizarra. */
export type PizarraConfig = v.Infer<typeof pizarraSchema>;

/** The soonest and the latest that the origin is asked again after a fault, in milliseconds. */
export const reconnects = { firstMs: 500, maxMs: 5_000 };

/** The faults after which the origin is asked again soon. */
export const retried: ReadonlySet<FeedFault['code']> = new Set(['unavailable', 'limited']);

/** Without a byte for so long, a stream is broken, in milliseconds. */
const streamIdleMs = 12_500;

/** The longest wait that an origin may ask for, in milliseconds. */
const waitMsMax = 86_400_000;

/** The maximum part of the body of a refusal that is read. In bytes. */
const refusalBytesMax = 4_096;

/** The list of the instruments is compared with the last one that was received. In characters. */
const cacheCharactersMax = 2 ** 21;

/** One path of the origin that is read. */
export interface OriginRead<Sent, Meaning> {
  readonly path: string;
  readonly send: (client: PizarraClient, options: RequestOptions) => Promise<Sent>;
  /** Gives a response its meaning. @throws FeedFault for what no Pizarra sends. */
  readonly map: (sent: Sent, head: Headers) => Meaning;
  /** Headers of the request, beside those of the client. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Maximum time of the whole exchange, in milliseconds. By default that of a long body. */
  readonly timeoutMs?: number;
}

/** An open stream, with the observer of its latest connection. */
interface OriginStream {
  readonly events: AsyncIterable<StreamEvent>;
  readonly observer: () => ExchangeObserver | undefined;
}

/** The Pizarra that is followed, as its clients see it. Connects to nothing before it is asked. */
export class Origin {
  readonly #url: string;
  readonly #deps: FeedDeps;
  readonly #limits: typeof usualFetchLimits;
  readonly #createClient: () => PizarraClient;
  readonly #fetch: typeof fetch;
  #client: PizarraClient | undefined;
  /** No rows are requested before this time on the monotonic clock, in milliseconds. */
  #restUntil = 0;

  constructor({ url, key }: Pick<PizarraConfig, 'url' | 'key'>, deps: FeedDeps) {
    const { network: { ca } = {}, pause, secrets } = deps;
    this.#url = url;
    this.#deps = deps;
    this.#limits = { ...usualFetchLimits, ...deps.fetchLimits };
    this.#fetch = ca === undefined ? fetch : trustingFetch(ca);
    this.#createClient = () =>
      new PizarraClient({
        url,
        // Read again for each request, so a replaced key takes effect.
        key: () => secrets.read(key),
        timeoutMs: this.#limits.totalMs,
        // The feed, or the reader of a history, decides when to try again.
        retry: { attemptsMax: 1 },
        cacheCharactersMax,
        wait: (ms, signal = new AbortController().signal) => pause(Math.min(ms, waitMsMax), signal),
      });
  }

  /** Maximum time until the head of a response, or until a short body. In milliseconds. */
  get headMs(): number {
    return this.#limits.headMs;
  }

  /**
   * Reads one path of the public listener.
   *
   * @throws FeedFault that says what to do. Its cause is the error of the client.
   */
  async read<Sent, Meaning>(
    { path, send, map, headers = {}, timeoutMs }: OriginRead<Sent, Meaning>,
    signal: AbortSignal,
  ): Promise<Meaning> {
    const exchange = new Exchange(headers);
    const options = { signal, fetch: this.#sendAs(exchange), ...(timeoutMs && { timeoutMs }) };
    try {
      const meaning = map(await send(this.#openClient(), options), exchange.head);
      // What is read so is no price. A check sees that it was understood.
      exchange.observer?.mapped({ updates: [], rejected: [] });
      return meaning;
    } catch (error) {
      signal.throwIfAborted();
      const fault = this.faultOf(error, path, exchange.head);
      if (error === fault || error instanceof PizarraResponseError) {
        exchange.observer?.misunderstood(fault);
      } else exchange.observer?.failed(fault);
      throw fault;
    }
  }

  /**
   * Reads the rows of a path, within the plan of the key.
   *
   * @throws FeedFault also for a demonstration (contract 4.5.9), whose prices are not real.
   */
  async readRows<Row, Meaning>(
    path: string,
    send: OriginRead<Result<readonly Row[]>, Meaning>['send'],
    mapRows: (rows: readonly Row[]) => Meaning,
    signal: AbortSignal,
  ): Promise<Meaning> {
    const { clock, pause } = this.#deps;
    const leftMs = this.#restUntil - clock.monotonic();
    if (leftMs > 0) await pause(leftMs, signal);
    const map = ({ data, isSimulated, rateLimit }: Result<readonly Row[]>): Meaning => {
      if (isSimulated) throw demonstrationFault();
      this.#restUntil = clock.monotonic() + restMs(rateLimit);
      return mapRows(data);
    };
    return await this.read({ path, send, map }, signal);
  }

  /** Opens a stream of quotes, which continues after a cut. It throws as the client does: see {@link faultOf}. */
  stream(parameters: Parameters['/cotizaciones/stream'], options: StreamOptions): OriginStream {
    const exchange = new Exchange({});
    const idleMs = this.#deps.fetchLimits?.idleMs ?? streamIdleMs;
    const events = this.#openClient().stream(parameters, {
      fetch: this.#sendAs(exchange),
      timeoutMs: this.#limits.headMs,
      heartbeatMs: idleMs / 2,
      firstWaitMs: reconnects.firstMs,
      waitMsMax: reconnects.maxMs,
      ...options,
    });
    return { events, observer: () => exchange.observer };
  }

  /** The fault of an error of the client, with what an operator can do about it, and the text of the origin. */
  faultOf(error: unknown, path: string, head: Headers = new Headers()): unknown {
    const url = new URL(this.#url);
    url.pathname = url.pathname.replace(/\/+$/, '') + path;
    if (error instanceof PizarraHttpError) {
      const { status, retryAfter, text } = error;
      const after = retryAfter === undefined ? undefined : String(retryAfter);
      const fault = faultOfStatus(url, { status, retryAfter: after, now: 0 });
      // The origin may repeat what it received, the key included.
      const said = text === '' ? '' : ` (${this.#deps.secrets.redact(text.slice(0, 200))})`;
      return explained(fault, `${fault.message}${said}`, advice[status], error);
    }
    if (error instanceof PizarraResponseError) return notPizarra(path, reasonOf(head), error);
    if (!(error instanceof PizarraConnectionError)) return error;
    if (error.cause instanceof FeedFault) return error.cause;
    if (error instanceof PizarraTimeoutError) {
      const message = `${url.origin}${url.pathname} has not answered in time`;
      return new FeedFault('unavailable', message, { isLate: true, cause: error });
    }
    if (error.cause === undefined) {
      const message = `${url.origin}${url.pathname} has ended`;
      return new FeedFault('unavailable', message, { cause: error });
    }
    const fault = networkFault(url, error.cause);
    const hint = fault.code === 'untrusted' ? 'name the file of its authority as ca' : undefined;
    return explained(fault, fault.message, hint, error);
  }

  /** @throws FeedFault for an address to which the client would not send a key. */
  #openClient(): PizarraClient {
    try {
      this.#client ??= this.#createClient();
      return this.#client;
    } catch (cause) {
      const message = `${(cause as Error).message} The url is that of the public listener.`;
      throw new FeedFault('refused', message, { cause });
    }
  }

  /** Sends the requests of the client as the configuration says, within limits, and lets an observer watch. */
  #sendAs(exchange: Exchange): typeof fetch {
    const { userAgent = 'Pizarra', observer } = this.#deps.network ?? {};
    return async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      exchange.observer = observer?.exchange({ kind: 'request', method: 'GET', url });
      const own = init?.headers as Readonly<Record<string, string>>;
      const headers = { ...own, ...exchange.headers, 'user-agent': userAgent };
      // A redirect is not followed, because the key would go with it. Its status is reported.
      const response = await this.#fetch(url, { ...init, headers, redirect: 'manual' });
      exchange.head = response.headers;
      const { status } = response;
      const header = (name: string) => response.headers.get(name) ?? undefined;
      exchange.observer?.responded({ status, header });
      return this.#bounded(response, url, exchange.observer);
    };
  }

  #bounded(response: Response, url: URL, observer: ExchangeObserver | undefined): Response {
    const decoder = new TextDecoder();
    const onChunk =
      observer &&
      ((chunk: Uint8Array) => observer.received(decoder.decode(chunk, { stream: true })));
    if (![200, 304].includes(response.status)) {
      return boundedResponse(response, { bytesMax: refusalBytesMax, onChunk });
    }
    // The client limits the events of a stream, whose body has no end.
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (isStream && observer === undefined) return response;
    const bytesMax = isStream ? Infinity : this.#limits.bodyBytesMax;
    const message = `${url.origin}${url.pathname} sent more than ${bytesMax} bytes`;
    const tooLong = () => new FeedFault('unintelligible', message);
    return boundedResponse(response, { bytesMax, tooLong, onChunk });
  }
}

/** What is known of a request beside its result: of several attempts, of the latest one. */
class Exchange {
  readonly headers: Readonly<Record<string, string>>;
  head = new Headers();
  observer: ExchangeObserver | undefined;

  constructor(headers: Readonly<Record<string, string>>) {
    this.headers = headers;
  }
}

/** What an operator can do about a status of the origin. */
const advice: Readonly<Record<number, string>> = {
  400: 'it may be an older version of Pizarra, or permit fewer tickers in a request',
  401: 'its key is wrong, has expired or was revoked, or has another scope than read: create one there with `pizarra keys create`',
  403: 'it refuses plain HTTP from another machine: use its https: address',
  404: 'no Pizarra is at this address, or it is an older version: url is the part before /cotizaciones',
  429: 'the plan of the key is too small, or the key has too many streams: give it a larger plan or a key of its own',
};

function explained(
  fault: FeedFault,
  message: string,
  hint: string | undefined,
  cause: Error,
): FeedFault {
  const { code, retryAfterMs, systemCode, status } = fault;
  const whole = hint === undefined ? message : `${message}; ${hint}`;
  return new FeedFault(code, whole, { retryAfterMs, systemCode, status, cause });
}

/** The fault of a path where another service is, or nothing that a Pizarra sends. */
export function notPizarra(path: string, reason = '', cause?: unknown): FeedFault {
  const message = `${path} is not that of a Pizarra${reason}: url is the part before /cotizaciones`;
  return new FeedFault('unintelligible', message, { cause });
}

function reasonOf(head: Headers): string {
  const isPage = head.get('content-type')?.startsWith('text/html') === true;
  return isPage ? ' (it sent a page instead of JSON)' : '';
}

/** The fault of a demonstration, which is never followed. */
export function demonstrationFault(): FeedFault {
  const message = 'the origin is a demonstration: made-up and real prices never mix';
  return new FeedFault('refused', message);
}

/** Requests of the plan that are left to the other requests of the feed. */
const reserved = 2;

/** The longest wait for a plan to refill, in seconds. */
const restSecondsMax = 60;

/** How long to wait before the next of many requests, in milliseconds. 0 without a limit. */
export function restMs(rateLimit: RateLimit | undefined): number {
  if (rateLimit === undefined || rateLimit.remaining > reserved) return 0;
  return Math.min(rateLimit.resetSeconds, restSecondsMax) * 1_000;
}
