/**
 * Deterministic noise that is addressed by numbers. The same seed, name and address always give the
 * same number, in any order of calls. A generator with state would have to be advanced step by step
 * to reach a given instant.
 */
export class Noise {
  readonly #seed: number;

  /** @param name distinguishes several noises with the same seed. */
  constructor(seed: number, name: string) {
    let hash = mix(0x9e_37_79_b9, seed);
    for (let index = 0; index < name.length; index += 1) hash = mix(hash, name.charCodeAt(index));
    this.#seed = hash;
  }

  /** Uniformly distributed, from 0 (inclusive) to 1 (exclusive). */
  uniform(a: number, b = 0): number {
    return mix(mix(this.#seed, a), b) / 2 ** 32;
  }

  /** Normally distributed, with mean 0 and standard deviation 1 (Box–Muller transform). */
  normal(a: number, b = 0): number {
    const hash = mix(mix(this.#seed, a), b);
    const radius = Math.sqrt(-2 * Math.log((hash + 1) / (2 ** 32 + 1)));
    return radius * Math.cos(2 * Math.PI * (mix(hash, 1) / 2 ** 32));
  }

  /**
   * A Brownian bridge: a random path that is 0 at 0 and at 1. It is computed by midpoint displacement.
   * Its standard deviation in the middle is 0.5.
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

  /**
   * A random path that never decreases, from 0 at 0 to 1 at 1. Of the growth of each interval, its first half
   * has a random part, so the path grows in bursts.
   */
  growth(a: number, at: number): number {
    if (at >= 1) return 1;
    let [from, width, before, share] = [0, 1, 0, 1];
    for (let depth = 0, node = 1; depth < bridgeDepth; depth += 1) {
      width /= 2;
      const first = share * (1 - growthMax + (2 * growthMax - 1) * this.uniform(a, node));
      node *= 2;
      if (at < from + width) {
        share = first;
        continue;
      }
      [from, before, share, node] = [from + width, before + first, share - first, node + 1];
    }
    return before + (share * (at - from)) / width;
  }

  /**
   * The bridge at the points k ÷ steps, from k = 0 to k = steps: the numbers that {@link bridge} gives. A
   * whole path takes a fraction of the time of its points one by one.
   */
  bridgePath(a: number, steps: number): Float64Array {
    const size = 2 ** bridgeDepth;
    const nodes = new Float64Array(size + 1);
    let scale = 0.5;
    for (let depth = 0; depth < bridgeDepth; depth += 1) {
      const width = size / 2 ** depth;
      for (let index = 0; index < 2 ** depth; index += 1) {
        const [from, to] = [index * width, (index + 1) * width];
        const middle = ((nodes[from] ?? 0) + (nodes[to] ?? 0)) / 2;
        nodes[from + width / 2] = middle + scale * this.normal(a, 2 ** depth + index);
      }
      scale *= Math.SQRT1_2;
    }
    return Float64Array.from({ length: steps + 1 }, (_, step) => {
      const at = step / steps;
      const index = Math.min(Math.floor(at * size), size - 1);
      const [left, right] = [nodes[index] ?? 0, nodes[index + 1] ?? 0];
      const [from, to] = [index / size, (index + 1) / size];
      return left + ((right - left) * (at - from)) / (to - from);
    });
  }
}

/** The largest part of an interval's growth that one of its halves has. */
const growthMax = 0.7;

/** Number of halvings. The finest step of a session of six hours is then about 20 seconds. */
const bridgeDepth = 10;

/**
 * Mixes two 32-bit numbers into one. Every bit of the result depends on all bits of both (the
 * finalizer of MurmurHash3).
 */
function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ (b + 0x9e_37_79_b9), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2_b2_ae_35);
  hash = Math.imul(hash ^ (hash >>> 13), 0x27_d4_eb_2f);
  return (hash ^ (hash >>> 16)) >>> 0;
}
