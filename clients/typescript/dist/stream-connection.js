import { Deadline } from './deadline.js';
import { PizarraResponseError } from './errors.js';
import { EventParser } from './event-parser.js';
import { connected, open } from './exchange.js';
import { authorization } from './request.js';
import { notesOf } from './response-notes.js';
/**
 * One connection of a stream. It reads only when its caller wants the next event, so a slow caller slows
 * the service down, which then sends it only the latest quote of each instrument. The connection is
 * dropped when a read gets no byte for `silenceMsMax`.
 */
export class StreamConnection {
    notes;
    #call;
    #deadline;
    #reader;
    #parser;
    #silenceMsMax;
    constructor(response, parts) {
        this.notes = notesOf(response.headers);
        this.#call = parts.call;
        this.#deadline = parts.deadline;
        this.#reader = parts.reader;
        this.#parser = new EventParser(parts.lastId);
        this.#silenceMsMax = parts.silenceMsMax;
    }
    /**
     * Opens a stream, from the quote with the given id on.
     *
     * @throws PizarraHttpError when the service refuses it, PizarraConnectionError when it is not reached.
     */
    static async open(connection, { url, lastId, signal, silenceMsMax, }) {
        const resumed = lastId === '' ? {} : { 'last-event-id': lastId };
        const type = 'text/event-stream';
        const headers = { ...(await authorization(connection)), accept: type, ...resumed };
        const call = { url, headers, signal };
        const deadline = new Deadline(signal);
        deadline.start(connection.timeoutMs);
        try {
            const response = await open(connection, call, deadline);
            const received = response.headers.get('content-type') ?? 'nothing';
            const reader = response.body?.getReader();
            if (received.split(';')[0] !== type || reader === undefined) {
                await reader?.cancel();
                throw new PizarraResponseError(`${url} answered ${received} instead of ${type}`);
            }
            deadline.pause();
            return new StreamConnection(response, { reader, call, deadline, lastId, silenceMsMax });
        }
        catch (error) {
            deadline.end();
            throw error;
        }
    }
    /** The wait before the next connection that the service has told, in milliseconds. */
    get retryMs() {
        return this.#parser.retryMs;
    }
    /** The events until the service ends the stream. */
    async *events() {
        const decoder = new TextDecoder();
        for (;;) {
            this.#deadline.start(this.#silenceMsMax);
            const read = await connected(this.#call, this.#deadline, () => this.#reader.read());
            this.#deadline.pause();
            if (read.done)
                return;
            yield* this.#parser.push(decoder.decode(read.value, { stream: true }));
        }
    }
    async close() {
        this.#deadline.end();
        // A connection that broke cannot be cancelled, and needs it no more.
        await this.#reader.cancel().catch(() => undefined);
    }
}
//# sourceMappingURL=stream-connection.js.map