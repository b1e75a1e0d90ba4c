import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
import { createHash } from 'node:crypto';

import type { Clock } from '../../lib/time/clock.ts';
import { Fields, bodyFields, textBytesMax, type BodyParts } from '../handler/response.ts';

/** The supported content encodings, best first where the client has no preference. */
export const allCodings = ['br', 'zstd', 'gzip', 'identity'] as const;

export type Coding = (typeof allCodings)[number];

/** A body in one content encoding, with all that its responses say about it. */
export interface Representation {
  readonly coding: Coding;
  readonly parts: BodyParts;
  readonly etag: string;
  /** The fields that describe the body, and its entity tag. */
  readonly fields: Fields;
}

/** Shorter bodies are not compressed: with its head, such a response fits into one packet. */
const compressBytesMin = 1_024;

/** Longer bodies are compressed on another thread. Up to this length it takes 1 ms at most. */
const compressNowBytesMax = 96 * 1024;

/**
 * An immutable body and its compressed forms. A compressed form is made at the first request for it and
 * kept as long as the body.
 *
 * No request waits for a compressed form. A long body is compressed on another thread; until then the
 * next best encoding that the client accepts is sent. Only a client that accepts no other one waits.
 */
export class Body {
  readonly #identity: Representation;
  readonly #length: number;
  readonly #type: string;
  readonly #tag: string;
  readonly #compressed = new Map<Compression, Representation>();
  readonly #underWay = new Map<Compression, Promise<Representation>>();
  readonly #tags = new Map<Coding, Fields>();
  readonly #mayCompress: (coding: Compression) => boolean;
  readonly #onGrowth: () => void;
  #compressedBytes = 0;

  constructor(options: {
    readonly type: string;
    readonly parts: BodyParts;
    /** Whether to make a compressed form now, for a client that also accepts another encoding. */
    readonly mayCompress: (coding: Compression) => boolean;
    /** Called when the body uses more memory than before. */
    readonly onGrowth?: () => void;
    /** Compressed forms that were created before, by their encoding. */
    readonly compressed?: ReadonlyMap<Compression, Buffer>;
  }) {
    const parts = options.parts.filter((part) => part.length > 0);
    this.#type = options.type;
    this.#length = parts.reduce((sum, part) => sum + part.length, 0);
    this.#tag = contentTag(parts);
    this.#mayCompress = options.mayCompress;
    this.#onGrowth = options.onGrowth ?? (() => undefined);
    const isShort = this.#length <= textBytesMax;
    this.#identity = this.#representation('identity', isShort ? [textOf(parts)] : parts);
    for (const [coding, bytes] of options.compressed ?? []) this.#keep(coding, bytes);
  }

  /** The length without compression, in bytes. */
  get length(): number {
    return this.#length;
  }

  /** Whether another body has the same bytes. */
  isEqual(other: Body): boolean {
    return this.#tag === other.#tag;
  }

  /** The length of all compressed forms. */
  get compressedBytes(): number {
    return this.#compressedBytes;
  }

  /**
   * The form to send, of those that exist or are made at once.
   *
   * @param codings the encodings that the client accepts, best first.
   * @returns undefined when there is none yet: it has to be made ({@link make}).
   */
  pick(codings: readonly Coding[]): Representation | undefined {
    let isFirst = true;
    for (const coding of codings) {
      if (coding === 'identity') return this.#identity;
      const held = this.#compressed.get(coding);
      if (held !== undefined) return held;
      if (isFirst && this.#length >= compressBytesMin && this.#mayCompress(coding)) {
        if (this.#length <= compressNowBytesMax) return this.#makeNow(coding);
        // It can fail only for lack of memory. Then the plain form is sent, as before.
        this.make(coding).catch(() => undefined);
      }
      isFirst = false;
    }
    return undefined;
  }

  /** The form in an encoding, however long it takes. */
  make(coding: Compression): Promise<Representation> {
    const held = this.#compressed.get(coding) ?? this.#underWay.get(coding);
    if (held !== undefined) return Promise.resolve(held);
    const making = this.#makeAside(coding).finally(() => this.#underWay.delete(coding));
    this.#underWay.set(coding, making);
    return making;
  }

  /**
   * The entity tag of the form that the client has stored already, among those that it accepts.
   *
   * @returns the field that names it; undefined if the client has none.
   */
  pickStored(ifNoneMatch: string, codings: readonly Coding[]): Fields | undefined {
    const worst = codings.at(-1);
    if (worst !== undefined && isAny(ifNoneMatch)) return this.tagIn(worst);
    for (const coding of codings) {
      const etag = this.#etagOf(coding);
      if (isListed(ifNoneMatch, etag)) return this.tagIn(coding);
    }
    return undefined;
  }

  /** The entity tag of a form, as a field. */
  tagIn(coding: Coding): Fields {
    const known = this.#tags.get(coding);
    if (known !== undefined) return known;
    const fields = Fields.of({ etag: this.#etagOf(coding) });
    this.#tags.set(coding, fields);
    return fields;
  }

  #etagOf(coding: Coding): string {
    return coding === 'identity' ? this.#identity.etag : entityTag(this.#tag, coding);
  }

  #makeNow(coding: Compression): Representation {
    return this.#keep(coding, compressNow(this.#bytes(), coding));
  }

  async #makeAside(coding: Compression): Promise<Representation> {
    return this.#keep(coding, await compressAside(this.#bytes(), coding));
  }

  #keep(coding: Compression, bytes: Buffer): Representation {
    const representation = this.#representation(coding, [bytes]);
    this.#compressed.set(coding, representation);
    this.#compressedBytes += bytes.length;
    this.#onGrowth();
    return representation;
  }

  #bytes(): Buffer {
    const { parts } = this.#identity;
    return Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
    );
  }

  #representation(coding: Coding, parts: BodyParts): Representation {
    const etag = entityTag(this.#tag, coding);
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const encoding = coding === 'identity' ? [] : ['content-encoding', coding];
    const fields = bodyFields(this.#type, length, [...encoding, 'etag', etag]);
    return { coding, parts, etag, fields };
  }
}

function textOf(parts: BodyParts): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.toString('latin1'))).join('');
}

/** The content encodings that compress. */
export type Compression = Exclude<Coding, 'identity'>;

/**
 * Levels that take 0.1 to 0.3 ms for the largest panel (40 KB) and reduce it to a quarter. Higher levels
 * save another tenth and take two to three times as long. The levels are fixed, because an ETag names
 * the compressed bytes.
 */
const gzipOptions = { level: 4 };
const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

function brotliOptions(bytes: Uint8Array): { readonly params: Record<number, number> } {
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: size } = constants;
  return { params: { [quality]: 4, [size]: bytes.length } };
}

const gzipLater = promisify<Uint8Array, typeof gzipOptions, Buffer>(gzip);
const zstdLater = promisify<Uint8Array, typeof zstdOptions, Buffer>(zstdCompress);
const brotliLater = promisify<Uint8Array, ReturnType<typeof brotliOptions>, Buffer>(brotliCompress);

/** Compresses on this thread. For bodies that take well under a millisecond. */
function compressNow(bytes: Uint8Array, coding: Compression): Buffer {
  if (coding === 'gzip') return gzipSync(bytes, gzipOptions);
  if (coding === 'zstd') return zstdCompressSync(bytes, zstdOptions);
  return brotliCompressSync(bytes, brotliOptions(bytes));
}

/** Compresses on a thread of Node's pool. The bytes are those of {@link compressNow}. */
function compressAside(bytes: Uint8Array, coding: Compression): Promise<Buffer> {
  if (coding === 'gzip') return gzipLater(bytes, gzipOptions);
  if (coding === 'zstd') return zstdLater(bytes, zstdOptions);
  return brotliLater(bytes, brotliOptions(bytes));
}

/**
 * Allows compressed forms of a body once they have been asked for before: one that is requested once is not
 * worth them.
 */
export function ifAskedAgain(): () => boolean {
  let wasAsked = false;
  return () => {
    const isWorthIt = wasAsked;
    wasAsked = true;
    return isWorthIt;
  };
}

/** Minimum time between two compressed forms of a selection in one encoding, in milliseconds. */
const compressionPauseMs = 100;

/**
 * Limits the cost of compression where a body changes often: at most ten compressed forms a second for
 * each encoding of a selection. The bodies in between are sent uncompressed.
 */
export class CompressionPace {
  readonly #clock: Clock;
  readonly #last = new Map<Compression, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a compressed form may be made now. If so, the next one has to wait. */
  allows(coding: Compression): boolean {
    const now = this.#clock.now();
    // The absolute distance: a clock that was set back must not stop compression for long.
    const last = this.#last.get(coding);
    if (last !== undefined && Math.abs(now - last) < compressionPauseMs) return false;
    this.#last.set(coding, now);
    return true;
  }
}

/** An entity tag in a list. The captured part leaves out the mark of a weak tag. */
const listedTag = /(?:W\/)?("[^"]*")/g;

/** 128 bits of the digest, in base64url: no two bodies share them by chance. */
const tagLength = 22;

/**
 * A digest of a body, the same in every process and after every restart. It costs 0.6 µs per kilobyte,
 * once for each body.
 */
function contentTag(parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    if (typeof part === 'string') hash.update(part, 'latin1');
    else hash.update(part);
  }
  return hash.digest('base64url').slice(0, tagLength);
}

/**
 * The strong entity tag of a body in an encoding (RFC 9110 8.8.3.3). The encoded bytes follow from those
 * of the body, so they need no digest of their own.
 */
function entityTag(tag: string, coding: Coding): string {
  return coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`;
}

/** Whether an `If-None-Match` field is the wildcard, which any form matches. */
function isAny(ifNoneMatch: string): boolean {
  return ifNoneMatch.trim() === '*';
}

/** Whether an `If-None-Match` field lists an entity tag (RFC 9110 13.1.2, weak comparison). */
function isListed(ifNoneMatch: string, etag: string): boolean {
  // Most clients send one tag.
  return ifNoneMatch === etag || ifNoneMatch.matchAll(listedTag).some(([, one]) => one === etag);
}
