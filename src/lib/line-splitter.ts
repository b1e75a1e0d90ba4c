/** One line of a text, with its number from 1; or that it was longer than the limit. */
export type Line =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly isTooLong: true };

/**
 * Cuts UTF-8 that comes in chunks into lines, holding at most one line of limited length. A line
 * that is too long is told by its number and dropped as it comes; the lines around it are sound.
 * Lines end at LF or CR LF; a byte order mark at the start and a missing final newline are fine.
 */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  readonly #lineCharsMax: number;
  #rest = '';
  #isSkipping = false;
  #number = 0;

  constructor(options: { readonly lineCharsMax: number }) {
    this.#lineCharsMax = options.lineCharsMax;
  }

  /** The lines that this chunk completes. */
  push(chunk: Uint8Array): readonly Line[] {
    return this.#split(this.#decoder.decode(chunk, { stream: true }));
  }

  /** The last line, when no newline followed it. */
  end(): readonly Line[] {
    const lines = this.#split(this.#decoder.decode());
    return this.#rest === '' && !this.#isSkipping ? lines : [...lines, this.#lineOf('')];
  }

  #split(text: string): readonly Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
      lines.push(this.#lineOf(text.slice(from, to)));
      from = to + 1;
    }
    if (!this.#isSkipping) this.#rest += text.slice(from);
    if (this.#rest.length > this.#lineCharsMax + 1) {
      this.#rest = '';
      this.#isSkipping = true;
    }
    return lines;
  }

  #lineOf(text: string): Line {
    const whole = this.#rest + text;
    const trimmed = whole.endsWith('\r') ? whole.slice(0, -1) : whole;
    const isTooLong = this.#isSkipping || trimmed.length > this.#lineCharsMax;
    this.#rest = '';
    this.#isSkipping = false;
    this.#number += 1;
    return isTooLong
      ? { number: this.#number, isTooLong }
      : { number: this.#number, text: trimmed };
  }
}
