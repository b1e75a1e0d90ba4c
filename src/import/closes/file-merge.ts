import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import { judgeSeries, type JudgedBar } from '../../domain/history/judge/judge.ts';
import { mergedClose } from '../../domain/history/merged-close.ts';
import {
  conflictOf,
  decideImported,
  type CloseConflict,
} from '../../domain/history/offered-close.ts';
import { baseAgeDaysMax } from '../../domain/history/reference-closes.ts';
import { isSamePrice } from '../../domain/values/same-price.ts';
import type { HistoryTransaction } from '../../store/contract/history-store.ts';
import type { CellRow } from '../cells/table.ts';
import type { CloseTarget } from './close-target.ts';
import type { RejectReason } from './read-close.ts';

/** Maximum number of pending closes. Then they are written. It bounds the memory of an import. */
export const closesHeldMax = 20_000;

/** A stored close that the judge doubts, or whose move from the close before is unusual. */
export type DoubtedClose = JudgedBar<DailyClose>;

/** Receives the events of a merge. */
interface MergeListener {
  onStored(target: CloseTarget, outcome: 'added' | 'changed' | 'same'): void;
  onRejected(target: CloseTarget, reason: RejectReason, line: number, row: CellRow): void;
  /** A close is stored, and should be reviewed. */
  onDoubted(target: CloseTarget, doubted: DoubtedClose): void;
  /** The close of the file replaces one of another source. */
  onConflict(target: CloseTarget, conflict: CloseConflict): void;
  /** Closes are about to be merged with the stored ones that the file has not written. Both are ascending. */
  onMerging(
    target: CloseTarget,
    offered: readonly DailyClose[],
    stored: readonly DailyClose[],
  ): void;
}

/** A close of the file, with its row. */
interface Offer {
  readonly close: DailyClose;
  readonly line: number;
  readonly row: CellRow;
}

/** The pending closes of one instrument, in the order of the file, and their first and last day. */
interface Offers {
  readonly list: Offer[];
  from: EpochDay;
  to: EpochDay;
}

/** The days of one instrument that the file has had so far, with the first and the last. */
interface Progress {
  readonly seen: DaySet;
  from: EpochDay;
  to: EpochDay;
}

/**
 * Merges the closes of one file into the store, in any order. Up to {@link closesHeldMax} closes
 * are collected. Then they are compared with the stored closes, instrument by instrument, and only
 * those that differ are written.
 *
 * The first close of a day is stored. A later close of the same day in the same file is either
 * equal in all its values or rejected, because nothing indicates which of the two is right. So importing a file again
 * changes nothing. Values that a file does not have (open, high, low, volume) are kept. A file
 * replaces closes of all sources: see {@link decideImported}.
 */
export class FileMerge {
  readonly #transaction: HistoryTransaction;
  readonly #listener: MergeListener;
  readonly #offers = new Map<CloseTarget, Offers>();
  readonly #progress = new Map<CloseTarget, Progress>();
  #held = 0;

  constructor(transaction: HistoryTransaction, listener: MergeListener) {
    this.#transaction = transaction;
    this.#listener = listener;
  }

  /** Whether {@link flush} must be called. */
  get isFull(): boolean {
    return this.#held >= closesHeldMax;
  }

  /** Adds a close that satisfies the rules of its target. */
  offer(target: CloseTarget, close: DailyClose, line: number, row: CellRow): void {
    const { day } = close;
    const offers = this.#offers.get(target) ?? { list: [], from: day, to: day };
    this.#offers.set(target, offers);
    offers.list.push({ close, line, row });
    offers.from = Math.min(offers.from, day) as EpochDay;
    offers.to = Math.max(offers.to, day) as EpochDay;
    this.#held += 1;
  }

  /** Writes the pending closes. */
  async flush(): Promise<void> {
    for (const [target, offers] of this.#offers) await this.#merge(target, offers);
    this.#offers.clear();
    this.#held = 0;
  }

  /**
   * Writes the remaining closes and reports doubts. Only now are the neighbours of all closes known. A series has at
   * most one close for each day, so it fits into memory however long the file is.
   */
  async finish(): Promise<void> {
    await this.flush();
    for (const [target, { seen, from, to }] of this.#progress) {
      const closes = await this.#readAround(target, from, to);
      for (const one of judged(target, closes, seen)) this.#listener.onDoubted(target, one);
    }
  }

  /** The closes of the file from some days before a day to some days after it, ascending. */
  async closesAround(
    target: CloseTarget,
    day: EpochDay,
    days: number,
  ): Promise<readonly DailyClose[]> {
    const seen = this.#progress.get(target)?.seen;
    if (seen === undefined) return [];
    const closes = await this.#transaction.read(target.instrument.ticker, {
      from: (day - days) as EpochDay,
      to: (day + days) as EpochDay,
    });
    return closes.filter((one) => seen.has(one.day));
  }

  async #merge(target: CloseTarget, { list, from, to }: Offers): Promise<void> {
    const stored = await this.#readAround(target, from, to);
    const { seen } = this.#progressOf(target, from, to);
    // The order is stable: closes of one day stay in the order of the file.
    const offers = list.toSorted((a, b) => a.close.day - b.close.day);
    this.#listener.onMerging(
      target,
      offers.map(({ close }) => close),
      stored.filter(({ day }) => !seen.has(day)),
    );
    await this.#transaction.put(
      target.instrument.ticker,
      this.#compare(target, offers, stored, seen),
    );
  }

  #readAround(
    { instrument }: CloseTarget,
    from: EpochDay,
    to: EpochDay,
  ): Promise<readonly DailyClose[]> {
    return this.#transaction.read(instrument.ticker, {
      from: (from - baseAgeDaysMax) as EpochDay,
      to: (to + baseAgeDaysMax) as EpochDay,
    });
  }

  /** Compares the closes of the file with the stored ones, both ascending by day. Returns those to write. */
  #compare(
    target: CloseTarget,
    offers: readonly Offer[],
    stored: readonly DailyClose[],
    seen: DaySet,
  ): readonly DailyClose[] {
    const differing: DailyClose[] = [];
    let next = 0;
    let last: DailyClose | undefined;
    for (const offer of offers) {
      const { close: offered } = offer;
      while ((stored[next]?.day ?? offered.day) < offered.day) next += 1;
      const held = last?.day === offered.day ? last : stored[next];
      const current = held?.day === offered.day ? held : undefined;
      if (current !== undefined && seen.has(offered.day)) {
        this.#judgeRepeated(target, offer, current);
        continue;
      }
      seen.add(offered.day);
      const { close: result, isConflict } = decideImported(current, offered);
      if (current !== undefined && isConflict) {
        const conflict = conflictOf(target.instrument.ticker, current, offered);
        this.#listener.onConflict(target, conflict);
      }
      last = result;
      if (result !== current) differing.push(result);
      const outcome = current === undefined ? 'added' : result === current ? 'same' : 'changed';
      this.#listener.onStored(target, outcome);
    }
    return differing;
  }

  #judgeRepeated(target: CloseTarget, { close, line, row }: Offer, current: DailyClose): void {
    const isSame = isSamePrice(close.close, current.close);
    if (!isSame) this.#listener.onRejected(target, 'repeated', line, row);
    else if (mergedClose(current, close) === current) this.#listener.onStored(target, 'same');
    else this.#listener.onRejected(target, 'repeated-values', line, row);
  }

  #progressOf(target: CloseTarget, from: EpochDay, to: EpochDay): Progress {
    const known = this.#progress.get(target);
    if (known === undefined) {
      const progress = { seen: new DaySet(), from, to };
      this.#progress.set(target, progress);
      return progress;
    }
    known.from = Math.min(known.from, from) as EpochDay;
    known.to = Math.max(known.to, to) as EpochDay;
    return known;
  }
}

/**
 * What the judge finds about the closes of this file, and about those after them. Doubts about other stored
 * closes are not reported. The judge refuses none of them: `readClose` has asked it.
 */
function judged(
  { instrument, actions }: CloseTarget,
  closes: readonly DailyClose[],
  seen: DaySet,
): readonly DoubtedClose[] {
  const { kind } = instrument;
  return [...judgeSeries(closes, { kind, actions })].filter(({ bar, before, judgement }) => {
    if (judgement.verdict === 'believed' && judgement.move === undefined) return false;
    return seen.has(bar.day) || (before !== undefined && seen.has(before.day));
  });
}

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
