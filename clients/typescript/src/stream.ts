import type { Barra, CierreDeTransmision, Cotizacion, Parameters } from './contract.ts';
import { PizarraConnectionError, PizarraResponseError } from './errors.ts';
import { mayPass, retryAfterOf } from './exchange.ts';
import { withRequestOptions, type Connection, type RequestOptions } from './options.ts';
import { queryOf } from './query.ts';
import type { ResponseNotes } from './result.ts';
import { StreamConnection } from './stream-connection.ts';
import { comment, type ServerEvent } from './event-parser.ts';
import { waitBefore } from './time/wait.ts';

/** A quote or, with `barras`, a bar. Each replaces the one before it, and is never a difference. */
export type StreamEvent =
  | {
      readonly type: 'cotizacion';
      /** Pass it as `lastEventId` to receive only later quotes. */
      readonly id: string;
      readonly data: Cotizacion;
    }
  | { readonly type: 'barra'; readonly data: Barra };

/** What happens to the connection of a stream. */
export type StreamState =
  | ({ readonly state: 'open'; readonly isResumed: boolean } & ResponseNotes)
  | {
      readonly state: 'lost';
      /** Why the service ended the stream. Undefined if the connection broke or could not be opened. */
      readonly ending: CierreDeTransmision | undefined;
      readonly error: Error | undefined;
      /** Milliseconds until the next attempt. */
      readonly waitMs: number;
    };

/** The options of a stream. */
export interface StreamOptions extends Pick<RequestOptions, 'signal' | 'timeoutMs' | 'fetch'> {
  /** The `id` of the last quote that was received, with the same parameters: only later ones are sent. */
  readonly lastEventId?: string;
  /**
   * Gives the id after which a connection continues, from that of the last quote that was received. Is called before
   * each connection. Empty for all current quotes, for example because the service was restored from a backup. If it
   * throws, the connection has failed.
   */
  readonly continueAfter?: (lastEventId: string) => string | Promise<string>;
  /**
   * The heartbeat of the service, in milliseconds (its setting `streamHeartbeatMs`). Default: `latido`, or
   * 15,000 without it. A connection without any byte for twice as long is dropped and resumed.
   */
  readonly heartbeatMs?: number;
  /**
   * Maximum number of attempts in a row that fail, before the error is thrown. Default: `retry.attemptsMax`
   * of the client until the first connection, and no maximum after it.
   */
  readonly attemptsMax?: number;
  /** The wait after the first failure, in milliseconds. Default: as the service sends it (`retry`), or 2,000. */
  readonly firstWaitMs?: number;
  /**
   * Maximum wait before an attempt, in milliseconds. Default: 30,000. The client waits longer if the service asks
   * for it (`Retry-After`), and after a stream that the service has ended (`retry`).
   */
  readonly waitMsMax?: number;
  /** Is called when the connection opens and when it is lost. What it throws ends the stream. */
  readonly onState?: (state: StreamState) => void;
  /** Is called for each heartbeat: the connection works, and all changes before it have been received. */
  readonly onHeartbeat?: () => void;
}

/** The wait before the next connection until the service sends another one (`retry`), in milliseconds. */
const firstRetryMs = 2_000;

/** The quotes of a selection as they change. See `PizarraClient.stream`. */
export async function* streamQuotes(
  given: Connection,
  parameters: Parameters['/cotizaciones/stream'],
  options: StreamOptions,
): AsyncGenerator<StreamEvent, never, undefined> {
  const { signal, onState, waitMsMax = 30_000 } = options;
  const { continueAfter = (id: string) => id } = options;
  const connection = withRequestOptions(given, options);
  const silenceMsMax = 2 * (options.heartbeatMs ?? heartbeatOf(parameters));
  const url = `${connection.base}/cotizaciones/stream${queryOf(parameters)}`;
  let lastId = options.lastEventId ?? '';
  let attemptsMax = options.attemptsMax ?? connection.retry.attemptsMax;
  let failures = 0;
  for (;;) {
    let ending: CierreDeTransmision | undefined;
    let failure: Error | undefined;
    let source: StreamConnection | undefined;
    const began = performance.now();
    try {
      lastId = await continueAfter(lastId);
      source = await StreamConnection.open(connection, { url, lastId, signal, silenceMsMax });
      attemptsMax = options.attemptsMax ?? Number.POSITIVE_INFINITY;
      onState?.({ state: 'open', isResumed: lastId !== '', ...source.notes });
      for await (const events of source.events()) {
        for (const event of events) {
          failures = 0;
          // Set before the event is handed out: a caller that has it does not need it again.
          lastId = event.lastId;
          if (event.event === comment) options.onHeartbeat?.();
          if (event.event === 'cierre') ending = parse(event, url) as CierreDeTransmision;
          const known = streamEvent(event, url);
          if (known !== undefined) yield known;
        }
      }
    } catch (error) {
      if (!mayPass(connection, error)) throw error;
      failure = error;
    } finally {
      await source?.close();
    }
    // An idle connection that lasted was no failure.
    if (source !== undefined && performance.now() - began > waitMsMax) failures = 0;
    failures += 1;
    if (failures >= attemptsMax) throw failure ?? new PizarraConnectionError(`${url} ended`);
    const retryMs = source?.retryMs;
    const waitMs = waitBefore(failures, {
      // The service ends its streams with times that are spread, so that not all come back together.
      retryAfter: ending && retryMs !== undefined ? retryMs / 1_000 : retryAfterOf(failure),
      firstMs: options.firstWaitMs ?? retryMs ?? firstRetryMs,
      waitMsMax,
    });
    onState?.({ state: 'lost', ending, error: failure, waitMs });
    await connection.wait(waitMs, signal);
  }
}

/** `latido` is in seconds: `2s`. */
function heartbeatOf({ latido }: Parameters['/cotizaciones/stream']): number {
  return latido === undefined ? 15_000 : Number.parseInt(latido, 10) * 1_000;
}

function streamEvent(event: ServerEvent, url: string): StreamEvent | undefined {
  switch (event.event) {
    case 'cotizacion':
      return { type: 'cotizacion', id: event.lastId, data: parse(event, url) as Cotizacion };
    case 'barra':
      return { type: 'barra', data: parse(event, url) as Barra };
    default:
      return undefined;
  }
}

function parse({ data }: ServerEvent, url: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw new PizarraResponseError(`${url} sent an event that is not JSON`, { cause });
  }
}
