import type { DailyClose } from '../domain/daily-close.ts';
import { conflictOf, decideClose } from '../domain/offered-close.ts';
import type { CloseConflict } from '../domain/offered-close.ts';
import type { EpochDay } from '../domain/plain-date.ts';
import { isSamePrice } from '../domain/same-price.ts';
import type { HistoryTransaction } from '../store/history-store.ts';
import type { CloseTarget } from './close-target.ts';
import { DaySet } from './day-set.ts';
import { findJumps } from './jumps.ts';
import type { Jump } from './jumps.ts';
import type { RejectReason } from './read-close.ts';
import type { Row } from './cells/table.ts';

/** Maximum number of pending closes. Then they are written. It bounds the memory of an import. */
export const closesHeldMax = 20_000;

/** Days before and after a batch in which stored closes are read, to compare its ends with. */
const neighbourDays = 30;

/** Number of days of a series that are read back at a time. */
const readBackDays = 10_000;

/** Receives the events of a merge. */
export interface MergeListener {
  onStored(target: CloseTarget, outcome: 'added' | 'changed' | 'same'): void;
  onRejected(target: CloseTarget, reason: RejectReason, line: number, row: Row): void;
  onJump(target: CloseTarget, jump: Jump): void;
  /** The close of the file replaces one of another source. */
  onConflict(target: CloseTarget, conflict: CloseConflict): void;
}

/** A close of the file, with its row. */
interface Offer {
  readonly close: DailyClose;
  readonly line: number;
  readonly row: Row;
}

/** The pending closes of one instrument, in the order of the file, and their first and last day. */
interface Offers {
  readonly list: Offer[];
  from: EpochDay;
  to: EpochDay;
}

/** The state of one instrument until the end of the file. */
interface Progress {
  readonly seen: DaySet;
  from: EpochDay;
  to: EpochDay;
  /** The jumps, if there was only one batch. Undefined after several: the series is read back. */
  jumps: readonly Jump[] | undefined;
}

/**
 * Merges the closes of one file into the store, in any order. Up to {@link closesHeldMax} closes
 * are collected. Then they are compared with the stored closes, instrument by instrument, and only
 * those that differ are written.
 *
 * The first close of a day is stored. A later close of the same day in the same file is either
 * equal or rejected, because nothing indicates which of the two is right. So importing a file again
 * changes nothing. Values that a file does not have (open, high, low, volume) are kept. A file
 * replaces closes of all sources: see {@link decideClose}.
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
  offer(target: CloseTarget, close: DailyClose, line: number, row: Row): void {
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
   * Writes the remaining closes and reports jumps. Only now are the neighbours of all closes known.
   */
  async finish(): Promise<void> {
    await this.flush();
    for (const [target, progress] of this.#progress) {
      if (progress.jumps === undefined) await this.#readBack(target, progress);
      else for (const jump of progress.jumps) this.#listener.onJump(target, jump);
    }
  }

  async #merge(target: CloseTarget, { list, from, to }: Offers): Promise<void> {
    const { ticker } = target.instrument;
    const stored = await this.#transaction.read(ticker, {
      from: (from - neighbourDays) as EpochDay,
      to: (to + neighbourDays) as EpochDay,
    });
    const progress = this.#progressOf(target, from, to);
    // The order is stable: closes of one day stay in the order of the file.
    const offers = list.toSorted((a, b) => a.close.day - b.close.day);
    const { merged, differing } = this.#compare(target, offers, stored, progress.seen);
    await this.#transaction.put(ticker, differing);
    if (progress.jumps !== undefined) {
      progress.jumps = [...this.#jumpsOf(target, merged, progress.seen)];
    }
  }

  /** Merges the offered with the stored closes. Both are ascending by day. */
  #compare(
    target: CloseTarget,
    offers: readonly Offer[],
    stored: readonly DailyClose[],
    seen: DaySet,
  ): { readonly merged: readonly DailyClose[]; readonly differing: readonly DailyClose[] } {
    const merged: DailyClose[] = [];
    const differing: DailyClose[] = [];
    let next = 0;
    for (const offer of offers) {
      const { close: offered } = offer;
      for (let one = stored[next]; one !== undefined && one.day < offered.day; one = stored[next]) {
        merged.push(one);
        next += 1;
      }
      const last = merged.at(-1);
      const held = last?.day === offered.day ? last : stored[next];
      const current = held?.day === offered.day ? held : undefined;
      if (current !== undefined && seen.has(offered.day)) {
        this.#judgeRepeated(target, offer, current);
        continue;
      }
      seen.add(offered.day);
      if (current !== undefined) next += 1;
      const { close: result, isConflict } = decideClose(current, offered, 'operator');
      if (current !== undefined && isConflict) {
        const conflict = conflictOf(target.instrument.ticker, current, offered);
        this.#listener.onConflict(target, conflict);
      }
      merged.push(result);
      if (result !== current) differing.push(result);
      const outcome = current === undefined ? 'added' : result === current ? 'same' : 'changed';
      this.#listener.onStored(target, outcome);
    }
    return { merged: [...merged, ...stored.slice(next)], differing };
  }

  #judgeRepeated(target: CloseTarget, { close, line, row }: Offer, current: DailyClose): void {
    const isSame = isSamePrice(close.close, current.close);
    if (isSame) this.#listener.onStored(target, 'same');
    else this.#listener.onRejected(target, 'repeated', line, row);
  }

  #progressOf(target: CloseTarget, from: EpochDay, to: EpochDay): Progress {
    const known = this.#progress.get(target);
    if (known === undefined) {
      const progress: Progress = { seen: new DaySet(), from, to, jumps: [] };
      this.#progress.set(target, progress);
      return progress;
    }
    known.from = Math.min(known.from, from) as EpochDay;
    known.to = Math.max(known.to, to) as EpochDay;
    known.jumps = undefined;
    return known;
  }

  async #readBack(target: CloseTarget, { seen, from, to }: Progress): Promise<void> {
    const end = to + neighbourDays;
    let last: readonly DailyClose[] = [];
    for (let day = from - neighbourDays; day <= end; day += readBackDays) {
      const closes = await this.#transaction.read(target.instrument.ticker, {
        from: day as EpochDay,
        to: Math.min(end, day + readBackDays - 1) as EpochDay,
      });
      const joined = [...last, ...closes];
      for (const jump of this.#jumpsOf(target, joined, seen)) this.#listener.onJump(target, jump);
      last = joined.slice(-1);
    }
  }

  /**
   * The jumps to or from a close of this file. Jumps between other stored closes are not reported.
   */
  *#jumpsOf(target: CloseTarget, closes: readonly DailyClose[], seen: DaySet): Generator<Jump> {
    for (const jump of findJumps(closes, target)) {
      if (seen.has(jump.close.day) || seen.has(jump.previous.day)) yield jump;
    }
  }
}
