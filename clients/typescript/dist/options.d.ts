/** How often, and how long, the client tries again. */
export interface RetryOptions {
    /** Maximum number of attempts of a request, the first one included. Default: 3. With 1, it never retries. */
    readonly attemptsMax?: number;
    /**
     * Maximum wait before one further attempt, in milliseconds. Default: 30,000. If the service asks for a
     * longer wait (`Retry-After`), the error is thrown at once.
     */
    readonly waitMsMax?: number;
}
/** The options of a client. */
export interface ClientOptions {
    /** The address of the service with its base path, such as `https://quotes.example/v5`. */
    readonly url: string | URL;
    /** The API key, or a function that gives the current one: it is called for each request. */
    readonly key: string | (() => string | Promise<string>);
    /** Maximum time of one attempt, until the whole body is read, in milliseconds. Default: 30,000. */
    readonly timeoutMs?: number;
    readonly retry?: RetryOptions;
    /**
     * Maximum size of the responses that are kept to answer a 304, in characters. The least recently used
     * response is dropped. Default: 16 Mi. With 0, no response is kept.
     */
    readonly cacheCharactersMax?: number;
    /** Replaces `fetch`, for example to go through a proxy. */
    readonly fetch?: typeof fetch;
}
/** The options of one request. */
export interface RequestOptions {
    /** Aborts the request, its waits included. The promise is then rejected with the reason of the signal. */
    readonly signal?: AbortSignal | undefined;
    /** Replaces that of the client. */
    readonly timeoutMs?: number;
    readonly retry?: RetryOptions;
}
/** The options of a client with their defaults. */
export interface Connection {
    readonly base: string;
    readonly key: () => string | Promise<string>;
    readonly timeoutMs: number;
    readonly retry: Required<RetryOptions>;
    readonly fetch: typeof fetch;
}
/**
 * Completes the options of a client.
 *
 * @throws TypeError when the address is not an HTTP address.
 */
export declare function connectionOf(options: ClientOptions): Connection;
/** Replaces the options that a request has of its own. */
export declare function withRequestOptions(connection: Connection, { timeoutMs, retry }: RequestOptions): Connection;
//# sourceMappingURL=options.d.ts.map