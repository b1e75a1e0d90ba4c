/** The most bytes of a UTF-16 unit in UTF-8. */
const bytesPerUnitMax = 3;

/**
 * A list of texts as bytes with separators between them, of which each range is a part.
 *
 * Each text is written as soon as it is rendered, without a text of the whole: the texts of a long list would
 * outlive V8's young generation.
 */
export class JoinedTexts {
  readonly #bytes: Buffer;
  /** The offset of each text in the bytes, and then that of one more. */
  readonly #offsets: Uint32Array;
  readonly #separator: string;

  /** @param count the number of texts */
  constructor(
    texts: Iterable<string>,
    { count, separator }: { readonly count: number; readonly separator: string },
  ) {
    const offsets = new Uint32Array(count + 1);
    let bytes = Buffer.from(new ArrayBuffer(0));
    let [at, end] = [0, 0];
    for (const text of texts) {
      offsets[at] = end;
      at += 1;
      const part = text + separator;
      const needed = end + part.length * bytesPerUnitMax;
      // The other texts are usually about as long as the first.
      if (needed > bytes.length) bytes = resized(bytes, needed + (count - at) * (part.length + 4));
      end += bytes.write(part, end);
    }
    offsets[at] = end;
    this.#bytes = resized(bytes, Math.max(0, end - separator.length));
    this.#offsets = offsets;
    this.#separator = separator;
  }

  /** Its memory, in bytes. */
  get bytes(): number {
    return this.#bytes.length + this.#offsets.byteLength;
  }

  /** The texts from one index to before another, with separators between them. */
  between(first: number, end: number): Buffer {
    const from = this.#offsets[first] ?? 0;
    return this.#bytes.subarray(
      from,
      Math.max(from, (this.#offsets[end] ?? 0) - this.#separator.length),
    );
  }
}

/** The bytes in a buffer of another length. The memory of the one before is free at once. */
function resized(bytes: Buffer<ArrayBuffer>, length: number): Buffer<ArrayBuffer> {
  return Buffer.from(bytes.buffer.transfer(length));
}
