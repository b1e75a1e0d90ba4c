/**
 * A signal that is aborted by the signal of the caller, or after a time. `AbortSignal.any` and
 * `AbortSignal.timeout` would keep their listener and their timer until the end of the time.
 */
export declare class Deadline {
    #private;
    constructor(caller: AbortSignal | undefined);
    get signal(): AbortSignal;
    /** Whether the time has passed. */
    get hasPassed(): boolean;
    /** Starts the time, or starts it anew. */
    start(ms: number): void;
    pause(): void;
    /** Forgets the signal of the caller and stops the time. */
    end(): void;
}
//# sourceMappingURL=deadline.d.ts.map