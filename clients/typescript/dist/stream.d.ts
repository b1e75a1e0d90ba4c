import type { Barra, CierreDeTransmision, Cotizacion, Parameters } from './contract.ts';
import type { Connection, RequestOptions } from './options.ts';
import type { ResponseNotes } from './result.ts';
/** A quote or, with `barras`, a bar. Each replaces the one before it, and is never a difference. */
export type StreamEvent = {
    readonly type: 'cotizacion';
    /** Pass it as `lastEventId` to receive only later quotes. */
    readonly id: string;
    readonly data: Cotizacion;
} | {
    readonly type: 'barra';
    readonly data: Barra;
};
/** What happens to the connection of a stream. */
export type StreamState = ({
    readonly state: 'open';
    readonly isResumed: boolean;
} & ResponseNotes) | {
    readonly state: 'lost';
    /** Why the service ended the stream. Undefined if the connection broke or could not be opened. */
    readonly ending: CierreDeTransmision | undefined;
    readonly error: Error | undefined;
    /** Milliseconds until the next attempt. */
    readonly waitMs: number;
};
/** The options of a stream. */
export interface StreamOptions extends Pick<RequestOptions, 'signal' | 'timeoutMs'> {
    /** The `id` of the last quote that was received, with the same parameters: only later ones are sent. */
    readonly lastEventId?: string;
    /**
     * The heartbeat of the service, in milliseconds (its setting `streamHeartbeatMs`). Default: 15,000. A
     * connection without any byte for twice as long is dropped and resumed.
     */
    readonly heartbeatMs?: number;
    /**
     * Maximum number of attempts in a row that fail, before the error is thrown. Default: `retry.attemptsMax`
     * of the client until the first connection, and no maximum after it.
     */
    readonly attemptsMax?: number;
    /** Maximum wait before an attempt, in milliseconds. Default: 30,000. */
    readonly waitMsMax?: number;
    /** Is called when the connection opens and when it is lost. What it throws ends the stream. */
    readonly onState?: (state: StreamState) => void;
}
/** The quotes of a selection as they change. See `PizarraClient.stream`. */
export declare function streamQuotes(given: Connection, parameters: Parameters['/cotizaciones/stream'], options: StreamOptions): AsyncGenerator<StreamEvent, never, undefined>;
//# sourceMappingURL=stream.d.ts.map