import type { Connection, RequestOptions } from './options.ts';
import type { ResponseCache } from './response-cache.ts';
import type { Result } from './result.ts';
/**
 * The header with the key.
 *
 * @throws TypeError when the key cannot be sent in a header.
 */
export declare function authorization(connection: Connection): Promise<Record<string, string>>;
/** A request whose response is read into a value. */
export interface GetRequest<T> {
    readonly url: string;
    /** The media type of the response. */
    readonly type: string;
    /** Reads the body. It throws if the body is not what the contract describes. */
    readonly read: (body: string) => T;
    readonly headers?: Readonly<Record<string, string>>;
    readonly cache?: ResponseCache;
    readonly options: RequestOptions;
}
/**
 * Requests a value, or confirms the cached one.
 *
 * @throws as {@link exchange} does, and PizarraResponseError for a response of another service.
 */
export declare function get<T>(connection: Connection, request: GetRequest<T>): Promise<Result<T>>;
//# sourceMappingURL=request.d.ts.map