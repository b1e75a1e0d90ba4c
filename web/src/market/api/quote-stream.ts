import { EventParser } from '../../../../clients/typescript/src/event-parser.ts';
import type { IntradayRow, Quote } from './quote.ts';
import { onReconnectNow } from './reconnection.ts';
import { pause } from './retry.ts';
import { requestService } from './service-request.ts';
import { isPassing, readRefusal, type Refusal } from './service.ts';
import { streamPath, streamRequest } from './stream-request.ts';
import { textOf } from './text-of.ts';

/** When the service was last heard, in milliseconds since 1970. Undefined before the first time. */
interface LastHeard {
  readonly heardAt: number | undefined;
}

/** The same, as a value that a stream keeps up to date and that the next one continues. */
export interface Heard {
  at: number | undefined;
}

/** The state of the connection of a stream. */
export type StreamState =
  | { readonly kind: 'live' }
  | ({ readonly kind: 'connecting' } & LastHeard)
  /** The connection broke. The next attempt is at this time of `performance.now()`. */
  | ({ readonly kind: 'waiting'; readonly retryAt: number } & LastHeard)
  /** The service refused the request for a reason that a retry does not change. */
  | (Refusal & LastHeard);

/** The callbacks of a stream. */
export interface StreamListener {
  readonly onState: (state: StreamState) => void;
  readonly onQuote: (quote: Quote) => void;
  /** Called only if the selection requests bars (`barras`). */
  readonly onBar?: (bar: IntradayRow) => void;
}

/** Without data for this time, the connection is dead. */
const silenceMsMax = 4_500;
/** After this time without a response, an attempt is given up. The next one follows at once. */
const responseMsMax = 4_000;
/** A connection that was heard within this time is sound. */
const soundMs = 3_000;
const firstDelayMs = 250;
/** The longest pause while the service cannot be reached: it must soon be noticed when it is back. */
const unreachableDelayMsMax = 1_500;
/** The longest pause while the service responds that it has too much to do. */
const busyDelayMsMax = 10_000;

/**
 * Follows `/cotizaciones/stream` until the signal aborts. After a broken connection, it reconnects with
 * the last event id, after a delay that doubles.
 *
 * @param heard when the service was last heard by a stream that this one replaces.
 *
 * It reads the stream with `fetch`, because `EventSource` cannot send the key in a header, and a
 * key in a URL would end up in logs.
 */
export async function followQuotes(
  selection: string,
  key: string,
  listener: StreamListener,
  signal: AbortSignal,
  heard: Heard = { at: undefined },
): Promise<void> {
  const stream = new QuoteStream(selection, key, listener, signal, heard);
  await stream.follow();
}

/** How one connection ended. */
type Ending =
  /** The service cannot be reached, or the connection broke. */
  | { readonly kind: 'broken' }
  /** The page cut it, because the service was silent or the visitor wants another attempt. */
  | { readonly kind: 'cut' }
  /** The service says when to connect again, in milliseconds. */
  | { readonly kind: 'later'; readonly delayMs: number | undefined }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

class QuoteStream {
  readonly #path: string;
  readonly #key: string;
  readonly #listener: StreamListener;
  readonly #signal: AbortSignal;
  #lastEventId = '';
  readonly #heard: Heard;

  constructor(
    selection: string,
    key: string,
    listener: StreamListener,
    signal: AbortSignal,
    heard: Heard,
  ) {
    this.#path = streamPath(selection);
    this.#key = key;
    this.#listener = listener;
    this.#signal = signal;
    this.#heard = heard;
  }

  async follow(): Promise<void> {
    let failures = 0;
    while (!this.#signal.aborted) {
      this.#listener.onState({ kind: 'connecting', heardAt: this.#heard.at });
      const heardBefore = this.#heard.at;
      const ending = await this.#readConnection();
      if (this.#signal.aborted) return;
      const heardAt = this.#heard.at;
      if (ending.kind === 'refused') {
        this.#listener.onState({ ...ending.refusal, heardAt });
        return;
      }
      failures = heardAt === heardBefore ? failures + 1 : 1;
      const wait = delayAfter(ending, failures) * (0.75 + Math.random() / 2);
      this.#listener.onState({ kind: 'waiting', retryAt: performance.now() + wait, heardAt });
      await this.#pause(wait);
    }
  }

  /** Waits until a time has passed, the signal aborts, or the connection is wanted now. */
  async #pause(ms: number): Promise<void> {
    const end = new AbortController();
    onReconnectNow(() => end.abort(), end.signal);
    await pause(ms, AbortSignal.any([this.#signal, end.signal]));
    end.abort();
  }

  /** Reads one connection to its end. */
  async #readConnection(): Promise<Ending> {
    const cut = new AbortController();
    const signal = AbortSignal.any([this.#signal, cut.signal]);
    let isCut = false;
    const cutNow = () => {
      isCut = true;
      cut.abort();
    };
    let watchdog = setTimeout(cutNow, responseMsMax);
    let soundUntil = 0;
    let hasEnded = false;
    const parser = new EventParser(this.#lastEventId);
    // An attempt under way may wait for a network that was dead.
    onReconnectNow(() => {
      if (performance.now() > soundUntil) cutNow();
    }, signal);
    try {
      const request = streamRequest(this.#key, this.#lastEventId);
      const response = await requestService(this.#path, { ...request, signal });
      if (!response.ok || response.body === null) return await endingOf(response);
      const hear = () => {
        clearTimeout(watchdog);
        watchdog = setTimeout(cutNow, silenceMsMax);
        soundUntil = performance.now() + soundMs;
        this.#heard.at = Date.now();
      };
      hear();
      this.#listener.onState({ kind: 'live' });
      for await (const chunk of textOf(response.body)) {
        hear();
        for (const { event, data } of parser.push(chunk)) {
          if (event === 'cotizacion') this.#listener.onQuote(JSON.parse(data) as Quote);
          else if (event === 'barra') this.#listener.onBar?.(JSON.parse(data) as IntradayRow);
          else if (event === 'cierre') hasEnded = true;
        }
        this.#lastEventId = parser.lastId;
      }
    } catch {
      // Every failure is handled in the same way: a pause and a retry.
    } finally {
      clearTimeout(watchdog);
      // Ends the listener, and a response that was not read to its end.
      cut.abort();
    }
    if (hasEnded) return { kind: 'later', delayMs: parser.retryMs };
    return { kind: isCut ? 'cut' : 'broken' };
  }
}

/** An invalid key or selection stays invalid. An overloaded service may recover. */
async function endingOf(response: Response): Promise<Ending> {
  const refusal = await readRefusal(response);
  if (!isPassing(refusal)) return { kind: 'refused', refusal };
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return { kind: 'later', delayMs: Number.isFinite(seconds) ? seconds * 1_000 : undefined };
}

/** The pause after a connection, in milliseconds. */
function delayAfter(ending: Ending, failures: number): number {
  const delayMs = firstDelayMs * 2 ** Math.min(failures - 1, 10);
  if (ending.kind === 'cut') return 0;
  if (ending.kind === 'later') return Math.min(ending.delayMs ?? delayMs, busyDelayMsMax);
  return Math.min(delayMs, unreachableDelayMsMax);
}
