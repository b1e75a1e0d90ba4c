import { isDeepStrictEqual } from 'node:util';
import { firstEpochDay, lastEpochDay } from '../../domain/calendar/plain-date.ts';
import type { CloseVersion } from '../../domain/history/versions.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { HistoryTransaction } from '../../store/contract/history-store.ts';
import type { StoreMemory } from '../../store/contract/versioned-stores.ts';
import { cellAt, type CellRow } from '../cells/table.ts';
import type { TableHead } from '../layouts/layout.ts';
import type { KnownNames } from '../names/naming.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { ImportTally, type Reject } from '../reports/import-summary.ts';
import { changesTables, type ChangesTable, type FileRow } from './changes-tables.ts';
import { changesHeader, readCloseVersion } from './version-cells.ts';

const allDays = { from: firstEpochDay, to: lastEpochDay };

/** What an import of changes depends on. */
interface ChangesSite {
  readonly file: string;
  readonly firstLine: number;
  readonly names: KnownNames;
  readonly memory: Pick<StoreMemory, 'readCloses'>;
  readonly onReject: (reject: Reject) => void;
}

/**
 * Restores the closes of an export with changes, and their memory. An instrument is restored as a whole, into a
 * store without closes of it: two memories cannot be merged. The rows of one instrument are in memory at a time.
 */
export class ChangesImport {
  readonly tally = new ImportTally();
  /** The rows of the other tables. */
  readonly others = new Map<ChangesTable, FileRow[]>();
  readonly #site: ChangesSite;
  #line: number;

  constructor(site: ChangesSite) {
    this.#site = site;
    this.#line = site.firstLine - 1;
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
    let others: FileRow[] | undefined;
    for await (const rows of batches) {
      for (const row of rows) {
        this.#line += 1;
        const table = tableWith(row);
        if (table !== undefined) {
          others = table === 'closes' ? undefined : this.#rowsOf(table);
          continue;
        }
        if (others !== undefined) {
          const line = this.#line;
          others.push({ row, wrong: (problem) => refusalOf(line, problem) });
          continue;
        }
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

  #rowsOf(table: ChangesTable): FileRow[] {
    const rows = this.others.get(table) ?? [];
    this.others.set(table, rows);
    return rows;
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
    const version = readCloseVersion(row, (problem) => this.#refusal(problem));
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
    const known = await this.#site.memory.readCloses(ticker, allDays);
    return isDeepStrictEqual(known, versions);
  }

  #refusal(problem: string): ImportRefusal {
    return refusalOf(this.#line, problem);
  }
}

/** The table whose header a row is. */
function tableWith(row: CellRow): ChangesTable | 'closes' | undefined {
  const isHeader = (header: readonly string[]): boolean =>
    row.length === header.length && row.every((cell, at) => cell.trim() === header[at]);
  if (isHeader(changesHeader)) return 'closes';
  return Object.values(changesTables).find(({ header }) => isHeader(header));
}

/** Whether a table is an export with changes. Its rows are restored as they are, and not merged. */
export function isChangesExport({ rows: [first = []] }: TableHead): boolean {
  return tableWith(first) === 'closes';
}

function refusalOf(line: number, problem: string): ImportRefusal {
  return new ImportRefusal('not-prices', `line ${line}: ${problem}`);
}
