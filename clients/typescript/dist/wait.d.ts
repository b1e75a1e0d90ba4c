/** Waits, or throws the reason of the signal as soon as it is aborted. */
export declare function sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
/**
 * The wait before the next attempt, in milliseconds.
 *
 * @param failures the number of attempts that failed in a row, at least 1.
 * @param retryAfter the wait that the service asks for, in seconds. The client never waits less.
 */
export declare function waitBefore(failures: number, { retryAfter, firstMs, waitMsMax, }: {
    readonly retryAfter?: number | undefined;
    readonly firstMs?: number;
    readonly waitMsMax: number;
}): number;
//# sourceMappingURL=wait.d.ts.map