/**
 * Splits a JSON document that arrives in chunks into runs of whole array elements. Each run can be
 * parsed separately, so the document is never in memory as a whole. The array is the document itself,
 * or a member of the document's top-level object (`{"body": [...]}`).
 *
 * The splitter only looks for brackets, commas and strings. The caller validates the JSON: it passes
 * each run, in brackets, to `JSON.parse`, and at the end the {@link outline}.
 */
export class JsonArraySplitter {
  /** The document without the elements of its arrays, such as `{"status":"ok","body":[]}`. */
  outline = '';
  /** The text of the incomplete element, since the last comma. */
  pending = '';
  /** Number of arrays so far. It exceeds 1 when the object has several array members. */
  arrays = 0;

  #depth = 0;
  /** The nesting depth of the array that is split: 1 or 2. The first bracket determines it. */
  #arrayDepth = 0;
  #isInArray = false;
  #hasElements = false;
  /** Whether the last element was taken before its comma arrived. */
  #awaitsComma = false;
  #isInString = false;
  #isEscaped = false;

  /**
   * Returns the runs of elements that this text completes. The elements of a run are separated by
   * commas. A run has no brackets.
   *
   * @throws {SyntaxError} when an element is missing before a comma or the closing bracket.
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
          else this.#endLastRun(runs, text.slice(from, at));
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
      this.#endRun(runs, text.slice(from, comma));
      this.pending = text.slice(comma + 1);
    }
    return runs;
  }

  /**
   * Returns the pending element when it is a complete object or array. So it does not wait for the
   * comma after it.
   */
  takeWhole(): string | undefined {
    const isOpen = this.#depth !== this.#arrayDepth || this.#isInString;
    if (this.#awaitsComma || isOpen) return undefined;
    // Outside the array, nothing is pending.
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

  /** Whether a bracket opens the array to split. A document that is an array has only that one. */
  #opensArray(): boolean {
    if (this.#isInArray || this.#depth !== this.#arrayDepth) return false;
    return this.arrays === 0 || this.#arrayDepth > 1;
  }

  #stepInString(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === backslash) this.#isEscaped = true;
    else if (code === quote) this.#isInString = false;
  }

  /** Ends the array. Only an array without elements ends with a gap. */
  #endLastRun(runs: string[], text: string): void {
    const isGap = (this.pending + text).trim() === '';
    if (this.#hasElements || !isGap) this.#endRun(runs, text);
    this.pending = '';
  }

  #endRun(runs: string[], text: string): void {
    const run = this.pending + text;
    if (run.trim() === '') throw new SyntaxError('an element is missing');
    runs.push(run);
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
