/** One line of a text, with its number (from 1). A line over the limit has no text. */
export type TextLine =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly isTooLong: true };

/**
 * Splits UTF-8 that arrives in chunks into lines. At most one line of limited length is in memory. The
 * text of a line over the limit is discarded as it arrives, and only its number is reported. The lines
 * around it are not affected. Blank lines are counted but not returned, because a line of one byte
 * would cost as much as a long one. Lines end with LF or CR LF. A leading byte order mark and a missing
 * final newline are accepted.
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

  /** Returns the lines that this chunk completes. */
  push(chunk: Uint8Array): readonly TextLine[] {
    return this.#split(this.#decoder.decode(chunk, { stream: true }));
  }

  /** Returns the last line when no newline follows it. */
  end(): readonly TextLine[] {
    const lines = this.#split(this.#decoder.decode());
    this.#endLine('', lines);
    return lines;
  }

  #split(text: string): TextLine[] {
    const lines: TextLine[] = [];
    let from = 0;
    for (;;) {
      if (this.#rest === '' && !this.#isSkipping) {
        const start = from;
        while (text.charCodeAt(from) === newline) from += 1;
        this.#number += from - start;
      }
      const to = text.indexOf('\n', from);
      if (to === -1) break;
      this.#endLine(text.slice(from, to), lines);
      from = to + 1;
    }
    this.#rest += text.slice(from);
    if (this.#rest.length > this.#lineCharsMax + 1) {
      this.#rest = '';
      this.#isSkipping = true;
    }
    return lines;
  }

  #endLine(text: string, lines: TextLine[]): void {
    const whole = this.#rest + text;
    const trimmed = whole.endsWith('\r') ? whole.slice(0, -1) : whole;
    const isTooLong = this.#isSkipping || trimmed.length > this.#lineCharsMax;
    this.#rest = '';
    this.#isSkipping = false;
    this.#number += 1;
    if (isTooLong) lines.push({ number: this.#number, isTooLong });
    else if (trimmed.trim() !== '') lines.push({ number: this.#number, text: trimmed });
  }
}

const newline = 0x0a;
