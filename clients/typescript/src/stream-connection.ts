import { Deadline } from './time/deadline.ts';
import { onWake } from './time/wait.ts';
import { PizarraResponseError } from './errors.ts';
import { EventParser, type ServerEvent } from './event-parser.ts';
import { connected, open, type Call } from './exchange.ts';
import type { Connection } from './options.ts';
import { authorization } from './request.ts';
import { notesOf } from './response-notes.ts';
import type { ResponseNotes } from './result.ts';

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * One connection of a stream. It reads only when its caller wants the next event, so a slow caller slows
 * the service down, which then sends it only the latest quote of each instrument. The connection is
 * dropped when a read gets no byte for `silenceMsMax`, and at a `wake` for half of it.
 */
export class StreamConnection {
  readonly notes: ResponseNotes;
  readonly #call: Call;
  readonly #deadline: Deadline;
  readonly #reader: Reader;
  readonly #parser: EventParser;
  readonly #silenceMsMax: number;
  readonly #stopWaking: () => void;
  /** The time of the latest byte, of `performance.now()`. */
  #heardAt = performance.now();

  private constructor(
    response: Response,
    parts: {
      readonly reader: Reader;
      readonly call: Call;
      readonly deadline: Deadline;
      readonly lastId: string;
      readonly silenceMsMax: number;
      readonly wake: EventTarget | undefined;
    },
  ) {
    this.notes = notesOf(response.headers);
    this.#call = parts.call;
    this.#deadline = parts.deadline;
    this.#reader = parts.reader;
    this.#parser = new EventParser(parts.lastId);
    this.#silenceMsMax = parts.silenceMsMax;
    this.#stopWaking = onWake(parts.wake, () => {
      const silenceMs = performance.now() - this.#heardAt;
      if (silenceMs > this.#silenceMsMax / 2) this.#deadline.expire();
    });
  }

  /**
   * Opens a stream, from the quote with the given id on.
   *
   * @throws PizarraHttpError when the service refuses it, PizarraConnectionError when it is not reached.
   */
  static async open(
    connection: Connection,
    {
      url,
      lastId,
      signal,
      silenceMsMax,
    }: {
      readonly url: string;
      readonly lastId: string;
      readonly signal: AbortSignal | undefined;
      readonly silenceMsMax: number;
    },
  ): Promise<StreamConnection> {
    const resumed = lastId === '' ? {} : { 'last-event-id': lastId };
    const type = 'text/event-stream';
    const headers = { ...(await authorization(connection)), accept: type, ...resumed };
    const call = { url, headers, signal };
    const deadline = new Deadline(signal);
    deadline.start(connection.timeoutMs);
    const { wake } = connection;
    // An attempt under way may wait for a network that was dead.
    const stopWaking = onWake(wake, () => deadline.expire());
    try {
      const response = await open(connection, call, deadline);
      const received = response.headers.get('content-type') ?? 'nothing';
      const reader = response.body?.getReader();
      if (received.split(';')[0] !== type || reader === undefined) {
        await reader?.cancel();
        throw new PizarraResponseError(`${url} answered ${received} instead of ${type}`);
      }
      deadline.pause();
      return new StreamConnection(response, { reader, call, deadline, lastId, silenceMsMax, wake });
    } catch (error) {
      deadline.end();
      throw error;
    } finally {
      stopWaking();
    }
  }

  /** The wait before the next connection that the service has sent (`retry`), in milliseconds. */
  get retryMs(): number | undefined {
    return this.#parser.retryMs;
  }

  /**
   * The events until the service ends the stream, as many at once as have arrived together. To wait for each of them
   * would take longer than to parse it.
   */
  async *events(): AsyncGenerator<readonly ServerEvent[], void, undefined> {
    const decoder = new TextDecoder();
    for (;;) {
      this.#deadline.start(this.#silenceMsMax);
      const read = await connected(this.#call, this.#deadline, () => this.#reader.read());
      this.#deadline.pause();
      this.#heardAt = performance.now();
      if (read.done) return;
      yield this.#parser.push(decoder.decode(read.value, { stream: true }));
    }
  }

  async close(): Promise<void> {
    this.#stopWaking();
    this.#deadline.end();
    // A connection that broke cannot be cancelled, and needs it no more.
    await this.#reader.cancel().catch(() => undefined);
  }
}
