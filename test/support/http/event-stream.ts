import { request, type IncomingMessage } from 'node:http';

import { createParser } from 'eventsource-parser';
import { deferred, once } from '../wait.ts';

/** One event of a stream. */
export interface StreamEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** A stream that a test reads. Disposing it closes the connection. */
export interface EventStream extends Disposable {
  readonly status: number;
  header(name: string): string | undefined;
  /** All events so far. */
  readonly events: readonly StreamEvent[];
  readonly comments: readonly string[];
  /** The `retry` values so far, in milliseconds. */
  readonly retries: readonly number[];
  /** Waits until the received events meet a condition. Fails when the stream ends before. */
  until(isReached: (stream: EventStream) => boolean): Promise<void>;
  /** Waits for the end of the stream. */
  ended(): Promise<void>;
  /** Stops reading until the test ends. */
  stall(): void;
}

/** Opens a stream over a separate connection, as a real client does. */
export async function openStream(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventStream> {
  const outgoing = request(url, { headers, agent: false });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const events: StreamEvent[] = [];
  const comments: string[] = [];
  const retries: number[] = [];
  const progress = new Set<() => void>();
  let hasEnded = false;
  const tell = (): void => progress.forEach((look) => look());
  const parser = createParser({
    onEvent: ({ event = 'message', id, data }) => events.push({ event, id, data }),
    onComment: (comment) => comments.push(comment),
    onRetry: (ms) => retries.push(ms),
  });
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    parser.feed(chunk);
    tell();
  });
  // A broken connection ends the stream too. Tests check the events before it.
  response.on('error', () => undefined);
  response.on('close', () => {
    hasEnded = true;
    tell();
  });
  const stream: EventStream = {
    status: response.statusCode ?? 0,
    header: (name) => {
      const value = response.headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    events,
    comments,
    retries,
    until: async (isReached) => {
      const { promise, resolve, reject } = deferred<void>();
      const look = (): void => {
        if (isReached(stream)) resolve();
        else if (hasEnded) reject(new Error(`the stream ended: ${JSON.stringify(events.at(-1))}`));
      };
      progress.add(look);
      look();
      await promise.finally(() => progress.delete(look));
    },
    ended: async () => {
      if (!hasEnded) await once(response, 'close');
    },
    stall: () => response.pause(),
    [Symbol.dispose]: () => void response.destroy(),
  };
  return stream;
}
