/**
 * A signal that is aborted by the signal of the caller, or after a time. `AbortSignal.any` and
 * `AbortSignal.timeout` would keep their listener and their timer until the end of the time.
 */
export class Deadline {
    #controller = new AbortController();
    #caller;
    #onAbort = () => this.#controller.abort(this.#caller?.reason);
    #timer;
    #hasPassed = false;
    constructor(caller) {
        this.#caller = caller;
        if (caller?.aborted === true)
            this.#onAbort();
        else
            caller?.addEventListener('abort', this.#onAbort, { once: true });
    }
    get signal() {
        return this.#controller.signal;
    }
    /** Whether the time has passed. */
    get hasPassed() {
        return this.#hasPassed;
    }
    /** Starts the time, or starts it anew. */
    start(ms) {
        this.pause();
        this.#timer = setTimeout(() => {
            this.#hasPassed = true;
            this.#controller.abort();
        }, ms);
    }
    pause() {
        clearTimeout(this.#timer);
    }
    /** Forgets the signal of the caller and stops the time. */
    end() {
        this.pause();
        this.#caller?.removeEventListener('abort', this.#onAbort);
    }
}
//# sourceMappingURL=deadline.js.map