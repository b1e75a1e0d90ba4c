/** One event of a stream. */
export interface ServerEvent {
    readonly event: string;
    readonly data: string;
    /** The last id that the stream sent, with this event or before it. Empty for none. */
    readonly lastId: string;
}
/**
 * Parses server-sent events from pieces of text (HTML, 9.2.6). An event that the end of the stream cuts
 * off is not dispatched, and its id does not count.
 */
export declare class EventParser {
    #private;
    /** @param lastId the last id of the connection before. */
    constructor(lastId: string);
    /** The last id of the dispatched events. */
    get lastId(): string;
    /** The last `retry` that the stream sent, in milliseconds. */
    get retryMs(): number | undefined;
    /**
     * Adds a piece of text, and returns the events that it completes.
     *
     * @throws RangeError when an event is too long.
     */
    push(text: string): readonly ServerEvent[];
}
//# sourceMappingURL=event-parser.d.ts.map