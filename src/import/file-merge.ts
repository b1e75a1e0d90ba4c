import type { DailyClose } from '../domain/daily-close.ts';
import type { EpochDay } from '../domain/plain-date.ts';
import type { HistoryTransaction } from '../store/history-store.ts';
import type { CloseTarget } from './close-target.ts';
import { DaySet } from './day-set.ts';
import { findJumps } from './jumps.ts';
import type { Jump } from './jumps.ts';
import { mergedClose } from './merged-close.ts';
import type { RejectReason } from './read-close.ts';
import { isSamePrice } from './same-price.ts';
import type { Row } from './cells/table.ts';

/** Most closes held before they are written: what bounds the memory of an import. */
export const closesHeldMax = 20_000;

/** How far around a batch the closes are read that its first and last are compared with, in days. */
const neighbourDays = 30;

/** How much of a series is read back at a time, in days. */
const readBackDays = 10_000;

/** What a merge tells while it goes. */
export interface MergeListener {
  onStored(target: CloseTarget, outcome: 'added' | 'changed' | 'same'): void;
  onRejected(target: CloseTarget, reason: RejectReason, line: number, row: Row): void;
  onJump(target: CloseTarget, jump: Jump): void;
}

/** The closes that one file offers for one instrument, as they came. */
interface Offers {
  readonly closes: DailyClose[];
  readonly lines: number[];
  readonly rows: Row[];
}

/** What is remembered of an instrument until the file ends. */
interface Progress {
  readonly seen: DaySet;
  from: EpochDay;
  to: EpochDay;
  /** Of the only batch so far; undefined when there were several, and it is read back at the end. */
  jumps: readonly Jump[] | undefined;
}

/**
 * Merges the closes of one file into the store, in whatever order they come. They are held until
 * there are {@link closesHeldMax}, then compared with what is stored, instrument by instrument, and
 * only what differs is put.
 *
 * The first close of a day holds; a later one in the same file is the same or is rejected, because
 * nothing says which is right, and so that a second import finds nothing to change. What a file does
 * not have (open, high, low, volume) is kept: see {@link mergedClose}.
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

  /** Whether {@link flush} is due. */
  get isFull(): boolean {
    return this.#held >= closesHeldMax;
  }

  /** Takes a close that keeps the rules of its target. */
  offer(target: CloseTarget, close: DailyClose, line: number, row: Row): void {
    let offers = this.#offers.get(target);
    if (offers === undefined) {
      offers = { closes: [], lines: [], rows: [] };
      this.#offers.set(target, offers);
    }
    offers.closes.push(close);
    offers.lines.push(line);
    offers.rows.push(row);
    this.#held += 1;
  }

  /** Writes what is held. */
  async flush(): Promise<void> {
    for (const [target, offers] of this.#offers) await this.#merge(target, offers);
    this.#offers.clear();
    this.#held = 0;
  }

  /** Writes the rest, and tells the jumps: only now is every close between its neighbours. */
  async finish(): Promise<void> {
    await this.flush();
    for (const [target, progress] of this.#progress) {
      if (progress.jumps === undefined) await this.#readBack(target, progress);
      else for (const jump of progress.jumps) this.#listener.onJump(target, jump);
    }
  }

  async #merge(target: CloseTarget, offers: Offers): Promise<void> {
    const { closes } = offers;
    const order = orderByDay(closes);
    const from = closes[order[0] ?? 0]?.day;
    const to = closes[order.at(-1) ?? 0]?.day;
    if (from === undefined || to === undefined) return;
    const { ticker } = target.instrument;
    const stored = await this.#transaction.read(ticker, {
      from: (from - neighbourDays) as EpochDay,
      to: (to + neighbourDays) as EpochDay,
    });
    const progress = this.#progressOf(target, from, to);
    const { merged, differing } = this.#compare(target, offers, order, stored, progress.seen);
    await this.#transaction.put(ticker, differing);
    if (progress.jumps !== undefined) {
      progress.jumps = [...this.#jumpsOf(target, merged, progress.seen)];
    }
  }

  /** Walks the offers and the stored closes together, both ascending. */
  #compare(
    target: CloseTarget,
    offers: Offers,
    order: readonly number[],
    stored: readonly DailyClose[],
    seen: DaySet,
  ): { readonly merged: readonly DailyClose[]; readonly differing: readonly DailyClose[] } {
    const merged: DailyClose[] = [];
    const differing: DailyClose[] = [];
    let next = 0;
    for (const index of order) {
      const offered = offers.closes[index];
      if (offered === undefined) continue;
      for (let one = stored[next]; one !== undefined && one.day < offered.day; one = stored[next]) {
        merged.push(one);
        next += 1;
      }
      const last = merged.at(-1);
      const held = last?.day === offered.day ? last : stored[next];
      const current = held?.day === offered.day ? held : undefined;
      if (seen.has(offered.day)) {
        this.#judgeRepeated(target, offers, index, current);
        continue;
      }
      seen.add(offered.day);
      if (current !== undefined) next += 1;
      const result = current === undefined ? offered : mergedClose(current, offered);
      merged.push(result);
      if (result !== current) differing.push(result);
      const outcome = current === undefined ? 'added' : result === current ? 'same' : 'changed';
      this.#listener.onStored(target, outcome);
    }
    return { merged: [...merged, ...stored.slice(next)], differing };
  }

  #judgeRepeated(
    target: CloseTarget,
    { closes, lines, rows }: Offers,
    index: number,
    current: DailyClose | undefined,
  ): void {
    const close = closes[index]?.close;
    const isSame =
      close !== undefined && current !== undefined && isSamePrice(close, current.close);
    if (isSame) this.#listener.onStored(target, 'same');
    else this.#listener.onRejected(target, 'repeated', lines[index] ?? 0, rows[index] ?? []);
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
    let last: DailyClose | undefined;
    for (let day = from - neighbourDays; day <= end; day += readBackDays) {
      const closes = await this.#transaction.read(target.instrument.ticker, {
        from: day as EpochDay,
        to: Math.min(end, day + readBackDays - 1) as EpochDay,
      });
      const joined = last === undefined ? closes : [last, ...closes];
      for (const jump of this.#jumpsOf(target, joined, seen)) this.#listener.onJump(target, jump);
      last = joined.at(-1);
    }
  }

  /** The jumps to or from a close of this file; those between older closes are no news. */
  *#jumpsOf(target: CloseTarget, closes: readonly DailyClose[], seen: DaySet): Generator<Jump> {
    for (const jump of findJumps(closes, target.jumpLimitPct)) {
      if (seen.has(jump.close.day) || seen.has(jump.previous.day)) yield jump;
    }
  }
}

/** The places of closes in order of day; those of one day in the order in which they came. */
function orderByDay(closes: readonly DailyClose[]): readonly number[] {
  const order = closes.map((_, index) => index);
  const isAscending = closes.every(({ day }, at) => at === 0 || (closes[at - 1]?.day ?? 0) <= day);
  return isAscending
    ? order
    : order.sort((a, b) => (closes[a]?.day ?? 0) - (closes[b]?.day ?? 0) || a - b);
}
