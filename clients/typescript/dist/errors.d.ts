import type { RateLimit } from './result.ts';
/** The base of every error that this client throws by itself. An abort throws the reason of its signal. */
export declare class PizarraError extends Error {
    readonly name: string;
}
/** The service answered with an error. */
export declare class PizarraHttpError extends PizarraError {
    readonly name = "PizarraHttpError";
    /** The HTTP status, such as 400, 401 or 429. */
    readonly status: number;
    /** The text of the service, in Spanish, for people. Empty if a proxy answered in its place. */
    readonly text: string;
    /** When to try again, in seconds. Only with 429 and 503. */
    readonly retryAfter: number | undefined;
    /** The rate limit of the key, if it has one. */
    readonly rateLimit: RateLimit | undefined;
    /** The requested address. It contains no key. */
    readonly url: string;
    constructor(error: {
        readonly status: number;
        readonly text: string;
        readonly retryAfter: number | undefined;
        readonly rateLimit: RateLimit | undefined;
        readonly url: string;
    });
}
/** The service could not be reached, or the connection broke, in every attempt. `cause` has the last failure. */
export declare class PizarraConnectionError extends PizarraError {
    readonly name: string;
}
/** The response did not arrive within `timeoutMs`, in any attempt. */
export declare class PizarraTimeoutError extends PizarraConnectionError {
    readonly name = "PizarraTimeoutError";
}
/** A successful response is not what the contract describes: the address is probably another service. */
export declare class PizarraResponseError extends PizarraError {
    readonly name = "PizarraResponseError";
}
//# sourceMappingURL=errors.d.ts.map