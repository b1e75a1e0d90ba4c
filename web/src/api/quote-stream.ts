import { createParser } from 'eventsource-parser';

import type { Quote } from './quote.ts';
import { authorization, readRefusal, serviceUrl } from './service.ts';

/** What a follower may truthfully say of its connection. */
export type StreamState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** Broken off; tried again at an instant of `performance.now()`. */
  | { readonly kind: 'waiting'; readonly retryAt: number }
  /** Given up, for the service said something that trying again will not change. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string };

/** What whoever follows is told. */
export interface StreamListener {
  readonly onState: (state: StreamState) => void;
  readonly onQuote: (quote: Quote) => void;
}

/** The service sends a comment every 15 s; two of them missing is a dead line. */
const silenceMsMax = 35_000;
const firstDelayMs = 500;
const delayMsMax = 10_000;

/**
 * Follows `/cotizaciones/stream` until the signal aborts. A broken connection is taken up again where
 * it was left, after a delay that doubles up to ten seconds.
 *
 * It reads the stream through `fetch` because `EventSource` cannot send the key in a header, and a
 * key in an address would end up in logs.
 */
export async function followQuotes(
  selection: string,
  key: string,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  const progress = { lastEventId: '', delayMs: firstDelayMs };
  while (!signal.aborted) {
    listener.onState({ kind: 'connecting' });
    const refusal = await readStream(selection, key, { listener, progress, signal });
    if (signal.aborted) return;
    if (refusal !== undefined) {
      listener.onState({ kind: 'refused', ...refusal });
      return;
    }
    const wait = progress.delayMs * (0.75 + Math.random() / 2);
    listener.onState({ kind: 'waiting', retryAt: performance.now() + wait });
    await pause(wait, signal);
    progress.delayMs = Math.min(progress.delayMs * 2, delayMsMax);
  }
}

interface Reading {
  readonly listener: StreamListener;
  readonly progress: { lastEventId: string; delayMs: number };
  readonly signal: AbortSignal;
}

/** Reads one connection to its end; gives a refusal when there is no use in another. */
async function readStream(
  selection: string,
  key: string,
  { listener, progress, signal }: Reading,
): Promise<{ readonly status: number; readonly message: string } | undefined> {
  const cut = new AbortController();
  const either = AbortSignal.any([signal, cut.signal]);
  let watchdog = setTimeout(() => cut.abort(), silenceMsMax);
  try {
    const response = await fetch(serviceUrl(`/cotizaciones/stream?${selection}`), {
      headers: streamHeaders(key, progress.lastEventId),
      signal: either,
      cache: 'no-store',
    });
    if (!response.ok || response.body === null) return await lastingRefusal(response);
    listener.onState({ kind: 'live' });
    progress.delayMs = firstDelayMs;
    const parser = createParser({
      onEvent: ({ id, event, data }) => {
        if (id !== undefined) progress.lastEventId = id;
        if (event !== 'cotizacion') return;
        listener.onQuote(JSON.parse(data) as Quote);
      },
      onRetry: (ms) => {
        progress.delayMs = Math.min(ms, delayMsMax);
      },
    });
    const text = response.body.pipeThrough(new TextDecoderStream());
    for await (const chunk of text) {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => cut.abort(), silenceMsMax);
      parser.feed(chunk);
    }
  } catch {
    // Whatever broke the line, what follows is the same: a pause, and another try.
  } finally {
    clearTimeout(watchdog);
  }
  return undefined;
}

function streamHeaders(key: string, lastEventId: string): Record<string, string> {
  const headers = { ...authorization(key), accept: 'text/event-stream' };
  return lastEventId === '' ? headers : { ...headers, 'last-event-id': lastEventId };
}

/** A key that does not hold and a selection that is not valid stay so; a busy service does not. */
async function lastingRefusal(response: Response) {
  const isPassing = response.status === 429 || response.status >= 500;
  const failure = await readRefusal(response);
  if (isPassing || failure.kind !== 'refused') return undefined;
  return { status: failure.status, message: failure.message };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
