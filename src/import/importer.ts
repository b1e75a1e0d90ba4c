import { basename } from 'node:path';
import { importSource } from '../domain/history/close-source.ts';
import type { CloseConflict } from '../domain/history/offered-close.ts';
import type { CorporateActions } from '../domain/history/corporate-actions.ts';
import type { Universe } from '../domain/instruments/universe.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { HistoryTransaction, HistoryWriter } from '../store/contract/history-store.ts';
import type { StoreParts } from '../store/contract/store.ts';
import { ChangesImport, isChangesExport } from './changes/changes-import.ts';
import { CloseTargets } from './closes/close-target.ts';
import { asRefusal, type Leaf } from './files/containers.ts';
import { outcomeOf, recordActions } from './actions/file-actions.ts';
import { FileImport } from './file-import.ts';
import { ImportRefusal, type ImportOptions } from './refusals/import-refusal.ts';
import {
  ImportTally,
  replacedListedMax,
  suspiciousListedMax,
  type FileResult,
  type ImportedFile,
  type ImportSummary,
  type Reject,
  type SuspiciousClose,
} from './reports/import-summary.ts';
import { withOldTickers, type KnownNames } from './names/naming.ts';
import { planFile, tryPlan } from './plan-file.ts';
import type { RejectSink } from './reports/reject-file.ts';
import { leavesOfSources } from './files/sources.ts';
import { counted } from './files/streams.ts';
import { openTable, type OpenTable } from './files/open-table.ts';
import type { TableHead } from './layouts/layout.ts';
import { withTriedAdvice } from './refusals/tried-advice.ts';

/** The progress of an import, reported after each write and at the end of each file. */
export interface ImportProgress {
  readonly file: string;
  readonly bytesRead: number;
  /** Undefined for a stream and for the contents of a gzip. */
  readonly bytesTotal: number | undefined;
  readonly rowsRead: number;
}

/** The parts of a store that an import reads and writes. */
export interface ImportStore extends Pick<StoreParts, 'actions' | 'indices' | 'terms' | 'memory'> {
  readonly history: HistoryWriter;
}

/** The collaborators of an import. */
interface ImportDependencies {
  readonly store: ImportStore;
  readonly universe: Universe;
  /** The recorded corporate actions. A close is compared with the one before on its own basis. */
  readonly actions: CorporateActions;
  readonly clock: Clock;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly rejects: RejectSink;
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly onFile?: (result: FileResult) => void;
}

/**
 * Imports daily closes from files, directories and archives. Each file, and each entry of an
 * archive, is one transaction: if the import is killed, each file is imported completely or not at
 * all. A file that cannot be imported is refused and listed in the summary, and the others are
 * imported. Importing the same file again changes nothing.
 *
 * Memory does not grow with the size of a file, because files are streamed and merged in batches.
 *
 * @throws {StoreFault} when the store fails. Files imported before are kept.
 */
export async function importHistory(
  sources: readonly string[],
  options: ImportOptions,
  dependencies: ImportDependencies,
): Promise<ImportSummary> {
  const { universe, actions, clock, stdin } = dependencies;
  const targets = new CloseTargets(universe, clock.now(), actions);
  const run = new ImportRun(options, dependencies, targets);
  const leaves = leavesOfSources(sources, stdin, { sheet: options.sheet });
  for await (const leaf of leaves) await run.importLeaf(leaf);
  return run.summary();
}

/** Thrown inside a transaction to roll it back after a dry run. */
class DryRunEnd extends Error {}

/** Maximum number of sheets of a workbook that are tried before they are named. */
const sheetsTriedMax = 20;

class ImportRun {
  readonly #options: ImportOptions;
  readonly #dependencies: ImportDependencies;
  readonly #targets: CloseTargets;
  readonly #names: KnownNames;
  readonly #files: FileResult[] = [];
  readonly #tally = new ImportTally();
  readonly #suspicious: SuspiciousClose[] = [];
  readonly #replaced: CloseConflict[] = [];

  constructor(options: ImportOptions, dependencies: ImportDependencies, targets: CloseTargets) {
    this.#options = options;
    this.#dependencies = dependencies;
    this.#targets = targets;
    this.#names = withOldTickers(dependencies.universe, dependencies.actions);
  }

  async importLeaf(leaf: Leaf): Promise<void> {
    const result = await this.#resultOf(leaf);
    this.#files.push(result);
    this.#dependencies.onFile?.(result);
  }

  summary(): ImportSummary {
    return {
      files: this.#files,
      totals: this.#tally.counts,
      byTicker: this.#tally.byTicker,
      byReason: this.#tally.byReason,
      suspicious: this.#suspicious,
      replaced: this.#replaced,
      dryRun: this.#options.dryRun === true,
    };
  }

  async #resultOf(leaf: Leaf): Promise<FileResult> {
    if (leaf.type === 'skipped') {
      return { outcome: 'skipped', file: leaf.name, reason: leaf.reason };
    }
    try {
      if (leaf.type === 'refused') throw await this.#withTriedSheets(leaf.name, leaf.refusal);
      return await this.#importFile(leaf);
    } catch (error) {
      if (!(error instanceof ImportRefusal)) throw error;
      const { code, message: reason, problem, advice } = error;
      const refused = { outcome: 'refused', file: leaf.name, code, reason, problem } as const;
      return advice === undefined ? refused : { ...refused, advice };
    }
  }

  async #importFile(leaf: Extract<Leaf, { type: 'bytes' }>): Promise<FileResult> {
    const read = { length: 0 };
    await using table = await openTable(
      leaf.name,
      counted(refusing(leaf.bytes), read),
      leaf.isSheet,
    );
    try {
      return await this.#importTable(leaf, table, () => read.length);
    } catch (error) {
      if (!(error instanceof ImportRefusal)) throw error;
      const site = { universe: this.#names, targets: this.#targets };
      throw withTriedAdvice(error, this.#options, (options) => tryPlan(table.head, options, site));
    }
  }

  /** A refusal of a workbook with several sheets, which names only sheets that an import accepts. */
  async #withTriedSheets(path: string, refusal: ImportRefusal): Promise<ImportRefusal> {
    if (refusal.advice?.kind !== 'choose-sheet') return refusal;
    const heads = new Map<string, TableHead>();
    for (const { sheet } of refusal.advice.suggestions.slice(0, sheetsTriedMax)) {
      if (typeof sheet !== 'string') continue;
      for await (const leaf of leavesOfSources([path], nothing(), { sheet })) {
        // Standard input and an entry of an archive are not read again.
        if (leaf.type !== 'bytes') return refusal;
        await using table = await openTable(leaf.name, leaf.bytes, leaf.isSheet);
        heads.set(sheet, table.head);
      }
    }
    const site = { universe: this.#names, targets: this.#targets };
    return withTriedAdvice(refusal, this.#options, (options) => {
      const head = heads.get(options.sheet ?? '');
      if (head !== undefined) tryPlan(head, options, site);
    });
  }

  async #importTable(
    leaf: Extract<Leaf, { type: 'bytes' }>,
    table: OpenTable,
    bytesRead: () => number,
  ): Promise<FileResult> {
    if (isChangesExport(table.head)) return this.#importChanges(leaf, table);
    const site = { universe: this.#names, targets: this.#targets };
    const plan = planFile(table.head, this.#options, site);
    const { reading, columnsUnknown, columnsDoubtful } = plan;
    const hasActions = this.#options.actions === true;
    const { name, sizeBytes, origin } = leaf;
    const source = importSource(basename(origin));
    const place = { file: name, firstLine: table.firstLine, source, hasActions };
    const file = new FileImport(place, reading, plan, {
      onReject: (reject) => this.#dependencies.rejects.add(reject),
      onActions: (put) => this.#targets.record(put),
      onProgress: (rowsRead) => {
        const progress = { file: name, bytesRead: bytesRead(), bytesTotal: sizeBytes, rowsRead };
        this.#dependencies.onProgress?.(progress);
      },
    });
    await this.#transact((transaction) => file.run(transaction, table.batches, bytesRead));
    // A file that was refused has thrown: none of its closes were kept or replaced another.
    const { suspicious, replaced } = file;
    this.#suspicious.push(...suspicious.slice(0, suspiciousListedMax - this.#suspicious.length));
    this.#replaced.push(...replaced.slice(0, replacedListedMax - this.#replaced.length));
    const { store, clock } = this.#dependencies;
    const isDry = this.#options.dryRun === true;
    const recorded = isDry
      ? outcomeOf(file.decided)
      : await recordActions(store.actions, file.decided, clock.now());
    return this.#imported(name, reading.layout, file.tally, {
      columnsUnknown,
      columnsDoubtful,
      columnsUnused: reading.unused ?? [],
      columnsOfActions: plan.actionHeadings,
      isAdjusted: reading.isAdjusted === true,
      ...(hasActions && { actions: { ...recorded, rejected: file.actionsRejected } }),
    });
  }

  /**
   * The result of a file. Rejected rows of a file that is refused are in the rejects file, but not in the counts.
   */
  #imported(
    file: string,
    layout: string,
    tally: ImportTally,
    rest: Partial<ImportedFile> = {},
  ): FileResult {
    this.#tally.add(tally);
    const { counts, byTicker } = tally;
    return {
      outcome: 'imported',
      file,
      layout,
      counts,
      byTicker,
      columnsUnknown: [],
      columnsDoubtful: [],
      columnsUnused: [],
      columnsOfActions: [],
      isAdjusted: false,
      ...rest,
    };
  }

  /** Restores an export with changes. No option of the import concerns it. */
  async #importChanges(
    { name }: Extract<Leaf, { type: 'bytes' }>,
    { firstLine, batches }: OpenTable,
  ): Promise<FileResult> {
    const { store, rejects } = this.#dependencies;
    const { memory } = store;
    const onReject = (reject: Reject): void => rejects.add(reject);
    const file = new ChangesImport({ file: name, firstLine, names: this.#names, memory, onReject });
    const restores: (() => Promise<void>)[] = [];
    await this.#transact(async (transaction) => {
      await file.run(transaction, batches);
      for (const [table, rows] of file.others) restores.push(await table.check(rows, store));
    });
    // Every row is sound. If the process ends in between, the same import restores what is missing.
    if (this.#options.dryRun !== true) for (const restore of restores) await restore();
    const restored = Array.from(file.others, ([table, rows]) => [table.name, rows.length] as const);
    return this.#imported(name, 'pizarra-changes', file.tally, { restored });
  }

  async #transact(work: (transaction: HistoryTransaction) => Promise<void>): Promise<void> {
    try {
      const { store, clock } = this.#dependencies;
      const stamp = { origin: 'import', now: () => clock.now() } as const;
      await store.history.transaction(async (transaction) => {
        await work(transaction);
        if (this.#options.dryRun === true) throw new DryRunEnd();
      }, stamp);
    } catch (error) {
      if (!(error instanceof DryRunEnd)) throw error;
    }
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** An error while reading becomes a refusal of the file. */
async function* refusing(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw asRefusal(error);
  }
}
