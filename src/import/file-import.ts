import { closeOnBasisOf } from '../domain/history/judge/move.ts';
import type { DailyClose } from '../domain/history/daily-close.ts';
import type { CloseConflict } from '../domain/history/offered-close.ts';
import { fromEpochDay, type EpochDay } from '../domain/calendar/plain-date.ts';
import type { CorporateAction } from '../domain/history/corporate-action.ts';
import type { HistoryTransaction } from '../store/contract/history-store.ts';
import { actionsInRow } from './actions/action-columns.ts';
import type { BoundSeries } from './names/binding.ts';
import type { CloseTarget } from './closes/close-target.ts';
import { dayOf } from './cells/date-format.ts';
import { FileActions, type DecidedActions } from './actions/file-actions.ts';
import { DaySet, FileMerge, type DoubtedClose } from './closes/file-merge.ts';
import {
  ImportTally,
  replacedListedMax,
  suspiciousListedMax,
  type ImportCounts,
  type Reject,
  type SuspiciousClose,
} from './reports/import-summary.ts';
import { unknownTickers, type NameRules } from './names/naming.ts';
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
import type { SettledReading } from './recognition/recognise.ts';
import { cellAt, type CellRow } from './cells/table.ts';
import { PriceEvidence, type ComparedClose } from './checks/price-evidence.ts';

/** Maximum number of unknown names that are collected for a refusal. */
const unknownNamesMax = 10;

/**
 * Number of bytes read after which the pending closes are written even when they are few. Each is
 * stored with its row, and rows may be long.
 */
const heldBytesMax = 33_554_432;

/** Receives the events of a file's import. */
interface FileListener {
  onReject(reject: Reject): void;
  /** The actions that will be recorded. The closes of the file are written but not yet judged. */
  onActions(put: readonly CorporateAction[]): void;
  /** Called after each batch that is written, and at the end. */
  onProgress(rowsRead: number): void;
}

/** The import of one file whose format is known: reads rows, stores closes, and counts them. */
export class FileImport {
  readonly tally = new ImportTally();
  /** The first closes that should be reviewed, and the first that replaced one of another source. */
  readonly suspicious: SuspiciousClose[] = [];
  readonly replaced: CloseConflict[] = [];
  /** What becomes of the dividends and splits of the file. */
  decided: DecidedActions = { put: [], same: 0, leftOut: [] };
  /** The number of cells that are neither a dividend nor a split. */
  actionsRejected = 0;
  readonly #file: string;
  readonly #firstLine: number;
  readonly #reading: SettledReading;
  readonly #rules: CellRules;
  readonly #isCrossed: (row: CellRow, close: number) => boolean;
  readonly #series: readonly BoundSeries[];
  readonly #names: NameRules;
  readonly #listener: FileListener;
  readonly #unknownNames = new Set<string>();
  /** Undefined: the columns of dividends and splits are not read. */
  readonly #actions: FileActions | undefined;
  readonly #evidence: PriceEvidence;
  /** The days of the closes that replace one on another level. */
  readonly #farDays = new Map<CloseTarget, DaySet>();
  readonly #rightLevel: FilePlan['rightLevel'];
  #line = 0;
  #anyKnown = false;

  constructor(
    table: {
      readonly file: string;
      readonly firstLine: number;
      readonly source: string;
      /** Whether its columns of dividends and splits are read. */
      readonly hasActions: boolean;
    },
    reading: SettledReading,
    plan: Pick<FilePlan, 'series' | 'names' | 'volumeDecimals' | 'otherMeaning' | 'rightLevel'>,
    listener: FileListener,
  ) {
    this.#file = table.file;
    this.#firstLine = table.firstLine;
    this.#reading = reading;
    const { series, names, volumeDecimals, otherMeaning, rightLevel } = plan;
    this.#evidence = new PriceEvidence(otherMeaning);
    this.#rightLevel = rightLevel;
    const { decimal, scale = 1 } = reading;
    const currencyOf = currencyRuleOf(reading, table.file);
    this.#rules = { decimal, volumeDecimals, currencyOf, scale, source: table.source };
    this.#isCrossed = crossedRuleOf(reading);
    this.#actions = table.hasActions ? new FileActions(reading.isAdjusted === true) : undefined;
    this.#series = series;
    this.#names = names;
    this.#listener = listener;
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
    const merge = new FileMerge(transaction, {
      onStored: (target, outcome) => this.#count(outcome, target),
      onRejected: (target, reason, line, row) => this.#reject(target, reason, line, row),
      onDoubted: (target, doubted) => this.#suspect(target, doubted),
      onConflict: (target, conflict) => this.#replace(target, conflict),
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
          this.#listener.onProgress(this.#line);
        }
      }
      if (bytesRead() - flushedAt > heldBytesMax) {
        await merge.flush();
        flushedAt = bytesRead();
      }
    }
    if (this.#unknownNames.size > 0 && !this.#anyKnown) {
      throw unknownTickers([...this.#unknownNames], false, this.#names);
    }
    await this.#decideActions(merge);
    await merge.flush();
    if (this.#rightLevel !== 'of-file') this.#evidence.refuseOther(this.#rightLevel === 'unknown');
    await merge.finish();
    this.#listener.onProgress(this.#line);
  }

  #take(row: CellRow, merge: FileMerge): void {
    const at = this.#line;
    this.#line += 1;
    if (at < this.#reading.skipRows || (row.length <= 1 && cellAt(row, 0).trim() === '')) return;
    const line = at + this.#firstLine;
    const day = dayOf(cellAt(row, this.#reading.date), this.#reading);
    for (const { columns, nameOf, targetOf, doubtOf } of this.#series) {
      if (columns.when?.(row) === false) continue;
      if (this.#reading.gapsAllowed && cellAt(row, columns.close).trim() === '') {
        const target = targetOf(row);
        if (target !== undefined) this.#takeActions(target, columns, day, line, row);
        continue;
      }
      const target = targetOf(row);
      this.#count('read', target);
      if (target === undefined) {
        this.#rejectUnknown(nameOf?.(row) ?? '', doubtOf?.(row), line, row);
      } else this.#takeClose(target, columns, day, line, row, merge);
    }
  }

  #takeClose(
    target: CloseTarget,
    columns: BoundSeries['columns'],
    day: EpochDay | undefined,
    line: number,
    row: CellRow,
    merge: FileMerge,
  ): void {
    this.#anyKnown = true;
    const close = day === undefined ? 'no-date' : this.#closeOf(row, columns, day, target);
    // A source may have the dividend of a day without its price.
    if (typeof close !== 'string' || close === 'no-number') {
      this.#takeActions(target, columns, day, line, row);
    }
    if (typeof close === 'string') {
      this.#reject(target, close, line, row);
      return;
    }
    merge.offer(target, close, line, row);
  }

  #takeActions(
    target: CloseTarget,
    columns: BoundSeries['columns'],
    day: EpochDay | undefined,
    line: number,
    row: CellRow,
  ): void {
    const actions = this.#actions;
    if (actions === undefined || day === undefined) return;
    const { instrument } = target;
    for (const found of actionsInRow(row, columns, day, instrument, this.#rules)) {
      const reason =
        typeof found === 'string' ? found : this.#whyNoAction(target, columns, day, row);
      if (reason !== undefined) {
        this.actionsRejected += 1;
        this.#reportReject(reason, instrument.ticker, line, row);
      } else if (typeof found !== 'string') actions.add(target, found);
    }
  }

  /** A row without a close has been compared neither with the calendar nor with the currency. */
  #whyNoAction(
    target: CloseTarget,
    columns: BoundSeries['columns'],
    day: EpochDay,
    row: CellRow,
  ): RejectReason | undefined {
    const stated = this.#rules.currencyOf(row, columns, target.instrument);
    if (isOtherCurrency(stated, target.instrument)) return 'other-currency';
    return checkDay(day, target);
  }

  async #decideActions(merge: FileMerge): Promise<void> {
    if (this.#actions === undefined) return;
    await merge.flush();
    this.decided = await this.#actions.decide(merge);
    this.#listener.onActions(this.decided.put.map(({ action }) => action));
    for (const { target } of this.decided.put) merge.judgeAgain(target);
  }

  #closeOf(
    row: CellRow,
    columns: BoundSeries['columns'],
    day: EpochDay,
    target: CloseTarget,
  ): DailyClose | RejectReason {
    const { omit } = this.#reading;
    if (omit?.when(row, fromEpochDay(day)) === true) return 'omitted';
    const reason =
      checkDay(day, target) ?? (this.#isCrossed(row, columns.close) ? 'crossed' : undefined);
    return reason ?? readClose(row, columns, day, target, this.#rules);
  }

  /** `doubt`: what the name may be, if it may be a word. */
  #rejectUnknown(name: string, doubt: string | undefined, line: number, row: CellRow): void {
    if (this.#unknownNames.size < unknownNamesMax) this.#unknownNames.add(name);
    this.#count('rejected', undefined);
    const reason = doubt === undefined ? 'unknown-ticker' : 'unclear-ticker';
    this.#reportReject(reason, name, line, row, doubt);
  }

  #reject(target: CloseTarget, reason: RejectReason, line: number, row: CellRow): void {
    this.#count('rejected', target);
    this.#reportReject(reason, target.instrument.ticker, line, row);
  }

  #reportReject(
    reason: RejectReason,
    instrument: string,
    line: number,
    row: CellRow,
    detail = reason === 'omitted' ? this.#reading.omit?.because : undefined,
  ): void {
    const reject = { file: this.#file, line, reason, instrument, row };
    this.tally.countReason(detail ?? rejectReasons[reason]);
    this.#listener.onReject(detail === undefined ? reject : { ...reject, detail });
  }

  #suspect(target: CloseTarget, { bar, before, judgement }: DoubtedClose): void {
    const suspicion = judgement.verdict === 'believed' ? judgement.move : judgement.reason;
    if (suspicion === undefined || this.#farDays.get(target)?.has(bar.day) === true) return;
    const { day, close, low, high } = bar;
    this.#review(target, {
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
    const days = this.#farDays.get(target) ?? new DaySet();
    this.#farDays.set(target, days);
    days.add(day);
    this.#review(target, { day, suspicion: 'far-from-stored', close, previous: stored.close });
  }

  #review(target: CloseTarget, found: Omit<SuspiciousClose, 'file' | 'ticker'>): void {
    this.#count('suspicious', target);
    if (this.suspicious.length >= suspiciousListedMax) return;
    this.suspicious.push({ file: this.#file, ticker: target.instrument.ticker, ...found });
  }

  #replace(target: CloseTarget, conflict: CloseConflict): void {
    this.#count('replaced', target);
    if (this.replaced.length < replacedListedMax) this.replaced.push(conflict);
  }

  #count(name: keyof ImportCounts, target: CloseTarget | undefined): void {
    this.tally.count(name, target?.instrument.ticker);
  }
}
