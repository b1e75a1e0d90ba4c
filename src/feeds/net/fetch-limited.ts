import type { Clock } from '../../lib/time/clock.ts';
import { FeedFault } from '../contract/feed.ts';
import {
  type ExchangeObserver,
  type FetchLimits,
  type NetworkOptions,
  usualFetchLimits,
} from '../contract/network.ts';
import { faultOfStatus, networkFault } from './network-fault.ts';
import { boundedResponse } from '../../lib/network/bounded-response.ts';
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
export type Fetched = {
  readonly observer?: ExchangeObserver;
  /** How long a cache on the way has stored the response, in milliseconds. */
  readonly ageMs: number;
} & (
  | /** Status 304: the response is still the known one. */ { readonly isUnchanged: true }
  | ({ readonly isUnchanged: false } & FetchedBody & {
        readonly validators: Validators;
        /** The wanted header. Absent when the request names none or the response has none. */
        readonly header?: string;
      })
);

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
    const { url, method = 'GET', body, known, wantedHeader } = request;
    const optional = { ...(body !== undefined && { body }), ...(wantedHeader && { wantedHeader }) };
    const observer = network.observer?.exchange({ kind: 'request', method, url, ...optional });
    const deadline = new Deadline(limits, signal);
    const send = (to: URL): Promise<Response> => {
      deadline.expect('answered', limits.headMs);
      return fetchWith(to, {
        method,
        headers: headersOf(request, userAgent),
        ...(body !== undefined && { body }),
        redirect: 'manual',
        signal: deadline.signal,
      });
    };
    const observe = ({ status, headers }: Response): void =>
      observer?.responded({ status, header: (name) => headers.get(name) ?? undefined });
    try {
      const { response, from } = await followRedirects(url, send, observe);
      observe(response);
      const { status, headers } = response;
      const observed = { ...(observer && { observer }), ageMs: ageOf(headers.get('age')) };
      const context = { from, deadline, idleMs: limits.idleMs, observer };
      if (status !== 200) {
        await leave(response, context);
        const isConditional = known?.etag !== undefined || known?.lastModified !== undefined;
        if (status === 304 && isConditional) return { ...observed, isUnchanged: true };
        const retryAfter = headers.get('retry-after');
        throw faultOfStatus(from, { status, retryAfter, now: clock.now() });
      }
      const header = wantedHeader === undefined ? null : headers.get(wantedHeader);
      return {
        ...observed,
        isUnchanged: false,
        text: await readText(response, limits.bodyBytesMax, context),
        contentType: (headers.get('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase(),
        validators: {
          etag: headers.get('etag') ?? undefined,
          lastModified: headers.get('last-modified') ?? undefined,
        },
        ...(header !== null && { header }),
      };
    } catch (cause) {
      signal.throwIfAborted();
      const ownFault = cause instanceof FeedFault ? cause : deadline.fault(url);
      const fault = ownFault ?? networkFault(url, cause);
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

function headersOf(
  { headers, known }: FetchRequest,
  userAgent: string | undefined,
): Record<string, string> {
  return {
    'user-agent': 'Pizarra',
    ...(known?.etag !== undefined && { 'if-none-match': known.etag }),
    ...(known?.lastModified !== undefined && { 'if-modified-since': known.lastModified }),
    ...headers,
    ...(userAgent !== undefined && { 'user-agent': userAgent }),
  };
}

/** Sends a request and follows its redirects, at most {@link redirectsMax}. */
async function followRedirects(
  url: URL,
  send: (url: URL) => Promise<Response>,
  observe: (response: Response) => void,
): Promise<{ readonly response: Response; readonly from: URL }> {
  for (let from = url, redirects = 0; ; redirects += 1) {
    const response = await send(from);
    const location = redirectTarget(response, from);
    if (location === undefined) return { response, from };
    await response.body?.cancel();
    const isOther = location.origin !== url.origin;
    if (isOther || redirects === redirectsMax) {
      observe(response);
      const how = isOther ? 'to another server' : 'again and again';
      throw new FeedFault('unintelligible', `${shownUrl(from)} redirects ${how}`);
    }
    from = location;
  }
}

interface BodyContext {
  readonly from: URL;
  readonly deadline: Deadline;
  readonly idleMs: number;
  readonly observer: ExchangeObserver | undefined;
}

/** Discards the body of a refusal, which only an observer reads. Faults are ignored: the status decides the result. */
async function leave(response: Response, context: BodyContext): Promise<void> {
  const read =
    context.observer === undefined
      ? response.body?.cancel()
      : readText(response, refusalBytesMax, context);
  await read?.catch(() => undefined);
}

/** Reads the body as UTF-8. Stops as soon as it exceeds the limit, so a decompression bomb costs no memory. */
async function readText(
  response: Response,
  bytesMax: number,
  { from, deadline, idleMs, observer }: BodyContext,
): Promise<string> {
  if (response.body === null) return '';
  const observed: Uint8Array[] = [];
  const onChunk = (chunk?: Uint8Array): void => {
    deadline.expect('continued its body', idleMs);
    if (observer !== undefined && chunk !== undefined) observed.push(chunk);
  };
  const tooLong = (): FeedFault =>
    new FeedFault('unintelligible', `${shownUrl(from)} sent more than ${bytesMax} bytes`);
  try {
    onChunk();
    return await boundedResponse(response, { bytesMax, tooLong, onChunk }).text();
  } finally {
    observer?.received(Buffer.concat(observed).toString());
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
