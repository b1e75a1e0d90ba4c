import { closeOnBasisOf } from '../domain/history/judge/move.ts';
import type { DailyClose } from '../domain/history/daily-close.ts';
import { fromEpochDay, type EpochDay } from '../domain/calendar/plain-date.ts';
import type { CorporateAction } from '../domain/history/corporate-action.ts';
import type { HistoryTransaction } from '../store/contract/history-store.ts';
import { actionsInRow } from './actions/action-columns.ts';
import type { CloseTarget } from './closes/close-target.ts';
import { dayOf } from './cells/date-format.ts';
import { FileActions, type DecidedActions } from './actions/file-actions.ts';
import { DaySet, FileMerge, type DoubtedClose } from './closes/file-merge.ts';
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
import { PriceEvidence, type ComparedClose } from './checks/price-evidence.ts';

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

/** One row as a series of its table reads it, with the instrument. */
interface TargetRow {
  readonly target: CloseTarget;
  readonly columns: SeriesColumns;
  readonly day: EpochDay | undefined;
  readonly line: number;
  readonly row: CellRow;
}

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
  /** Undefined: the columns of dividends and splits are not read. */
  readonly #actions: FileActions | undefined;
  readonly #evidence: PriceEvidence;
  /** The days of the closes that replace one on another level. */
  readonly #farDays = new Map<CloseTarget, DaySet>();
  #line = 0;
  #anyKnown = false;

  constructor(site: FileSite, plan: FilePlan) {
    this.#site = site;
    this.#plan = plan;
    const { reading, volumeDecimals, otherMeaning } = plan;
    const { decimal, scale = 1 } = reading;
    const currencyOf = currencyRuleOf(reading, site.file);
    this.#rules = { decimal, volumeDecimals, currencyOf, scale, source: site.source };
    this.#isCrossed = crossedRuleOf(reading);
    this.#actions = site.hasActions ? new FileActions(reading.isAdjusted === true) : undefined;
    this.#evidence = new PriceEvidence(otherMeaning);
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
    const { names, rightLevel } = this.#plan;
    const merge = new FileMerge(transaction, {
      onStored: (target, outcome) => this.#count(outcome, target),
      onRejected: (target, reason, line, row) => this.#reject(reason, { target, line, row }),
      onDoubted: (target, doubted) => this.#suspect(target, doubted),
      onConflict: (_, conflict) => this.tally.replace(conflict),
      onMerging: (target, offered, stored) => {
        const far = this.#evidence.add(target, offered, stored);
        for (const one of far) this.#suspectReplaced(target, one);
      },
    });
    let flushedAt = 0;
    for await (const rows of batches) {
      for (const row of rows) {
        this.#take(row, merge);
        if (merge.isFull) {
          await merge.flush();
          flushedAt = bytesRead();
          this.#site.onProgress(this.#line);
        }
      }
      if (bytesRead() - flushedAt > heldBytesMax) {
        await merge.flush();
        flushedAt = bytesRead();
      }
    }
    if (this.#unknownNames.size > 0 && !this.#anyKnown) {
      throw unknownTickers([...this.#unknownNames], false, names);
    }
    await merge.flush();
    if (this.#actions !== undefined) {
      this.decided = await this.#actions.decide(merge);
      this.#site.onActions(this.decided.put.map(({ action }) => action));
    }
    if (rightLevel !== 'of-file') this.#evidence.refuseOther(rightLevel === 'unknown');
    await merge.finish();
    this.#site.onProgress(this.#line);
  }

  #take(row: CellRow, merge: FileMerge): void {
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
      if (target !== undefined) this.#takeRow({ target, columns, day, line, row }, isGap, merge);
      else if (!isGap) this.#rejectUnknown(nameOf?.(row) ?? '', doubtOf?.(row), line, row);
    }
  }

  #takeRow(one: TargetRow, isGap: boolean, merge: FileMerge): void {
    if (isGap) {
      this.#takeActions(one);
      return;
    }
    this.#anyKnown = true;
    const close = this.#closeOf(one);
    // A source may have the dividend of a day without its price.
    if (typeof close !== 'string' || close === 'no-number') this.#takeActions(one);
    if (typeof close === 'string') this.#reject(close, one);
    else merge.offer(one.target, close, one.line, one.row);
  }

  #takeActions(one: TargetRow): void {
    const { target, columns, day, row } = one;
    if (this.#actions === undefined || day === undefined) return;
    for (const found of actionsInRow(row, columns, day, target.instrument, this.#rules)) {
      const reason = typeof found === 'string' ? found : this.#whyNoAction(one, day);
      if (reason !== undefined) {
        this.actionsRejected += 1;
        this.#reportReject(reason, target.instrument.ticker, one);
      } else if (typeof found !== 'string') this.#actions.add(target, found);
    }
  }

  /** A row without a close has been compared neither with the calendar nor with the currency. */
  #whyNoAction({ target, columns, row }: TargetRow, day: EpochDay): RejectReason | undefined {
    const stated = this.#rules.currencyOf(row, columns, target.instrument);
    if (isOtherCurrency(stated, target.instrument)) return 'other-currency';
    return checkDay(day, target);
  }

  #closeOf({ target, columns, day, row }: TargetRow): DailyClose | RejectReason {
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

  #reject(reason: RejectReason, one: Pick<TargetRow, 'target' | 'line' | 'row'>): void {
    this.#count('rejected', one.target);
    this.#reportReject(reason, one.target.instrument.ticker, one);
  }

  #reportReject(
    reason: RejectReason,
    instrument: string,
    { line, row }: Pick<TargetRow, 'line' | 'row'>,
    detail = reason === 'omitted' ? this.#plan.reading.omit?.because : undefined,
  ): void {
    const { file, onReject } = this.#site;
    const reject = { file, line, reason, instrument, row };
    this.tally.countReason(detail ?? rejectReasons[reason]);
    onReject(detail === undefined ? reject : { ...reject, detail });
  }

  #suspect(target: CloseTarget, { bar, before, judgement }: DoubtedClose): void {
    const suspicion = judgement.verdict === 'believed' ? judgement.move : judgement.reason;
    if (suspicion === undefined || this.#farDays.get(target)?.has(bar.day) === true) return;
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

  #suspectReplaced(target: CloseTarget, { offered, stored }: ComparedClose): void {
    const { day, close } = offered;
    const { ticker } = target.instrument;
    const days = this.#farDays.get(target) ?? new DaySet();
    this.#farDays.set(target, days);
    days.add(day);
    const { file } = this.#site;
    const suspicion = 'far-from-stored';
    this.tally.review({ file, ticker, day, suspicion, close, previous: stored.close });
  }

  #count(name: 'read' | 'rejected' | 'added' | 'changed' | 'same', target?: CloseTarget): void {
    this.tally.count(name, target?.instrument.ticker);
  }
}
