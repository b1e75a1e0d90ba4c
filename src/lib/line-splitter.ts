/** One line of a text, with its number from 1; or that it was longer than the limit. */
export type Line =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly isTooLong: true };

/**
 * Cuts UTF-8 that comes in chunks into lines, holding at most one line of limited length. A line
 * that is too long is reported by its number and dropped as it comes; the lines around it are sound.
 * A blank line is counted and not given, because a line of one byte would cost as much as a long one.
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
    this.#endLine('', lines);
    return lines;
  }

  #split(text: string): Line[] {
    const lines: Line[] = [];
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
    if (!this.#isSkipping) this.#rest += text.slice(from);
    if (this.#rest.length > this.#lineCharsMax + 1) {
      this.#rest = '';
      this.#isSkipping = true;
    }
    return lines;
  }

  #endLine(text: string, lines: Line[]): void {
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
