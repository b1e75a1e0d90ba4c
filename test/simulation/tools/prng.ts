/** Random integers from a seed (xorshift32 after a mixing step, so that neighbouring seeds differ). */
export class Prng {
  #state: number;

  constructor(seed: number) {
    let mixed = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b) + 0x9e3779b9;
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
    this.#state = (mixed ^ (mixed >>> 13)) | 1;
  }

  /** An integer from 0 to `limit` − 1. */
  below(limit: number): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return (state >>> 0) % limit;
  }

  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** True once in `of` times. */
  oneIn(of: number): boolean {
    return this.below(of) === 0;
  }
}
