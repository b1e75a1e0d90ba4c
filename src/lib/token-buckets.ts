import { LRUCache } from 'lru-cache';

/** How a bucket fills. */
export interface BucketLimit {
  /** Most tokens that it holds; a new one is full. */
  readonly burst: number;
  /** How long one token takes to come back, in milliseconds. */
  readonly refillMs: number;
}

/** What became of the wish for a token. */
export interface Draw {
  readonly ok: boolean;
  /** Whole tokens that are left. */
  readonly remaining: number;
  /** When the next one is there, in milliseconds from now; 0 when one is. */
  readonly retryMs: number;
  /** When the bucket is full again, in milliseconds from now. */
  readonly fullMs: number;
}

interface Bucket {
  tokens: number;
  /** When they were counted, in epoch milliseconds. */
  at: number;
}

/** What adding up fractions may lack of a whole token. */
const roundingSlack = 1e-9;

/**
 * Token buckets by name, in memory. In any span of t milliseconds no name gets more than
 * `burst + t / refillMs` tokens.
 *
 * At most `bucketsMax` are kept. When there are more names, the one that has not asked for the
 * longest time is forgotten, and begins anew with a full bucket if it ever asks again.
 *
 * A clock that is set back gives no tokens and takes none; one that is set forward fills buckets, as
 * the time would have.
 */
export class TokenBuckets {
  readonly #buckets: LRUCache<string, Bucket>;

  constructor({ bucketsMax }: { readonly bucketsMax: number }) {
    // As a size of one each: a limit by number would take all its memory at once, 30 bytes a bucket.
    this.#buckets = new LRUCache({ maxSize: bucketsMax, sizeCalculation: () => 1 });
  }

  /** How many names are remembered. */
  get size(): number {
    return this.#buckets.size;
  }

  /**
   * Takes a token if there is one. The limit of a name may change from one call to the next.
   *
   * @param now in epoch milliseconds.
   */
  draw(name: string, { burst, refillMs }: BucketLimit, now: number): Draw {
    const bucket = this.#bucketOf(name, burst, now);
    const elapsed = Math.max(0, now - bucket.at);
    const tokens = Math.min(burst, bucket.tokens + elapsed / refillMs);
    const ok = tokens >= 1 - roundingSlack;
    const left = ok ? Math.max(0, tokens - 1) : tokens;
    bucket.tokens = left;
    bucket.at = now;
    return {
      ok,
      remaining: Math.floor(left + roundingSlack),
      retryMs: left >= 1 - roundingSlack ? 0 : (1 - left) * refillMs,
      fullMs: (burst - left) * refillMs,
    };
  }

  #bucketOf(name: string, burst: number, now: number): Bucket {
    const known = this.#buckets.get(name);
    if (known !== undefined) return known;
    const bucket = { tokens: burst, at: now };
    this.#buckets.set(name, bucket);
    return bucket;
  }
}
