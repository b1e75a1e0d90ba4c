import { evidenceDays } from '../domain/history/action-evidence.ts';
import { FileActions, type DecidedActions } from './actions/file-actions.ts';
import { firstEpochDay, lastEpochDay, type EpochDay } from '../domain/calendar/plain-date.ts';
import type { DailyClose } from '../domain/history/daily-close.ts';
import { judgeSeries, type JudgedBar } from '../domain/history/judge/judge.ts';
import { mergedClose } from '../domain/history/merged-close.ts';
import { conflictOf, decideImported } from '../domain/history/offered-close.ts';
import { baseAgeDaysMax } from '../domain/history/reference-closes.ts';
import { isSamePrice } from '../domain/values/same-price.ts';
import type { HistoryTransaction } from '../store/contract/history-store.ts';
import type { CellRow } from './cells/table.ts';
import { PriceEvidence, type ComparedClose } from './checks/price-evidence.ts';
import type { ImportTally } from './reports/import-summary.ts';
import type { CloseTarget } from './closes/close-target.ts';
import type { RejectReason } from './closes/read-close.ts';

/** A close of the file, with its row. */
interface Offer {
  readonly close: DailyClose;
  readonly line: number;
  readonly row: CellRow;
}

type Closes = Pick<HistoryTransaction, 'read' | 'put'>;

/**
 * What one file has of one instrument. Its closes are merged into the store, in any order: they are collected until
 * {@link merge}, which compares them with the stored ones and writes only those that differ.
 *
 * The first close of a day is stored. A later close of the same day in the same file is either
 * equal in all its values or rejected, because nothing indicates which of the two is right. So importing a file again
 * changes nothing. Values that a file does not have (open, high, low, volume) are kept. A file
 * replaces closes of all sources: see {@link decideImported}.
 */
export class FileSeries {
  readonly target: CloseTarget;
  readonly evidence: PriceEvidence;
  readonly actions = new FileActions();
  readonly #tally: ImportTally;
  readonly #onRejected: (reason: RejectReason, offer: Offer) => void;
  #offers: Offer[] = [];
  /** The days of the file so far, with the first and the last. */
  readonly #seen = new DaySet();
  #from = lastEpochDay;
  #to = firstEpochDay;
  /** The days of the closes that replace one on another level. */
  readonly #farDays = new DaySet();

  constructor(
    target: CloseTarget,
    tally: ImportTally,
    onRejected: (reason: RejectReason, offer: Offer) => void,
  ) {
    this.target = target;
    this.#tally = tally;
    this.#onRejected = onRejected;
    this.evidence = new PriceEvidence(target);
  }

  get hasCloses(): boolean {
    return this.#from <= this.#to;
  }

  /** Adds a close that satisfies the rules of its target. */
  offer(close: DailyClose, line: number, row: CellRow): void {
    this.#offers.push({ close, line, row });
    this.#from = Math.min(this.#from, close.day) as EpochDay;
    this.#to = Math.max(this.#to, close.day) as EpochDay;
  }

  /**
   * Writes the pending closes.
   *
   * @returns those that replace a close on another level.
   */
  async merge(transaction: Closes): Promise<readonly ComparedClose[]> {
    // The order is stable: closes of one day stay in the order of the file.
    const offers = this.#offers.toSorted((a, b) => a.close.day - b.close.day);
    this.#offers = [];
    const [first, last] = [offers[0], offers.at(-1)];
    if (first === undefined || last === undefined) return [];
    const { ticker } = this.target.instrument;
    const around = await this.#readAround(transaction, first.close.day, last.close.day);
    const stored = around.filter(({ day }) => !this.#seen.has(day));
    const ofFile = new Map(
      around.flatMap((one) => (this.#seen.has(one.day) ? [[one.day, one] as const] : [])),
    );
    const differing: DailyClose[] = [];
    const far: ComparedClose[] = [];
    let at = 0;
    for (const offer of offers) {
      const { close: offered } = offer;
      const earlier = ofFile.get(offered.day);
      if (earlier !== undefined) {
        this.#judgeRepeated(offer, earlier);
        continue;
      }
      while (isNearer(stored[at + 1], stored[at], offered)) at += 1;
      const replaced = this.evidence.add(offered, stored, at);
      if (replaced !== undefined) {
        far.push(replaced);
        this.#farDays.add(offered.day);
      }
      const current = stored[at]?.day === offered.day ? stored[at] : undefined;
      const { close: result, isConflict } = decideImported(current, offered);
      if (current !== undefined && isConflict) {
        this.#tally.replace(conflictOf(ticker, current, offered));
      }
      ofFile.set(offered.day, result);
      this.#seen.add(offered.day);
      if (result !== current) differing.push(result);
      const outcome = current === undefined ? 'added' : result === current ? 'same' : 'changed';
      this.#tally.count(outcome, ticker);
    }
    await transaction.put(ticker, differing);
    return far;
  }

  /**
   * The doubts of the judge about the closes of this file and those after them. Call it after all closes are written,
   * because each is judged beside its neighbours. Doubts about other stored closes are not reported. No close is rejected
   * here: `readClose` rejects those that the judge refuses. A series has at most one close for each day, so it fits into
   * memory however long the file is.
   */
  async doubts(transaction: Closes): Promise<readonly JudgedBar<DailyClose>[]> {
    if (!this.hasCloses) return [];
    const { instrument, actions } = this.target;
    const closes = await this.#readAround(transaction, this.#from, this.#to);
    const judged = [...judgeSeries(closes, { kind: instrument.kind, actions })];
    return judged.filter(({ bar, before, judgement }) => {
      if (judgement.verdict === 'believed' && judgement.move === undefined) return false;
      const isOfFile =
        this.#seen.has(bar.day) || (before !== undefined && this.#seen.has(before.day));
      return isOfFile && !this.#farDays.has(bar.day);
    });
  }

  /** Decides which of its corporate actions to record. Call it after all its closes are written. */
  decideActions(transaction: Closes, isAdjusted: boolean): Promise<DecidedActions> {
    return this.actions.decide(this.target.actions, isAdjusted, async (day) => {
      if (!this.hasCloses) return [];
      const around = await this.#readAround(transaction, day, day, evidenceDays);
      return around.filter((one) => this.#seen.has(one.day));
    });
  }

  #readAround(
    transaction: Closes,
    from: EpochDay,
    to: EpochDay,
    days = baseAgeDaysMax,
  ): Promise<readonly DailyClose[]> {
    return transaction.read(this.target.instrument.ticker, {
      from: (from - days) as EpochDay,
      to: (to + days) as EpochDay,
    });
  }

  #judgeRepeated(offer: Offer, earlier: DailyClose): void {
    if (!isSamePrice(offer.close.close, earlier.close)) this.#onRejected('repeated', offer);
    else if (mergedClose(earlier, offer.close) !== earlier) {
      this.#onRejected('repeated-values', offer);
    } else this.#tally.count('same', this.target.instrument.ticker);
  }
}

/** Whether the next of two stored closes is as near to an offered one, or nearer. */
function isNearer(
  next: DailyClose | undefined,
  current: DailyClose | undefined,
  { day }: DailyClose,
): boolean {
  if (next === undefined || current === undefined) return false;
  return Math.abs(next.day - day) <= Math.abs(current.day - day);
}

/**
 * A set of days, with 32 of them in one number. Twenty years take about 10 KB; a `Set` of them takes about 100 KB. An
 * import has sets for each instrument, so its memory grows with the universe and not with the file.
 */
export class DaySet {
  readonly #words = new Map<number, number>();

  has(day: EpochDay): boolean {
    return ((this.#words.get(day >> 5) ?? 0) & (1 << (day & 31))) !== 0;
  }

  add(day: EpochDay): void {
    this.#words.set(day >> 5, (this.#words.get(day >> 5) ?? 0) | (1 << (day & 31)));
  }
}
