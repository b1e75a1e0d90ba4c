import { createParser } from 'eventsource-parser';
import type { Clock } from '../../lib/time/clock.ts';
import { FeedFault } from '../contract/feed.ts';
import type { ExchangeObserver, NetworkOptions } from '../contract/network.ts';
import { faultOfStatus, networkFault } from './network-fault.ts';
import { trustingFetch } from '../../lib/network/trusting-fetch.ts';

/** The limits of one stream of events. A source that exceeds one is faulty. */
export interface EventStreamLimits {
  /** From the request to the head of the response, connecting included. In milliseconds. */
  readonly headMs: number;
  /** Without a byte for so long, the connection is taken for broken. In milliseconds. */
  readonly idleMs: number;
  /** The maximum length of one event, in characters. */
  readonly eventCharsMax: number;
}

/** What a stream sends: an event, or a comment, which shows that the connection works. */
export type StreamItem =
  | { readonly event: string; readonly id: string | undefined; readonly data: string }
  | 'comment';

/** An open stream of server-sent events. */
export interface EventStream {
  /** A field of the head of the response. */
  header(name: string): string | undefined;
  /**
   * What each read of the connection completes, in order. Ends with the stream.
   *
   * @throws FeedFault when the connection breaks or is idle for too long, or an event is too long.
   */
  readonly items: AsyncIterable<readonly StreamItem[]>;
  readonly observer: ExchangeObserver | undefined;
}

/** The maximum part of the body of a refusal that is read. In characters. */
const refusalCharsMax = 4_096;

/** A response with another status than 200, with the beginning of its body. */
export interface Refusal {
  readonly fault: FeedFault;
  readonly body: string;
}

/** What opens a stream. */
export interface EventStreamRequest {
  readonly url: URL;
  /** Values may be secret: no fault and no log contains them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: EventStreamLimits;
  /** Gives the fault of a refusal, from its body. By default it is that of the status. */
  readonly explain?: (refusal: Refusal) => FeedFault;
}

/**
 * Opens a stream of server-sent events (HTML, 9.2). It lasts until the signal aborts or the source ends it.
 *
 * @throws FeedFault when there is no response in time, or another one than a stream.
 */
export async function openEventStream(
  { url, headers, limits, explain = ({ fault }) => fault }: EventStreamRequest,
  { clock, network = {} }: { readonly clock: Clock; readonly network?: NetworkOptions | undefined },
  signal: AbortSignal,
): Promise<EventStream> {
  const { ca, userAgent } = network;
  const observer = network.observer?.exchange({ kind: 'request', method: 'GET', url });
  const watch = new IdleWatch(url, signal);
  const fail = (cause: unknown): never => {
    watch.end();
    signal.throwIfAborted();
    const known = cause instanceof FeedFault ? cause : watch.fault;
    const fault = known ?? networkFault(url, cause);
    observer?.failed(fault);
    throw fault;
  };
  try {
    watch.expect('answered', limits.headMs);
    const fetchWith = ca === undefined ? fetch : trustingFetch(ca);
    const response = await fetchWith(url, {
      headers: {
        accept: 'text/event-stream',
        'user-agent': userAgent ?? 'Pizarra',
        ...headers,
      },
      redirect: 'manual',
      signal: watch.signal,
    });
    const { status } = response;
    const header = (name: string): string | undefined => response.headers.get(name) ?? undefined;
    observer?.responded({ status, header });
    if (status !== 200) {
      const body = await beginningOf(response);
      observer?.received(body);
      const retryAfter = header('retry-after');
      const fault = faultOfStatus(url, { status, retryAfter, now: clock.now() });
      throw explain({ fault, body });
    }
    const isStream = header('content-type')?.startsWith('text/event-stream') === true;
    if (!isStream || response.body === null) {
      throw new FeedFault('unintelligible', `${place(url)} sent no stream of events`);
    }
    const body = response.body as ReadableStream<Uint8Array>;
    return { header, items: readItems(body, { url, limits, watch, observer, fail }), observer };
  } catch (cause) {
    return fail(cause);
  }
}

/** The beginning of a body. Reading stops there, so an endless one costs no memory. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= refusalCharsMax) break;
    }
  } catch {
    // The status decides the fault, and the text only explains it.
  }
  return text.slice(0, refusalCharsMax);
}

async function* readItems(
  body: ReadableStream<Uint8Array>,
  {
    url,
    limits: { idleMs, eventCharsMax },
    watch,
    observer,
    fail,
  }: {
    readonly url: URL;
    readonly limits: EventStreamLimits;
    readonly watch: IdleWatch;
    readonly observer: ExchangeObserver | undefined;
    readonly fail: (cause: unknown) => never;
  },
): AsyncGenerator<readonly StreamItem[], void, undefined> {
  let items: StreamItem[] = [];
  const parser = createParser({
    onEvent: ({ event = 'message', id, data }) => items.push({ event, id, data }),
    onComment: () => items.push('comment'),
    maxBufferSize: eventCharsMax,
    onError: ({ type, message }) => {
      // Fields of an unknown name are ignored, as the standard says.
      if (type !== 'max-buffer-size-exceeded') return;
      throw new FeedFault(
        'unintelligible',
        `${place(url)} sent an event that is too long: ${message}`,
      );
    },
  });
  const decoder = new TextDecoder();
  try {
    watch.expect('sent anything', idleMs);
    for await (const chunk of body) {
      watch.pause();
      const text = decoder.decode(chunk, { stream: true });
      observer?.received(text);
      parser.feed(text);
      if (items.length > 0) yield items;
      items = [];
      watch.expect('sent anything', idleMs);
    }
  } catch (cause) {
    fail(cause);
  } finally {
    watch.end();
  }
}

/** A URL for messages: without its query. */
function place(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** Aborts a stream on which the source is idle for too long, and says what was missing. */
class IdleWatch {
  readonly signal: AbortSignal;
  fault: FeedFault | undefined;
  readonly #url: URL;
  readonly #ended = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(url: URL, signal: AbortSignal) {
    this.#url = url;
    this.signal = AbortSignal.any([signal, this.#ended.signal]);
  }

  expect(what: string, ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const message = `${place(this.#url)} has not ${what} for ${ms} ms`;
      this.fault = new FeedFault('unavailable', message, { isLate: true });
      this.#ended.abort();
    }, ms);
  }

  /** While the reader is busy, the source is not late. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  /** Closes the connection. */
  end(): void {
    clearTimeout(this.#timer);
    this.#ended.abort();
  }
}
