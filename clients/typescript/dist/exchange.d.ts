import { Deadline } from './deadline.ts';
import type { Connection } from './options.ts';
/** A response whose body was read. */
export interface Reply {
    readonly status: number;
    readonly headers: Headers;
    readonly body: string;
}
/** A request for a path with its query. */
export interface Call {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal | undefined;
}
/**
 * Sends a request, and again after a temporary failure: a broken connection, a timeout, and the statuses
 * of {@link isTemporary}. Every request is a GET, so sending it again changes nothing.
 *
 * @throws PizarraHttpError for any status but 200 and 304.
 * @throws PizarraConnectionError when no attempt got a response.
 */
export declare function exchange(connection: Connection, call: Call): Promise<Reply>;
/** When to try again, in seconds; undefined if nobody says when, and false for a lasting failure. */
export declare function temporaryFailure(error: unknown): number | undefined | false;
/**
 * Sends a request once, and returns the response before its body.
 *
 * @throws as {@link exchange} does.
 */
export declare function open(connection: Connection, call: Call, deadline: Deadline): Promise<Response>;
/** Waits for a step of a request, and gives its failure a type. */
export declare function connected<T>({ url, signal }: Call, deadline: Deadline, step: () => Promise<T>): Promise<T>;
//# sourceMappingURL=exchange.d.ts.map