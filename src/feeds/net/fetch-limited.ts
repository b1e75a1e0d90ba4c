import type { Clock } from '../../lib/time/clock.ts';
import { FeedFault } from '../contract/feed.ts';
import {
  type ExchangeObserver,
  type FetchLimits,
  type NetworkOptions,
  usualFetchLimits,
} from '../contract/network.ts';
import { faultOfStatus, networkFault } from './network-fault.ts';
import { trustingFetch } from '../../lib/network/trusting-fetch.ts';
import { readJson, type FetchedBody } from './read-body.ts';

/** The maximum number of redirects that are followed, within one origin. */
const redirectsMax = 3;

/** The maximum part of the body of a refusal that is read for an observer. In bytes. */
const refusalBytesMax = 65_536;

/** One request to a source. */
export interface FetchRequest {
  readonly url: URL;
  readonly method?: 'GET' | 'POST';
  /** Values may be secret: no fault and no log contains them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string;
  /** Validators of the response that is known already, for a conditional request. */
  readonly known?: Validators | undefined;
  /** The name of a header of the response that is part of the result. */
  readonly wantedHeader?: string;
}

/** The validators of a response (RFC 9110 section 8.8). */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/** A successful response of a source. */
export type Fetched = { readonly observer?: ExchangeObserver } & FetchedContent;

type FetchedContent =
  /** Status 304: the response is still the known one. */
  | { readonly isUnchanged: true; readonly ageMs: number }
  | ({ readonly isUnchanged: false } & FetchedBody & {
        readonly validators: Validators;
        /** How long a cache on the way has stored the response, in milliseconds. */
        readonly ageMs: number;
        /** The wanted header. Absent when the request names none or the response has none. */
        readonly header?: string;
      });

/** Sends one request. @throws FeedFault for everything but a body with status 200, or 304. */
export type Fetch = (request: FetchRequest, signal: AbortSignal) => Promise<Fetched>;

interface FetchOptions {
  readonly clock: Clock;
  readonly limits?: Partial<FetchLimits> | undefined;
  readonly network?: NetworkOptions | undefined;
}

/**
 * HTTP with limits: sizes (after decompression) and times are bounded, certificates are verified, and
 * a redirect is followed within the same origin only. Rejects with the signal's reason when the
 * signal aborts, and with a {@link FeedFault} in all other cases.
 */
export function createFetch({ clock, network = {}, ...options }: FetchOptions): Fetch {
  const limits = { ...usualFetchLimits, ...options.limits };
  const { ca, userAgent } = network;
  const fetchWith = ca === undefined ? fetch : trustingFetch(ca);
  return async (request, signal) => {
    const deadline = new Deadline(limits, signal);
    const { url, method = 'GET', body, wantedHeader } = request;
    const observer = network.observer?.exchange({
      kind: 'request',
      method,
      url,
      ...(body === undefined ? {} : { body }),
      ...(wantedHeader === undefined ? {} : { wantedHeader }),
    });
    try {
      const context = { clock, limits, deadline, fetchWith, userAgent, observer };
      const fetched = await new Exchange(request, context).run();
      return observer === undefined ? fetched : { ...fetched, observer };
    } catch (cause) {
      signal.throwIfAborted();
      const known = cause instanceof FeedFault ? cause : deadline.fault(url);
      const fault = known ?? networkFault(url, cause);
      observer?.failed(fault);
      throw fault;
    } finally {
      deadline.end();
    }
  };
}

/** Reads values of JSON, within the limits of {@link createFetch}. Each request is answered in full. */
export function createJsonReader(
  options: FetchOptions,
): (request: Omit<FetchRequest, 'known'>, signal: AbortSignal) => Promise<unknown> {
  const fetchLimited = createFetch(options);
  return async (request, signal) => {
    const fetched = await fetchLimited(request, signal);
    return fetched.isUnchanged ? undefined : readJson(fetched);
  };
}

interface ExchangeContext {
  readonly clock: Clock;
  readonly limits: FetchLimits;
  readonly deadline: Deadline;
  readonly fetchWith: typeof fetch;
  readonly userAgent: string | undefined;
  readonly observer: ExchangeObserver | undefined;
}

/** One request with its redirects. */
class Exchange {
  readonly #request: FetchRequest;
  readonly #context: ExchangeContext;
  /** Where the last redirect led to. */
  #url: URL;

  constructor(request: FetchRequest, context: ExchangeContext) {
    this.#request = request;
    this.#context = context;
    this.#url = request.url;
  }

  async run(): Promise<FetchedContent> {
    for (let redirects = 0; ; redirects += 1) {
      const response = await this.#send();
      const location = redirectTarget(response, this.#url);
      if (location === undefined) return this.#read(response);
      await response.body?.cancel();
      const isOther = location.origin !== this.#request.url.origin;
      if (isOther || redirects === redirectsMax) {
        this.#observe(response);
        const how = isOther ? 'to another server' : 'again and again';
        throw new FeedFault('unintelligible', `${shownUrl(this.#url)} redirects ${how}`);
      }
      this.#url = location;
    }
  }

  #send(): Promise<Response> {
    const { method = 'GET', headers = {}, body, known } = this.#request;
    const { deadline, limits, fetchWith, userAgent } = this.#context;
    deadline.expect('answered', limits.headMs);
    return fetchWith(this.#url, {
      method,
      headers: {
        'user-agent': 'Pizarra',
        ...(known?.etag === undefined ? {} : { 'if-none-match': known.etag }),
        ...(known?.lastModified === undefined ? {} : { 'if-modified-since': known.lastModified }),
        ...headers,
        ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
      },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: deadline.signal,
    });
  }

  #observe({ status, headers }: Response): void {
    const header = (name: string): string | undefined => headers.get(name) ?? undefined;
    this.#context.observer?.responded({ status, header });
  }

  async #read(response: Response): Promise<FetchedContent> {
    const { known, wantedHeader = '' } = this.#request;
    const { clock, limits } = this.#context;
    const { status, headers } = response;
    this.#observe(response);
    const header = wantedHeader === '' ? null : headers.get(wantedHeader);
    const ageMs = ageOf(headers.get('age'));
    const isConditional = known?.etag !== undefined || known?.lastModified !== undefined;
    if (status !== 200) {
      await this.#leave(response);
      if (status === 304 && isConditional) return { isUnchanged: true, ageMs };
      const retryAfter = headers.get('retry-after');
      throw faultOfStatus(this.#url, { status, retryAfter, now: clock.now() });
    }
    return {
      isUnchanged: false,
      text: await this.#readText(response, limits.bodyBytesMax),
      contentType: (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '',
      validators: {
        etag: headers.get('etag') ?? undefined,
        lastModified: headers.get('last-modified') ?? undefined,
      },
      ageMs,
      ...(header === null ? {} : { header }),
    };
  }

  /** Leaves the body of a refusal, which only an observer reads. Faults are ignored: the status decides the result. */
  async #leave(response: Response): Promise<void> {
    try {
      if (this.#context.observer === undefined) await response.body?.cancel();
      else await this.#readText(response, refusalBytesMax);
    } catch {
      await response.body?.cancel().catch(() => undefined);
    }
  }

  /** The body as UTF-8. Stops as soon as the limit is exceeded, so a compressed bomb costs no memory. */
  async #readText({ body }: Response, bytesMax: number): Promise<string> {
    const { deadline, limits, observer } = this.#context;
    if (body === null) return '';
    const decoder = new TextDecoder();
    const parts: string[] = [];
    let bytes = 0;
    try {
      deadline.expect('continued its body', limits.idleMs);
      for await (const chunk of body as ReadableStream<Uint8Array>) {
        deadline.expect('continued its body', limits.idleMs);
        bytes += chunk.byteLength;
        if (bytes > bytesMax) {
          const message = `${shownUrl(this.#url)} sent more than ${bytesMax} bytes`;
          throw new FeedFault('unintelligible', message);
        }
        parts.push(decoder.decode(chunk, { stream: true }));
      }
      parts.push(decoder.decode());
    } finally {
      observer?.received(parts.join(''));
    }
    return parts.join('');
  }
}

function redirectTarget({ status, headers }: Response, url: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined;
  const location = headers.get('location');
  return location !== null && URL.canParse(location, url) ? new URL(location, url) : undefined;
}

/** The header `Age` (RFC 9111 section 5.1) in milliseconds. An invalid one counts as 0. */
function ageOf(text: string | null): number {
  return text !== null && /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1_000 : 0;
}

/** A URL for messages: without its query, which may hold a key. */
function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** Aborts an exchange when the source is too slow, and says what was missing. */
class Deadline {
  readonly signal: AbortSignal;
  readonly #late = new AbortController();
  readonly #total: NodeJS.Timeout;
  #current: NodeJS.Timeout | undefined;
  #missing: string | undefined;

  constructor({ totalMs }: FetchLimits, signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#late.signal]);
    this.#total = setTimeout(() => this.#expire(`finished within ${totalMs} ms`), totalMs);
  }

  /** Starts the time limit of the next step, in milliseconds. A fault names the step that took too long. */
  expect(what: string, ms: number): void {
    clearTimeout(this.#current);
    this.#current = setTimeout(() => this.#expire(`${what} within ${ms} ms`), ms);
  }

  fault(url: URL): FeedFault | undefined {
    if (this.#missing === undefined) return undefined;
    return new FeedFault('unavailable', `${shownUrl(url)} has not ${this.#missing}`, {
      isLate: true,
    });
  }

  end(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#current);
  }

  #expire(missing: string): void {
    this.#missing ??= missing;
    this.#late.abort();
  }
}
