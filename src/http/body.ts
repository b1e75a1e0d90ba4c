import { compressAside, compressNow } from './compress.ts';
import type { Compression } from './compress.ts';
import { headLines } from './head-lines.ts';
import { contentTag, entityTag, isAny, isListed } from './entity-tag.ts';
import type { Coding } from './negotiation.ts';

/**
 * Bytes as they are written: in order, a text standing for the bytes of its Latin-1 form. A short body
 * is one text, because Node sends that together with the head in one write.
 */
export type BodyParts = readonly (string | Buffer)[];

/** A body in one coding, with all that its answers say about it. */
export interface Rendition {
  readonly parts: BodyParts;
  readonly etag: string;
  /** Names and values, in turn, of the headers that belong to it. */
  readonly headers: readonly string[];
  /** The same as lines of a head. */
  readonly headLines: string;
}

/** Shorter bodies are not compressed: with its head, the answer fits one packet as it is. */
const compressBytesMin = 1_024;

/** Longer bodies are compressed on another thread: these take 0.4 ms at most. */
const compressNowBytesMax = 64 * 1024;

/** Up to this length, a body is written as text. */
const textBytesMax = 8 * 1024;

/**
 * An immutable body with its compressed forms, which are made when they are first asked for and kept
 * as long as the body.
 *
 * Nobody waits for a compressed form: a long one is made aside, and until it is there the next best
 * coding that the client accepts is answered. Only a client that refuses all the others waits.
 */
export class Body {
  readonly #identity: Rendition;
  readonly #length: number;
  readonly #type: string;
  readonly #tag: string;
  readonly #compressed = new Map<Compression, Rendition>();
  readonly #underWay = new Map<Compression, Promise<Rendition>>();
  readonly #mayCompress: (coding: Compression) => boolean;
  readonly #onGrowth: () => void;
  #compressedBytes = 0;

  constructor(options: {
    readonly type: string;
    readonly parts: BodyParts;
    /** Whether making a compressed form now is worth it, for a client that can do without. */
    readonly mayCompress: (coding: Compression) => boolean;
    /** Told when the body holds more bytes than before. */
    readonly onGrowth?: () => void;
  }) {
    const parts = options.parts.filter((part) => part.length > 0);
    this.#type = options.type;
    this.#length = parts.reduce((sum, part) => sum + part.length, 0);
    this.#tag = contentTag(parts);
    this.#mayCompress = options.mayCompress;
    this.#onGrowth = options.onGrowth ?? (() => undefined);
    const isShort = this.#length <= textBytesMax;
    this.#identity = this.#rendition('identity', isShort ? [textOf(parts)] : parts);
  }

  /** What the compressed forms take. */
  get compressedBytes(): number {
    return this.#compressedBytes;
  }

  /**
   * The form to answer with, of those that are there or quickly made.
   *
   * @param codings what the client accepts, best first.
   * @returns undefined when there is none yet; then {@link make} one.
   */
  pick(codings: readonly Coding[]): Rendition | undefined {
    let isFirst = true;
    for (const coding of codings) {
      if (coding === 'identity') return this.#identity;
      const held = this.#compressed.get(coding);
      if (held !== undefined) return held;
      if (isFirst && this.#length >= compressBytesMin && this.#mayCompress(coding)) {
        if (this.#length <= compressNowBytesMax) return this.#makeNow(coding);
        // What fails here fails for the lack of memory; the plain form is answered, as before.
        this.make(coding).catch(() => undefined);
      }
      isFirst = false;
    }
    return undefined;
  }

  /** The form in a coding, whatever it takes. */
  make(coding: Compression): Promise<Rendition> {
    const held = this.#compressed.get(coding) ?? this.#underWay.get(coding);
    if (held !== undefined) return Promise.resolve(held);
    const making = this.#makeAside(coding).finally(() => this.#underWay.delete(coding));
    this.#underWay.set(coding, making);
    return making;
  }

  /** The entity tag of the form that a client holds already, of those that it accepts. */
  pickHeld(ifNoneMatch: string, codings: readonly Coding[]): string | undefined {
    const worst = codings.at(-1);
    if (worst !== undefined && isAny(ifNoneMatch)) return this.#etagOf(worst);
    for (const coding of codings) {
      const etag = this.#etagOf(coding);
      if (isListed(ifNoneMatch, etag)) return etag;
    }
    return undefined;
  }

  #etagOf(coding: Coding): string {
    return coding === 'identity' ? this.#identity.etag : entityTag(this.#tag, coding);
  }

  #makeNow(coding: Compression): Rendition {
    return this.#keep(coding, compressNow(this.#bytes(), coding));
  }

  async #makeAside(coding: Compression): Promise<Rendition> {
    return this.#keep(coding, await compressAside(this.#bytes(), coding));
  }

  #keep(coding: Compression, bytes: Buffer): Rendition {
    const rendition = this.#rendition(coding, [bytes]);
    this.#compressed.set(coding, rendition);
    this.#compressedBytes += bytes.length;
    this.#onGrowth();
    return rendition;
  }

  #bytes(): Buffer {
    const { parts } = this.#identity;
    return Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
    );
  }

  #rendition(coding: Coding, parts: BodyParts): Rendition {
    const etag = entityTag(this.#tag, coding);
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const headers = ['content-type', this.#type, 'content-length', String(length)];
    if (coding !== 'identity') headers.push('content-encoding', coding);
    headers.push('etag', etag);
    return { parts, etag, headers, headLines: headLines(headers) };
  }
}

/**
 * The requests that one answer is not for. The key is no part of it: RFC 9110 12.5.5 leaves it out,
 * because answers to one client are not another's anyway.
 */
export const contentVary = 'Accept, Accept-Encoding';

function textOf(parts: BodyParts): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.toString('latin1'))).join('');
}
