import type { ServerEvent } from './event-parser.ts';
import type { Connection } from './options.ts';
import type { ResponseNotes } from './result.ts';
/**
 * One connection of a stream. It reads only when its caller wants the next event, so a slow caller slows
 * the service down, which then sends it only the latest quote of each instrument. The connection is
 * dropped when a read gets no byte for `silenceMsMax`.
 */
export declare class StreamConnection {
    #private;
    readonly notes: ResponseNotes;
    private constructor();
    /**
     * Opens a stream, from the quote with the given id on.
     *
     * @throws PizarraHttpError when the service refuses it, PizarraConnectionError when it is not reached.
     */
    static open(connection: Connection, { url, lastId, signal, silenceMsMax, }: {
        readonly url: string;
        readonly lastId: string;
        readonly signal: AbortSignal | undefined;
        readonly silenceMsMax: number;
    }): Promise<StreamConnection>;
    /** The wait before the next connection that the service has told, in milliseconds. */
    get retryMs(): number | undefined;
    /** The events until the service ends the stream. */
    events(): AsyncGenerator<ServerEvent, void, undefined>;
    close(): Promise<void>;
}
//# sourceMappingURL=stream-connection.d.ts.map