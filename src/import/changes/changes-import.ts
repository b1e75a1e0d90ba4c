import { isDeepStrictEqual } from 'node:util';
import {
  firstEpochDay,
  lastEpochDay,
  parsePlainDate,
  toEpochDay,
} from '../../domain/calendar/plain-date.ts';
import { changeOrigins, type StoreChange } from '../../domain/changes/version.ts';
import { isCloseSource } from '../../domain/history/close-source.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { CloseVersion } from '../../domain/history/versions.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { HistoryTransaction } from '../../store/contract/history-store.ts';
import type { StoreMemory } from '../../store/contract/store-memory.ts';
import { cellAt, type CellRow } from '../cells/table.ts';
import type { TableHead } from '../layouts/layout.ts';
import type { KnownNames } from '../names/naming.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { ImportTally, type Reject } from '../reports/import-summary.ts';

const allDays = { from: firstEpochDay, to: lastEpochDay };

/** What an import of changes depends on. */
interface ChangesSite {
  readonly file: string;
  readonly firstLine: number;
  readonly names: KnownNames;
  /** The memory of the store. Undefined if no store exists. */
  readonly memory: Pick<StoreMemory, 'readCloses'> | undefined;
  readonly onReject: (reject: Reject) => void;
}

/**
 * Restores the closes of an export with changes, and their memory. An instrument is restored as a whole, into a
 * store without closes of it: two memories cannot be merged. The rows of one instrument are in memory at a time.
 */
export class ChangesImport {
  readonly tally = new ImportTally();
  readonly #site: ChangesSite;
  #line: number;

  constructor(site: ChangesSite) {
    this.#site = site;
    this.#line = site.firstLine;
  }

  /**
   * @throws {ImportRefusal} when a row is not one that an export writes, or the store has other closes of an
   *   instrument.
   */
  async run(
    transaction: Pick<HistoryTransaction, 'read' | 'restore'>,
    batches: AsyncIterable<readonly CellRow[]>,
  ): Promise<void> {
    let name: string | undefined;
    let versions: CloseVersion[] = [];
    const seen = new Set<string>();
    const finish = async (): Promise<void> => {
      if (name !== undefined) await this.#restore(transaction, name, versions);
      versions = [];
    };
    let isHeader = true;
    for await (const rows of batches) {
      for (const row of rows) {
        if (isHeader) {
          isHeader = false;
          continue;
        }
        this.#line += 1;
        const next = cellAt(row, 0).trim();
        if (next !== name) {
          await finish();
          if (seen.has(next)) throw this.#refusal(`the rows of ${next} are not together`);
          seen.add(next);
          name = next;
        }
        this.#add(versions, next, row);
      }
    }
    await finish();
  }

  #add(versions: CloseVersion[], name: string, row: CellRow): void {
    const known = this.#site.names.find(name);
    this.tally.count('read', known?.ticker);
    if (known === undefined) {
      this.tally.count('rejected');
      const { file, onReject } = this.#site;
      onReject({ file, line: this.#line, reason: 'unknown-ticker', instrument: name, row });
      return;
    }
    const version = readVersion(row, this.#line);
    const before = versions.at(-1);
    const isSameDay = before?.value.day === version.value.day;
    if (before !== undefined && before.value.day > version.value.day) {
      throw this.#refusal('the days are not in order');
    }
    if (before !== undefined && isSameDay !== (before.replaced !== undefined)) {
      throw this.#refusal('of the rows of one day, all but the last one have replaced_at');
    }
    versions.push(version);
  }

  async #restore(
    transaction: Pick<HistoryTransaction, 'read' | 'restore'>,
    name: string,
    versions: readonly CloseVersion[],
  ): Promise<void> {
    const instrument = this.#site.names.find(name);
    if (instrument === undefined || versions.length === 0) return;
    if (versions.at(-1)?.replaced !== undefined) {
      throw this.#refusal(`the last row of ${name} has replaced_at`);
    }
    const { ticker } = instrument;
    const stored = await transaction.read(ticker, allDays);
    const outcome = stored.length === 0 ? 'added' : 'same';
    if (outcome === 'same' && !(await this.#isStored(ticker, versions))) {
      throw new ImportRefusal(
        'not-empty',
        `the store has other closes of ${name}, and two memories of changes cannot be merged; restore into a store ` +
          'without closes of it, or import an export without changes',
      );
    }
    if (outcome === 'added') await transaction.restore(ticker, versions);
    this.tally.count(outcome, ticker, versions.length);
  }

  async #isStored(ticker: Ticker, versions: readonly CloseVersion[]): Promise<boolean> {
    const known = await this.#site.memory?.readCloses(ticker, allDays);
    return isDeepStrictEqual(known, versions);
  }

  #refusal(problem: string): ImportRefusal {
    return refusalOf(this.#line, problem);
  }
}

/**
 * The header that `pizarra export --with-changes` writes. A test compares it with
 * `commands/export.ts`.
 */
export const changesHeader = [
  'ticker',
  'date',
  'close',
  'open',
  'high',
  'low',
  'volume',
  'source',
  'stored_at',
  'stored_by',
  'replaced_at',
  'replaced_by',
] as const;

/** Whether a table is an export with changes. Its rows are restored as they are, and not merged. */
export function isChangesExport({ rows: [first = []] }: TableHead): boolean {
  return (
    first.length === changesHeader.length &&
    first.every((cell, at) => cell.trim() === changesHeader[at])
  );
}

type Wrong = (problem: string) => ImportRefusal;

function refusalOf(line: number, problem: string): ImportRefusal {
  return new ImportRefusal('not-prices', `line ${line}: ${problem}`);
}

/**
 * Reads a row of an export with changes, exactly as it was stored.
 *
 * @throws {ImportRefusal} when the row is not one that an export writes.
 */
export function readVersion(row: CellRow, line: number): CloseVersion {
  const wrong: Wrong = (problem) => refusalOf(line, problem);
  const cell = (column: (typeof changesHeader)[number]): string =>
    cellAt(row, changesHeader.indexOf(column)).trim();
  const date = parsePlainDate(cell('date'));
  if (date === undefined) throw wrong(`"${cell('date')}" is not a date`);
  const close = numberIn(cell('close'), wrong);
  if (close === undefined) throw wrong('the close is missing');
  const stored = changeIn(cell('stored_at'), cell('stored_by'), wrong);
  if (stored === undefined) throw wrong('stored_at is missing');
  const source = cell('source');
  if (source !== '' && !isCloseSource(source)) {
    throw wrong(`"${source}" is not a source`);
  }
  const [open, high, low] = (['open', 'high', 'low'] as const).map((name) =>
    numberIn(cell(name), wrong),
  );
  const value: DailyClose = {
    day: toEpochDay(date),
    close,
    volume: numberIn(cell('volume'), wrong) ?? null,
    ...(open !== undefined && { open }),
    ...(high !== undefined && { high }),
    ...(low !== undefined && { low }),
    ...(source !== '' && { source }),
  };
  const replaced = changeIn(cell('replaced_at'), cell('replaced_by'), wrong);
  return { value, stored, ...(replaced !== undefined && { replaced }) };
}

/** Undefined for an empty cell. */
function numberIn(cell: string, wrong: Wrong): number | undefined {
  if (cell === '') return undefined;
  const value = Number(cell);
  if (!Number.isFinite(value)) throw wrong(`"${cell}" is not a number`);
  return value;
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Undefined for empty cells. */
function changeIn(atCell: string, originCell: string, wrong: Wrong): StoreChange | undefined {
  if (atCell === '' && originCell === '') return undefined;
  const at = instant.test(atCell) ? Date.parse(atCell) : Number.NaN;
  if (Number.isNaN(at)) throw wrong(`"${atCell}" is not an instant`);
  const origin = changeOrigins.find((one) => one === originCell);
  if (origin === undefined) {
    throw wrong(`"${originCell}" is not the origin of a change (${changeOrigins.join(', ')})`);
  }
  return { at, origin };
}
