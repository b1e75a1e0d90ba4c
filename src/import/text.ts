import { encodingBytes, encodingOf } from './text-encoding.ts';

/**
 * The text of a stream of bytes, whatever wrote it: UTF-16 where its first bytes say so, with a byte
 * order mark or without; else UTF-8 for as long as it is valid UTF-8, and windows-1252 from the
 * first byte that is not. What came before that byte is the same in both unless it was UTF-8 by its
 * own right.
 *
 * All line ends become `\n`, so that nothing above knows of CRLF.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: Decoder | undefined;
  let heldBack = '';
  for await (const chunk of withLongStart(bytes)) {
    decoder ??= decoderFor(chunk);
    const text = heldBack + decoder.decode(chunk);
    // A CR at the end may be the first half of a CRLF.
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

/** The same bytes, the first chunk long enough to find the encoding from. */
async function* withLongStart(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = new Uint8Array(0);
  for await (const chunk of bytes) {
    if (start === undefined) {
      yield chunk;
    } else {
      start = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
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
  /** The bytes of a character that the last chunk cut in two: at most three. */
  #cut: Uint8Array = new Uint8Array(0);

  decode(chunk: Uint8Array): string {
    const bytes = this.#cut.length === 0 ? chunk : Buffer.concat([this.#cut, chunk]);
    const whole = this.#isUtf8 ? wholeCharacters(bytes) : bytes.length;
    this.#cut = bytes.slice(whole);
    return this.#decode(bytes.subarray(0, whole), { stream: true });
  }

  end(): string {
    // A character that the end of the file cuts off is no UTF-8.
    return this.#decode(this.#cut, { stream: false });
  }

  #decode(bytes: Uint8Array, options: { readonly stream: boolean }): string {
    try {
      // Only the very first bytes can be a mark, and a stream keeps track of that.
      return this.#decoder.decode(bytes, options);
    } catch (error) {
      if (!this.#isUtf8) throw error;
      this.#isUtf8 = false;
      this.#decoder = new TextDecoder('windows-1252');
      return this.#decoder.decode(bytes, options);
    }
  }
}

/** How many of these bytes come before a UTF-8 character that is cut off at the end. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
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
