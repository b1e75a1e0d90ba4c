import type { EpochDay } from '../../domain/calendar/plain-date.ts';

const daysPerPage = 1024;

/**
 * A set of days as bits. Twenty years take about 1 KB; a `Set` of them takes about 100 KB. An
 * import has one set per instrument, so its memory grows with the universe and not with the file.
 */
export class DaySet {
  readonly #pages = new Map<number, Uint32Array>();

  has(day: EpochDay): boolean {
    const page = this.#pages.get(Math.floor(day / daysPerPage));
    return page !== undefined && ((page[wordOf(day)] ?? 0) & bitOf(day)) !== 0;
  }

  add(day: EpochDay): void {
    const number = Math.floor(day / daysPerPage);
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = new Uint32Array(daysPerPage / 32);
      this.#pages.set(number, page);
    }
    const word = wordOf(day);
    page[word] = (page[word] ?? 0) | bitOf(day);
  }
}

// Masking works for negative days too: two's complement keeps the position in the page.
function wordOf(day: EpochDay): number {
  return (day & (daysPerPage - 1)) >>> 5;
}

function bitOf(day: EpochDay): number {
  return 1 << (day & 31);
}
