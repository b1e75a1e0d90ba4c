/** Events beyond this number mean that a history does not end. */
const eventsMax = 100_000;
/** Events of the same millisecond happen in the order in which they were added. */
const perMillisecond = 2 ** 24;

/** The events of a history in the order of their time. A binary heap over numbers. */
export class Agenda {
  /** The true time, in milliseconds since the start of the history. No node knows it. */
  now = 0;
  readonly #keys: number[] = [];
  readonly #events: (() => void)[] = [];
  #added = 0;

  get events(): number {
    return this.#added;
  }

  after(pauseMs: number, event: () => void): void {
    if (this.#added >= eventsMax) throw new Error('the history does not end');
    const keys = this.#keys;
    const events = this.#events;
    const key = (this.now + pauseMs) * perMillisecond + this.#added;
    this.#added += 1;
    let hole = keys.length;
    keys.push(key);
    events.push(event);
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const above = keys[parent] ?? 0;
      if (above <= key) break;
      keys[hole] = above;
      events[hole] = events[parent] as () => void;
      hole = parent;
    }
    keys[hole] = key;
    events[hole] = event;
  }

  runUntil(end: number): void {
    for (;;) {
      const key = this.#keys[0];
      if (key === undefined || key >= (end + 1) * perMillisecond) break;
      this.now = Math.floor(key / perMillisecond);
      this.#takeFirst()();
    }
    this.now = end;
  }

  #takeFirst(): () => void {
    const keys = this.#keys;
    const events = this.#events;
    const first = events[0] as () => void;
    const key = keys.pop() as number;
    const event = events.pop() as () => void;
    const { length } = keys;
    if (length === 0) return first;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= length) break;
      if (child + 1 < length && (keys[child + 1] as number) < (keys[child] as number)) child += 1;
      if ((keys[child] as number) >= key) break;
      keys[hole] = keys[child] as number;
      events[hole] = events[child] as () => void;
      hole = child;
    }
    keys[hole] = key;
    events[hole] = event;
    return first;
  }
}
