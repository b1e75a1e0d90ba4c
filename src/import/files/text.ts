/**
 * Decodes a stream of bytes. The encoding is UTF-16 if the first bytes indicate it, with or without
 * a byte order mark. Otherwise it is UTF-8 up to the first invalid byte, and windows-1252 from
 * there on. Most files are ASCII up to that byte, which is the same in both.
 *
 * All line ends become `\n`.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: Decoder | undefined;
  let heldBack = '';
  for await (const chunk of withLongStart(bytes)) {
    decoder ??= decoderFor(chunk);
    const text = heldBack + decoder.decode(chunk);
    // A carriage return at the end may be the first half of a CRLF.
    heldBack = text.endsWith('\r') ? '\r' : '';
    const whole = heldBack === '' ? text : text.slice(0, -1);
    if (whole !== '') yield unifyLineEnds(whole);
  }
  const rest = heldBack + (decoder?.end() ?? '');
  if (rest !== '') yield unifyLineEnds(rest);
}

interface Decoder {
  decode(chunk: Uint8Array): string;
  end(): string;
}

/** The same bytes, with a first chunk that is long enough to detect the encoding. */
async function* withLongStart(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = new Uint8Array(0);
  for await (const chunk of bytes) {
    if (start === undefined) {
      yield chunk;
    } else {
      start = Buffer.concat([start, chunk]);
      if (start.length < encodingBytes) continue;
      yield start;
      start = undefined;
    }
  }
  if (start !== undefined && start.length > 0) yield start;
}

function decoderFor(start: Uint8Array): Decoder {
  const encoding = encodingOf(start);
  return encoding === 'unknown' ? new Utf8OrWindows() : simpleDecoder(encoding);
}

function simpleDecoder(encoding: string): Decoder {
  const decoder = new TextDecoder(encoding);
  return {
    decode: (chunk) => decoder.decode(chunk, { stream: true }),
    end: () => decoder.decode(),
  };
}

class Utf8OrWindows implements Decoder {
  #decoder = new TextDecoder('utf-8', { fatal: true });
  #isUtf8 = true;
  /** The bytes of a character that continues in the next chunk: at most three. */
  #cut: Uint8Array = new Uint8Array(0);

  decode(chunk: Uint8Array): string {
    const bytes = this.#cut.length === 0 ? chunk : Buffer.concat([this.#cut, chunk]);
    const whole = this.#isUtf8 ? wholeCharacters(bytes) : bytes.length;
    this.#cut = bytes.slice(whole);
    return this.#decode(bytes.subarray(0, whole), true);
  }

  end(): string {
    // A character that is incomplete at the end of the file is not valid UTF-8.
    return this.#decode(this.#cut, false);
  }

  #decode(bytes: Uint8Array, stream: boolean): string {
    try {
      // The decoder removes a byte order mark at the start of the stream only.
      return this.#decoder.decode(bytes, { stream });
    } catch (error) {
      if (!this.#isUtf8) throw error;
      this.#isUtf8 = false;
      this.#decoder = new TextDecoder('windows-1252');
      return this.#decoder.decode(bytes, { stream });
    }
  }
}

/** The number of bytes before a UTF-8 character that is incomplete at the end. */
function wholeCharacters(bytes: Uint8Array): number {
  for (const [at, byte] of [...bytes.subarray(-3)].toReversed().entries()) {
    const back = at + 1;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

function unifyLineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}

/** Number of bytes from which the encoding is detected, or fewer for a shorter text. */
export const encodingBytes = 512;

/** Minimum number of byte pairs: fewer prove nothing, because an 8-bit text may contain a zero. */
const pairsMin = 4;

/** Minimum number of pairs, of ten, that must have the zero byte of UTF-16 at the same position. */
const zerosOfTenMin = 7;

/** The detected encoding. `unknown` is UTF-8 or an 8-bit encoding. */
type TextEncoding = 'utf-16le' | 'utf-16be' | 'unknown';

/**
 * Detects the encoding of a text from its first {@link encodingBytes}: by its byte order mark, or
 * without one by the positions of zero bytes. Nearly every character of a price file is below
 * U+0100, so one of its two bytes in UTF-16 is zero. Text in UTF-8 or windows-1252 has no zero
 * bytes.
 */
export function encodingOf(start: Uint8Array): TextEncoding {
  const [first, second] = start;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const pairs = Math.floor(Math.min(start.length, encodingBytes) / 2);
  let evenZeros = 0;
  let oddZeros = 0;
  for (let pair = 0; pair < pairs; pair += 1) {
    if (start[pair * 2] === 0) evenZeros += 1;
    if (start[pair * 2 + 1] === 0) oddZeros += 1;
  }
  const isMany = (zeros: number): boolean =>
    pairs >= pairsMin && zeros * 10 >= pairs * zerosOfTenMin;
  if (evenZeros === 0 && isMany(oddZeros)) return 'utf-16le';
  return oddZeros === 0 && isMany(evenZeros) ? 'utf-16be' : 'unknown';
}
