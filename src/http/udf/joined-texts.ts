/** A list of texts as bytes with commas between them, of which each range is a part. */
export class JoinedTexts {
  readonly #bytes: Buffer;
  /** The offset of each text in the bytes, and then that of one more. */
  readonly #offsets: Uint32Array;

  constructor(texts: readonly string[]) {
    this.#bytes = Buffer.from(texts.join(','));
    this.#offsets = new Uint32Array(texts.length + 1);
    let at = 0;
    for (const [index, text] of texts.entries()) {
      this.#offsets[index] = at;
      at += Buffer.byteLength(text) + 1;
    }
    this.#offsets[texts.length] = at;
  }

  /** Its memory, in bytes. */
  get bytesHeld(): number {
    return this.#bytes.length + this.#offsets.byteLength;
  }

  /** The texts from one index to before another, which is greater, with commas between them. */
  between(first: number, end: number): Buffer {
    return this.#bytes.subarray(this.#offsets[first] ?? 0, (this.#offsets[end] ?? 0) - 1);
  }
}
