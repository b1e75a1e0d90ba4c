import { LRUCache } from 'lru-cache';

/** The size and the refill rate of a bucket. */
export interface BucketLimit {
  /** Maximum number of tokens in the bucket. A new bucket is full. */
  readonly burst: number;
  /** Time after which one token is added, in milliseconds. */
  readonly refillMs: number;
}

/** The result of drawing a token. */
export interface Draw {
  readonly ok: boolean;
  /** Number of whole tokens that remain. */
  readonly remaining: number;
  /** Time until the next token is available, in milliseconds; 0 when one is available now. */
  readonly retryMs: number;
  /** Time until the bucket is full again, in milliseconds. */
  readonly fullMs: number;
}

interface Bucket {
  tokens: number;
  /** The instant at which `tokens` was correct, in epoch milliseconds. */
  at: number;
  /** The limit of the last draw. */
  limit: BucketLimit;
  /** The number of settlements that `tokens` includes. */
  settlements: number;
}

/** Rounding error allowed when fractions of a token are added up. */
const roundingSlack = 1e-9;

/**
 * Token buckets by name, in memory. In any span of t milliseconds, a name gets at most
 * `burst + t / refillMs` tokens.
 *
 * At most `bucketsMax` buckets exist. Beyond that, the least recently used bucket is evicted. A name
 * whose bucket was evicted starts again with a full one.
 *
 * Setting the clock back neither adds nor removes tokens. Setting it forward adds tokens as if the
 * time had passed.
 */
export class TokenBuckets {
  readonly #buckets: LRUCache<string, Bucket>;
  #settlements = 0;
  #settledAt = 0;

  constructor({ bucketsMax }: { readonly bucketsMax: number }) {
    // `max` would allocate memory for all buckets at once, 30 bytes each. `maxSize` does not.
    this.#buckets = new LRUCache({ maxSize: bucketsMax, sizeCalculation: () => 1 });
  }

  /** Number of buckets. */
  get size(): number {
    return this.#buckets.size;
  }

  /**
   * Takes a token if one is available. The limit of a name may change from one call to the next. A bucket
   * keeps its tokens then, as far as they fit, and all time since the last draw counts under the new limit.
   * {@link settle} separates the time before.
   *
   * @param now in epoch milliseconds.
   */
  draw(name: string, limit: BucketLimit, now: number): Draw {
    const { burst, refillMs } = limit;
    const bucket = this.#bucketOf(name, limit, now);
    if (bucket.settlements !== this.#settlements) {
      bucket.tokens = tokensAt(bucket, this.#settledAt);
      bucket.at = this.#settledAt;
      bucket.settlements = this.#settlements;
    }
    bucket.limit = limit;
    const tokens = tokensAt(bucket, now);
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

  /**
   * Refills every bucket up to now, under the limit of its last draw. Before a change of all limits, this
   * prevents that a larger limit refills the time before the change. Each bucket is refilled at its next draw,
   * so the call takes the same short time for any number of buckets.
   *
   * @param now in epoch milliseconds.
   */
  settle(now: number): void {
    this.#settledAt = now;
    this.#settlements += 1;
  }

  #bucketOf(name: string, limit: BucketLimit, now: number): Bucket {
    const known = this.#buckets.get(name);
    if (known !== undefined) return known;
    const bucket = { tokens: limit.burst, at: now, limit, settlements: this.#settlements };
    this.#buckets.set(name, bucket);
    return bucket;
  }
}

function tokensAt({ tokens, at, limit }: Bucket, now: number): number {
  const elapsed = Math.max(0, now - at);
  return Math.min(limit.burst, tokens + elapsed / limit.refillMs);
}
