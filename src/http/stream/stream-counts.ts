/** The number of open streams of a key in one process. */
export type StreamCount = readonly [keyId: string, streams: number];

/**
 * The open streams of each key: those of this process, and those of the other processes of the node. Each process
 * reports its own number when it changes, so a limit applies to all of them together. A report takes about a
 * millisecond. Clients that open streams within this time in several processes may exceed the limit by as many.
 */
export class StreamCounts {
  readonly #own = new Map<string, number>();
  readonly #elsewhere = new Map<string, number>();
  readonly #onChange: ((count: StreamCount) => void) | undefined;

  /** @param onChange receives each change of a number of this process. */
  constructor(onChange?: (count: StreamCount) => void) {
    this.#onChange = onChange;
  }

  /** The open streams of a key in all processes. */
  of(keyId: string): number {
    return (this.#own.get(keyId) ?? 0) + (this.#elsewhere.get(keyId) ?? 0);
  }

  /** A stream of this process was opened. */
  opened(keyId: string): void {
    this.#set(keyId, (this.#own.get(keyId) ?? 0) + 1);
  }

  /** A stream of this process has ended. */
  closed(keyId: string): void {
    this.#set(keyId, (this.#own.get(keyId) ?? 1) - 1);
  }

  /** The other processes have this many streams of a key. */
  setElsewhere([keyId, streams]: StreamCount): void {
    put(this.#elsewhere, keyId, streams);
  }

  #set(keyId: string, streams: number): void {
    put(this.#own, keyId, streams);
    this.#onChange?.([keyId, streams]);
  }
}

/** Keys without streams take no memory. */
function put(counts: Map<string, number>, keyId: string, streams: number): void {
  if (streams === 0) counts.delete(keyId);
  else counts.set(keyId, streams);
}
