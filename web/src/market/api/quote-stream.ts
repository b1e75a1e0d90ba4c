import { streamQuotes } from '../../../../clients/typescript/src/stream.ts';
import type { IntradayRow, Quote } from './quote.ts';
import { heartbeat } from './early.ts';
import { connection, failureOf, type Refusal } from './service.ts';

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

/** How a connection is found dead, and when the next one is tried. */
const times = {
  /** Half of the time without a byte after which a connection is dropped. */
  heartbeatMs: 2_250,
  /** After this time without a response, an attempt is given up. */
  timeoutMs: 4_000,
  firstWaitMs: 250,
  /** It must soon be noticed when the service is back. */
  waitMsMax: 1_250,
};

/**
 * Follows `/cotizaciones/stream` until the signal aborts, or the service refuses it.
 *
 * @param selection the parameters as a query.
 * @param heard when the service was last heard by a stream that this one replaces.
 */
export async function followQuotes(
  selection: string,
  { onState, onQuote, onBar }: StreamListener,
  signal: AbortSignal,
  heard: Heard = { at: undefined },
): Promise<void> {
  const hear = () => {
    heard.at = Date.now();
  };
  const parameters = {
    ...Object.fromEntries(new URLSearchParams(selection)),
    latido: heartbeat,
  } as const;
  const events = streamQuotes(connection(), parameters, {
    ...times,
    signal,
    onHeartbeat: hear,
    continueAfter: (lastEventId) => {
      onState({ kind: 'connecting', heardAt: heard.at });
      return lastEventId;
    },
    onState: (state) => {
      if (state.state === 'open') {
        hear();
        onState({ kind: 'live' });
      } else {
        const retryAt = performance.now() + state.waitMs;
        onState({ kind: 'waiting', retryAt, heardAt: heard.at });
      }
    },
  });
  try {
    for await (const event of events) {
      hear();
      if (event.type === 'cotizacion') onQuote(event.data);
      else onBar?.(event.data);
    }
  } catch (error) {
    if (signal.aborted) return;
    const failure = failureOf(error);
    // Every other failure is tried again.
    if (failure.kind === 'refused') onState({ ...failure, heardAt: heard.at });
    else throw error;
  }
}
