import type { JudgedBar } from '../domain/history/judge/judge.ts';
import { closeOnBasisOf } from '../domain/history/judge/move.ts';
import type { DailyClose } from '../domain/history/daily-close.ts';
import { fromEpochDay, type EpochDay } from '../domain/calendar/plain-date.ts';
import type { CorporateAction } from '../domain/history/corporate-action.ts';
import type { HistoryTransaction } from '../store/contract/history-store.ts';
import { actionsInRow } from './actions/action-columns.ts';
import type { CloseTarget } from './closes/close-target.ts';
import { dayOf } from './cells/date-format.ts';
import type { DecidedActions } from './actions/file-actions.ts';
import { FileSeries } from './file-series.ts';
import { ImportTally, type Reject } from './reports/import-summary.ts';
import { unknownTickers } from './names/naming.ts';
import type { FilePlan } from './plan-file.ts';
import {
  checkDay,
  crossedRuleOf,
  currencyRuleOf,
  isOtherCurrency,
  readClose,
  rejectReasons,
  type CellRules,
  type RejectReason,
} from './closes/read-close.ts';
import type { SeriesColumns } from './layouts/layout.ts';
import { cellAt, type CellRow } from './cells/table.ts';
import type { ComparedClose } from './checks/price-evidence.ts';

/** Maximum number of unknown names that are collected for a refusal. */
const unknownNamesMax = 10;

/**
 * Number of bytes read after which the pending closes are written even when they are few. Each is
 * stored with its row, and rows may be long.
 */
const heldBytesMax = 33_554_432;

/** The file of an import, and what receives its events. */
interface FileSite {
  readonly file: string;
  readonly firstLine: number;
  /** The source of closes that name none. */
  readonly source: string;
  /** Whether its columns of dividends and splits are read. */
  readonly hasActions: boolean;
  readonly onReject: (reject: Reject) => void;
  /** The actions that will be recorded. The closes of the file are written but not yet judged. */
  readonly onActions: (put: readonly CorporateAction[]) => void;
  /** Called after each batch that is written, and at the end. */
  readonly onProgress: (rowsRead: number) => void;
}

/** Maximum number of pending closes of all instruments. Then they are written. It bounds the memory of an import. */
export const closesHeldMax = 20_000;

/** One row as a series of its table reads it, with the instrument. */
interface TargetRow {
  readonly series: FileSeries;
  readonly columns: SeriesColumns;
  readonly day: EpochDay | undefined;
  readonly line: number;
  readonly row: CellRow;
}

type RejectedRow = Pick<TargetRow, 'line' | 'row'>;

/** The import of one file whose format is known: reads rows, stores closes, and counts them. */
export class FileImport {
  readonly tally = new ImportTally();
  /** What becomes of the dividends and splits of the file. */
  decided: DecidedActions = { put: [], same: 0, leftOut: [] };
  /** The number of cells that are neither a dividend nor a split. */
  actionsRejected = 0;
  readonly #site: FileSite;
  readonly #plan: FilePlan;
  readonly #rules: CellRules;
  readonly #isCrossed: (row: CellRow, close: number) => boolean;
  readonly #unknownNames = new Set<string>();
  readonly #series = new Map<CloseTarget, FileSeries>();
  #line = 0;
  #held = 0;

  constructor(site: FileSite, plan: FilePlan) {
    this.#site = site;
    this.#plan = plan;
    const { reading, volumeDecimals } = plan;
    const { decimal, scale = 1 } = reading;
    const currencyOf = currencyRuleOf(reading, site.file);
    this.#rules = { decimal, volumeDecimals, currencyOf, scale, source: site.source };
    this.#isCrossed = crossedRuleOf(reading);
  }

  /**
   * Merges all rows into the store. `bytesRead` returns the number of bytes read from the file.
   *
   * @throws {ImportRefusal} `unknown-ticker` when none of the named instruments is in the universe, and
   *   `ambiguous` when the stored closes contradict the tickers.
   */
  async run(
    transaction: HistoryTransaction,
    batches: AsyncIterable<readonly CellRow[]>,
    bytesRead: () => number,
  ): Promise<void> {
    let flushedAt = 0;
    const flush = async (): Promise<void> => {
      for (const series of this.#series.values()) {
        for (const far of await series.merge(transaction)) this.#suspectReplaced(series, far);
      }
      this.#held = 0;
      flushedAt = bytesRead();
    };
    for await (const rows of batches) {
      for (const row of rows) {
        this.#take(row);
        if (this.#held >= closesHeldMax) {
          await flush();
          this.#site.onProgress(this.#line);
        }
      }
      if (bytesRead() - flushedAt > heldBytesMax) await flush();
    }
    if (this.#unknownNames.size > 0 && this.#series.size === 0) {
      throw unknownTickers([...this.#unknownNames], false, this.#plan.names);
    }
    await flush();
    await this.#decideActions(transaction);
    this.#refuseOther();
    for (const series of this.#series.values()) {
      for (const one of await series.doubts(transaction)) this.#suspect(series, one);
    }
    this.#site.onProgress(this.#line);
  }

  async #decideActions(transaction: HistoryTransaction): Promise<void> {
    const isAdjusted = this.#plan.reading.isAdjusted === true;
    for (const series of this.#series.values()) {
      const { put, same, leftOut } = await series.decideActions(transaction, isAdjusted);
      this.decided = {
        put: [...this.decided.put, ...put],
        same: this.decided.same + same,
        leftOut: [...this.decided.leftOut, ...leftOut],
      };
    }
    if (this.#site.hasActions) this.#site.onActions(this.decided.put);
  }

  #refuseOther(): void {
    const { rightLevel, otherMeaning } = this.#plan;
    if (rightLevel === 'of-file') return;
    const all = [...this.#series.values()].filter(({ hasCloses }) => hasCloses);
    const mayBeOther = rightLevel === 'unknown' && all.length === 1;
    for (const { evidence } of all) evidence.refuseOther(otherMeaning, mayBeOther);
  }

  #take(row: CellRow): void {
    const { reading, series } = this.#plan;
    const at = this.#line;
    this.#line += 1;
    if (at < reading.skipRows || (row.length <= 1 && cellAt(row, 0).trim() === '')) return;
    const line = at + this.#site.firstLine;
    const day = dayOf(cellAt(row, reading.date), reading);
    for (const { columns, nameOf, targetOf, doubtOf } of series) {
      if (columns.when?.(row) === false) continue;
      const isGap = reading.gapsAllowed && cellAt(row, columns.close).trim() === '';
      const target = targetOf(row);
      if (!isGap) this.#count('read', target);
      if (target !== undefined) {
        this.#takeRow({ series: this.#seriesOf(target), columns, day, line, row }, isGap);
      } else if (!isGap) this.#rejectUnknown(nameOf?.(row) ?? '', doubtOf?.(row), line, row);
    }
  }

  #seriesOf(target: CloseTarget): FileSeries {
    return this.#series.getOrInsertComputed(target, () => {
      return new FileSeries(target, this.tally, (why, row) => this.#reject(why, target, row));
    });
  }

  #takeRow(one: TargetRow, isGap: boolean): void {
    const { series, line, row } = one;
    const close = isGap ? 'no-number' : this.#closeOf(one);
    // A source may have the dividend of a day without its price.
    if (typeof close !== 'string' || close === 'no-number') this.#takeActions(one);
    if (typeof close !== 'string') {
      series.offer(close, line, row);
      this.#held += 1;
    } else if (!isGap) this.#reject(close, series.target, one);
  }

  #takeActions(one: TargetRow): void {
    const { series, columns, day, row } = one;
    const { instrument } = series.target;
    if (!this.#site.hasActions || day === undefined) return;
    for (const found of actionsInRow(row, columns, day, instrument, this.#rules)) {
      const reason = typeof found === 'string' ? found : this.#whyNoAction(one, day);
      if (reason !== undefined) {
        this.actionsRejected += 1;
        this.#reportReject(reason, instrument.ticker, one);
      } else if (typeof found !== 'string') series.actions.add(found);
    }
  }

  /** A row without a close has been compared neither with the calendar nor with the currency. */
  #whyNoAction(
    { series: { target }, columns, row }: TargetRow,
    day: EpochDay,
  ): RejectReason | undefined {
    const stated = this.#rules.currencyOf(row, columns, target.instrument);
    if (isOtherCurrency(stated, target.instrument)) return 'other-currency';
    return checkDay(day, target);
  }

  #closeOf({ series: { target }, columns, day, row }: TargetRow): DailyClose | RejectReason {
    if (day === undefined) return 'no-date';
    if (this.#plan.reading.omit?.when(row, fromEpochDay(day)) === true) return 'omitted';
    const reason =
      checkDay(day, target) ?? (this.#isCrossed(row, columns.close) ? 'crossed' : undefined);
    return reason ?? readClose(row, columns, day, target, this.#rules);
  }

  /** `doubt`: what the name may be, if it may be a word. */
  #rejectUnknown(name: string, doubt: string | undefined, line: number, row: CellRow): void {
    if (this.#unknownNames.size < unknownNamesMax) this.#unknownNames.add(name);
    this.#count('rejected', undefined);
    const reason = doubt === undefined ? 'unknown-ticker' : 'unclear-ticker';
    this.#reportReject(reason, name, { line, row }, doubt);
  }

  #reject(reason: RejectReason, target: CloseTarget, one: RejectedRow): void {
    this.#count('rejected', target);
    this.#reportReject(reason, target.instrument.ticker, one);
  }

  #reportReject(
    reason: RejectReason,
    instrument: string,
    { line, row }: RejectedRow,
    detail = reason === 'omitted' ? this.#plan.reading.omit?.because : undefined,
  ): void {
    const { file, onReject } = this.#site;
    const reject = { file, line, reason, instrument, row };
    this.tally.countReason(detail ?? rejectReasons[reason]);
    onReject(detail === undefined ? reject : { ...reject, detail });
  }

  #suspect({ target }: FileSeries, { bar, before, judgement }: JudgedBar<DailyClose>): void {
    const suspicion = judgement.verdict === 'believed' ? judgement.move : judgement.reason;
    if (suspicion === undefined) return;
    const { day, close, low, high } = bar;
    this.tally.review({
      file: this.#site.file,
      ticker: target.instrument.ticker,
      day,
      suspicion,
      close,
      ...(before !== undefined && { previous: closeOnBasisOf(before, day, target.actions) }),
      ...(low !== undefined && { low }),
      ...(high !== undefined && { high }),
    });
  }

  #suspectReplaced({ target }: FileSeries, { offered, stored }: ComparedClose): void {
    const { file } = this.#site;
    const { day, close } = offered;
    const suspicion = 'far-from-stored';
    const { ticker } = target.instrument;
    this.tally.review({ file, ticker, day, suspicion, close, previous: stored.close });
  }

  #count(name: 'read' | 'rejected', target?: CloseTarget): void {
    this.tally.count(name, target?.instrument.ticker);
  }
}
