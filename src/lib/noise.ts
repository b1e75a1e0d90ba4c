/**
 * Noise with an address: the same seed and address give the same number, in whatever order they are
 * asked for. A generator with a state would have to be wound forward to a moment; this is simply
 * asked for it.
 */
export class Noise {
  readonly #seed: number;

  /** @param name tells the noises of one seed apart. */
  constructor(seed: number, name: string) {
    let hash = mix(0x9e_37_79_b9, seed);
    for (let index = 0; index < name.length; index += 1) hash = mix(hash, name.charCodeAt(index));
    this.#seed = hash;
  }

  /** From 0 up to but not at 1, evenly spread. */
  uniform(a: number, b = 0): number {
    return mix(mix(this.#seed, a), b) / 2 ** 32;
  }

  /** Of mean 0 and standard deviation 1, normally spread (Box and Muller). */
  normal(a: number, b = 0): number {
    const hash = mix(mix(this.#seed, a), b);
    const radius = Math.sqrt(-2 * Math.log((hash + 1) / (2 ** 32 + 1)));
    return radius * Math.cos(2 * Math.PI * (mix(hash, 1) / 2 ** 32));
  }

  /**
   * A path that is 0 at 0 and at 1 and wanders between, as Brownian motion pinned at both ends does,
   * by moving midpoints: the standard deviation in the middle is a half.
   */
  bridge(a: number, at: number): number {
    let [from, to, left, right, scale, node] = [0, 1, 0, 0, 0.5, 1];
    for (let depth = 0; depth < bridgeDepth; depth += 1) {
      const middle = (from + to) / 2;
      const value = (left + right) / 2 + scale * this.normal(a, node);
      node *= 2;
      if (at < middle) [to, right] = [middle, value];
      else [from, left, node] = [middle, value, node + 1];
      scale *= Math.SQRT1_2;
    }
    return left + ((right - left) * (at - from)) / (to - from);
  }
}

/** Of a session of six hours, the finest step is then 20 seconds. */
const bridgeDepth = 10;

/** Two numbers of 32 bits into one in which every bit hangs on all of both (MurmurHash3's finish). */
function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ (b + 0x9e_37_79_b9), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2_b2_ae_35);
  hash = Math.imul(hash ^ (hash >>> 13), 0x27_d4_eb_2f);
  return (hash ^ (hash >>> 16)) >>> 0;
}
