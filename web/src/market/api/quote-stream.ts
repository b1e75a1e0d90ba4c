import { createParser } from 'eventsource-parser';

import type { IntradayRow, Quote } from './quote.ts';
import { pause } from './retry.ts';
import { authorization, isPassing, readRefusal, serviceUrl } from './service.ts';
import type { Refusal } from './service.ts';
import { textOf } from './text-of.ts';

/** The state of the connection of a stream. */
export type StreamState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** The connection broke. The next attempt is at this time of `performance.now()`. */
  | { readonly kind: 'waiting'; readonly retryAt: number }
  /** The service refused the request for a reason that a retry does not change. */
  | Refusal;

/** The callbacks of a stream. */
export interface StreamListener {
  readonly onState: (state: StreamState) => void;
  readonly onQuote: (quote: Quote) => void;
  /** Called only if the selection requests bars (`barras`). */
  readonly onBar?: (bar: IntradayRow) => void;
}

/**
 * The service sends a comment every 15 s. Without data for two intervals, the connection is dead.
 */
const silenceMsMax = 35_000;
const firstDelayMs = 500;
const delayMsMax = 10_000;

/**
 * Follows `/cotizaciones/stream` until the signal aborts. After a broken connection, it reconnects
 * with the last event id, after a delay that doubles up to ten seconds.
 *
 * It reads the stream with `fetch`, because `EventSource` cannot send the key in a header, and a
 * key in a URL would end up in logs.
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
    if (refusal !== undefined) return listener.onState(refusal);
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

/** Reads one connection to its end. Returns a refusal if a retry is useless. */
async function readStream(
  selection: string,
  key: string,
  { listener, progress, signal }: Reading,
): Promise<Refusal | undefined> {
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
        if (event === 'cotizacion') listener.onQuote(JSON.parse(data) as Quote);
        else if (event === 'barra') listener.onBar?.(JSON.parse(data) as IntradayRow);
      },
      onRetry: (ms) => {
        progress.delayMs = Math.min(ms, delayMsMax);
      },
    });
    for await (const chunk of textOf(response.body)) {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => cut.abort(), silenceMsMax);
      parser.feed(chunk);
    }
  } catch {
    // Every failure is handled in the same way: a pause and a retry.
  } finally {
    clearTimeout(watchdog);
  }
  return undefined;
}

function streamHeaders(key: string, lastEventId: string): Record<string, string> {
  const headers = { ...authorization(key), accept: 'text/event-stream' };
  return lastEventId === '' ? headers : { ...headers, 'last-event-id': lastEventId };
}

/** An invalid key or selection stays invalid. An overloaded service may recover. */
async function lastingRefusal(response: Response) {
  const failure = await readRefusal(response);
  return isPassing(failure) ? undefined : failure;
}
