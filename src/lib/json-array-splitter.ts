/**
 * Cuts a JSON document that comes in pieces into runs of whole elements of its array, so that each run
 * can be parsed by itself and the document is never held. The array is the document, or a member of
 * the object that the document is (`{"body": [...]}`).
 *
 * It only looks for brackets, commas and strings. Whether the text is JSON, `JSON.parse` decides: on
 * each run between brackets of its own, and at the end on the {@link outline}.
 */
export class JsonArraySplitter {
  /** The document without the elements of its arrays, such as `{"status":"ok","body":[]}`. */
  outline = '';
  /** The start of the element under way, from the last comma on. */
  pending = '';
  /** How many arrays have been opened: more than one where an object has several. */
  arrays = 0;

  #depth = 0;
  /** The depth at which an array is one of elements; known with the first bracket. */
  #arrayDepth = 0;
  #isInArray = false;
  #hasElements = false;
  /** Whether the last element was taken before its comma came. */
  #awaitsComma = false;
  #isInString = false;
  #isEscaped = false;

  /**
   * The runs of elements that this text completes, separated by commas, without brackets.
   *
   * @throws {SyntaxError} where an element is missing before a comma or the closing bracket.
   */
  push(text: string): readonly string[] {
    const runs: string[] = [];
    let from = 0;
    let comma = -1;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (this.#isInString) this.#stepInString(code);
      else if (code === quote) this.#isInString = true;
      else if (code === openingBracket || code === openingBrace) {
        this.#depth += 1;
        if (this.#arrayDepth === 0) this.#arrayDepth = code === openingBracket ? 1 : 2;
        if (code === openingBrace || !this.#opensArray()) continue;
        this.outline += text.slice(from, at + 1);
        from = at + 1;
        this.arrays += 1;
        this.#isInArray = true;
        this.#hasElements = false;
      } else if (code === closingBracket || code === closingBrace) {
        if (this.#isInArray && this.#depth === this.#arrayDepth) {
          if (this.#awaitsComma) this.#endGap(text.slice(from, at));
          else this.#endRun(runs, text.slice(from, at), { isLast: true });
          from = at;
          this.#isInArray = false;
        }
        this.#depth -= 1;
      } else if (code === commaCode && this.#isInArray && this.#depth === this.#arrayDepth) {
        if (this.#awaitsComma) {
          this.#endGap(text.slice(from, at));
          from = at + 1;
        } else comma = at;
      }
    }
    if (!this.#isInArray) this.outline += text.slice(from);
    else if (comma < from) this.pending += text.slice(from);
    else {
      this.#endRun(runs, text.slice(from, comma), { isLast: false });
      this.pending = text.slice(comma + 1);
    }
    return runs;
  }

  /**
   * The element under way when it is an object or an array that is whole, so that it need not wait for
   * the comma after it.
   */
  takeWhole(): string | undefined {
    const isOpen = this.#depth !== this.#arrayDepth || this.#isInString;
    if (!this.#isInArray || this.#awaitsComma || isOpen) return undefined;
    const whole = this.pending;
    if (!/^[}\]]$/.test(whole.trimEnd().slice(-1))) return undefined;
    this.pending = '';
    this.#awaitsComma = true;
    this.#hasElements = true;
    return whole;
  }

  #endGap(text: string): void {
    if ((this.pending + text).trim() !== '') throw new SyntaxError('a comma is missing');
    this.pending = '';
    this.#awaitsComma = false;
  }

  /** Whether a bracket at this depth opens an array of elements; a document is at most one itself. */
  #opensArray(): boolean {
    if (this.#isInArray || this.#depth !== this.#arrayDepth) return false;
    return this.arrays === 0 || this.#arrayDepth > 1;
  }

  #stepInString(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === backslash) this.#isEscaped = true;
    else if (code === quote) this.#isInString = false;
  }

  #endRun(runs: string[], text: string, { isLast }: { readonly isLast: boolean }): void {
    const run = this.pending + text;
    this.pending = '';
    if (run.trim() !== '') runs.push(run);
    else if (!isLast || this.#hasElements) throw new SyntaxError('an element is missing');
    this.#hasElements = true;
  }
}

const quote = 0x22;
const commaCode = 0x2c;
const openingBracket = 0x5b;
const backslash = 0x5c;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;
