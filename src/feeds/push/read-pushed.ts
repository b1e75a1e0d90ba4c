import { setImmediate as nextTurn } from 'node:timers/promises';

import type { PushedBody } from '../../domain/quotes/push-report.ts';
import { JsonArraySplitter } from '../../lib/text/json-array-splitter.ts';
import { LineSplitter, type TextLine } from '../../lib/text/line-splitter.ts';
import { mapPushed, mapPushedLine, type Pushed } from '../shapes/map-update.ts';

/** Maximum length of a line of NDJSON, in characters. An update has about 150. */
export const pushedLineCharsMax = 4_096;

/**
 * Maximum length of an element of an array, in characters. It is checked after each chunk, so up to
 * one chunk more may be in memory.
 */
export const pushedElementCharsMax = 65_536;

/**
 * Number of bytes that are read without yielding to the event loop: about 100 updates, and 0.3 ms. A socket gives
 * up to eight times as many at once.
 */
const pieceBytes = 8_192;

/** What the body of a push contains: at once if it has arrived as a whole, otherwise while it arrives. */
export function pushedOf(body: PushedBody): readonly Pushed[] | AsyncIterable<readonly Pushed[]> {
  return body instanceof Uint8Array ? readWholePushed(body) : readPushed(body);
}

/** Reads the body of a push that has arrived as a whole, as {@link readPushed} does. */
function readWholePushed(body: Uint8Array): readonly Pushed[] {
  const reader = firstByte(body) === openingBracket ? new ArrayReader() : new LineReader();
  const pushed = reader.push(body);
  if (reader.isBroken) return pushed;
  const last = reader.end();
  return last.length === 0 ? pushed : [...pushed, ...last];
}

/**
 * Reads the body of a push while it arrives, and yields what each chunk completes. So a body of any
 * length requires the memory of one chunk. A body is NDJSON or one JSON array. It is an array when
 * its first character that is not white space is `[`.
 *
 * An invalid line of NDJSON is one refused line. After an invalid element of an array, the
 * following elements cannot be found: reading ends with one refused element, whose detail says so.
 */
export async function* readPushed(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncIterable<readonly Pushed[]> {
  // The line reader also receives blank chunks, so that it counts their lines.
  let reader: LineReader | ArrayReader = new LineReader();
  let isDecided = false;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += pieceBytes) {
      if (from > 0) await nextTurn();
      const piece = chunk.subarray(from, from + pieceBytes);
      const first = isDecided ? undefined : firstByte(piece);
      if (first !== undefined) {
        isDecided = true;
        if (first === openingBracket) reader = new ArrayReader();
      }
      const pushed = reader.push(piece);
      if (pushed.length > 0) yield pushed;
      if (reader.isBroken) return;
    }
  }
  const last = reader.end();
  if (last.length > 0) yield last;
}

const whiteSpace = new Set([0x20, 0x09, 0x0a, 0x0d]);
const openingBracket = 0x5b;
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** The first byte of a chunk that is neither white space nor part of a byte order mark. */
function firstByte(chunk: Uint8Array): number | undefined {
  const start = byteOrderMark.every((byte, index) => chunk[index] === byte) ? 3 : 0;
  return chunk.subarray(start).find((byte) => !whiteSpace.has(byte));
}

class LineReader {
  readonly isBroken = false;
  readonly #splitter = new LineSplitter({ lineCharsMax: pushedLineCharsMax });

  push(chunk: Uint8Array): readonly Pushed[] {
    return this.#map(this.#splitter.push(chunk));
  }

  end(): readonly Pushed[] {
    return this.#map(this.#splitter.end());
  }

  #map(lines: readonly TextLine[]): readonly Pushed[] {
    const pushed: Pushed[] = [];
    for (const line of lines) {
      if ('isTooLong' in line) pushed.push({ line: line.number, ...tooLong });
      else {
        const mapped = mapPushedLine(line.text);
        // Almost every line is an update. Spreading it would take some percent of the time of reading.
        if ('update' in mapped) pushed.push({ line: line.number, update: mapped.update });
        else pushed.push({ line: line.number, ...mapped });
      }
    }
    return pushed;
  }
}

const tooLong = {
  refused: 'too-long',
  detail: `The line is longer than ${pushedLineCharsMax} characters.`,
} as const;

class ArrayReader {
  #pushed: Pushed[] = [];
  #count = 0;
  #isBroken = false;
  #isEnded = false;
  readonly #decoder = new TextDecoder();
  readonly #splitter = new JsonArraySplitter();

  get isBroken(): boolean {
    return this.#isBroken;
  }

  push(chunk: Uint8Array): readonly Pushed[] {
    this.#read(this.#decoder.decode(chunk, { stream: true }));
    if (this.#splitter.pending.length > pushedElementCharsMax) {
      this.#break('too-long', `An element is longer than ${pushedElementCharsMax} characters`);
    }
    return this.#take();
  }

  end(): readonly Pushed[] {
    this.#read(this.#decoder.decode());
    if (!this.#isEnded) this.#break('not-json', 'The array ends without its closing bracket');
    return this.#take();
  }

  #read(text: string): void {
    try {
      if (this.#isEnded) requireBlank(text);
      else this.#readElements(text);
    } catch (fault) {
      if (!(fault instanceof SyntaxError)) throw fault;
      this.#break('not-json', 'The array is not JSON from here on');
    }
  }

  #readElements(text: string): void {
    for (const run of this.#splitter.push(text)) this.#map(run);
    const whole = this.#splitter.takeWhole();
    if (whole !== undefined) this.#map(whole);
    const { outline } = this.#splitter;
    if (outline.trim() === '[') return;
    this.#isEnded = true;
    requireBlank(outline.replace(/^\s*\[\]/, ''));
  }

  #map(run: string): void {
    for (const value of elementsOf(run)) {
      this.#count += 1;
      this.#pushed.push({ line: this.#count, ...mapPushed(value) });
    }
  }

  #break(refused: 'not-json' | 'too-long', what: string): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    const detail = `${what}; nothing after this element was read.`;
    this.#pushed.push({ line: this.#count + 1, refused, detail });
  }

  #take(): readonly Pushed[] {
    const pushed = this.#pushed;
    this.#pushed = [];
    return pushed;
  }
}

/** @throws {SyntaxError} when the text is not blank. */
function requireBlank(text: string): void {
  if (text.trim() !== '') throw new SyntaxError('text after the end of the array');
}

/**
 * The elements of a run, one by one, up to the first that is not JSON.
 *
 * @throws {SyntaxError} at the first element that is not JSON.
 */
function* elementsOf(run: string): Iterable<unknown> {
  const all = parsedRun(run);
  if (all !== undefined) {
    yield* all;
    return;
  }
  const splitter = new JsonArraySplitter();
  for (const text of ['[', ...run.split(/(?<=,)/), ']']) {
    for (const element of splitter.push(text)) yield JSON.parse(element);
  }
}

function parsedRun(run: string): readonly unknown[] | undefined {
  try {
    return JSON.parse(`[${run}]`) as readonly unknown[];
  } catch {
    return undefined;
  }
}
