import { basename } from 'node:path';
import { importSource } from '../domain/history/close-source.ts';
import type { CorporateAction } from '../domain/history/corporate-action.ts';
import type { CorporateActions } from '../domain/history/corporate-actions.ts';
import type { Universe } from '../domain/instruments/universe.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { ChangeStamp, HistoryWriter } from '../store/contract/history-store.ts';
import type { VersionedParts } from '../store/contract/store.ts';
import { ChangesImport, isChangesExport } from './changes/changes-import.ts';
import { CloseTargets } from './closes/close-target.ts';
import { asRefusal, type Leaf } from './files/containers.ts';
import { recordActions } from './actions/file-actions.ts';
import { FileImport } from './file-import.ts';
import { ImportRefusal, type ImportOptions } from './refusals/import-refusal.ts';
import {
  ImportTally,
  type FileResult,
  type ImportedFile,
  type ImportSummary,
  type Reject,
} from './reports/import-summary.ts';
import { withOldTickers } from './names/naming.ts';
import { planFile, tryPlan, type PlanSite } from './plan-file.ts';
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
export interface ImportStore extends VersionedParts {
  readonly history: HistoryWriter;
}

/** The collaborators of an import. */
export interface ImportDependencies {
  readonly store: ImportStore;
  readonly universe: Universe;
  /** The recorded corporate actions. A close is compared with the one before on its own basis. */
  readonly actions: CorporateActions;
  readonly clock: Clock;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly onReject: (reject: Reject) => void;
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
  const run = new ImportRun(options, dependencies);
  const leaves = leavesOfSources(sources, dependencies.stdin, { sheet: options.sheet });
  for await (const leaf of leaves) await run.importLeaf(leaf);
  return run.summary();
}

type BytesLeaf = Extract<Leaf, { readonly type: 'bytes' }>;

/** Maximum number of sheets of a workbook that are tried before they are named. */
const sheetsTriedMax = 20;

class ImportRun {
  readonly #options: ImportOptions;
  readonly #dependencies: ImportDependencies;
  readonly #site: PlanSite;
  readonly #files: FileResult[] = [];
  readonly #tally = new ImportTally();

  constructor(options: ImportOptions, dependencies: ImportDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
    const { universe, clock, actions } = dependencies;
    this.#site = {
      universe: withOldTickers(universe, actions),
      targets: new CloseTargets(universe, clock.now(), actions),
    };
  }

  async importLeaf(leaf: Leaf): Promise<void> {
    const result = await this.#resultOf(leaf);
    this.#files.push(result);
    this.#dependencies.onFile?.(result);
  }

  summary(): ImportSummary {
    const { counts: totals, byTicker, byReason, suspicious, replaced } = this.#tally;
    return { files: this.#files, totals, byTicker, byReason, suspicious, replaced };
  }

  async #resultOf(leaf: Leaf): Promise<FileResult> {
    const { name: file } = leaf;
    if (leaf.type === 'skipped') return { outcome: 'skipped', file, reason: leaf.reason };
    try {
      if (leaf.type === 'refused') throw await this.#withTriedSheets(file, leaf.refusal);
      return await this.#importFile(leaf);
    } catch (error) {
      if (!(error instanceof ImportRefusal)) throw error;
      const { code, message: reason, problem, advice } = error;
      const refused = { outcome: 'refused', file, code, reason, problem } as const;
      return advice === undefined ? refused : { ...refused, advice };
    }
  }

  async #importFile(leaf: BytesLeaf): Promise<FileResult> {
    const read = { length: 0 };
    const bytes = counted(refusing(leaf.bytes), read);
    await using table = await openTable(leaf.name, bytes, leaf.isSheet);
    // No option of the import concerns an export with changes.
    if (isChangesExport(table.head)) return await this.#importChanges(leaf, table);
    try {
      return await this.#importTable(leaf, table, () => read.length);
    } catch (error) {
      if (!(error instanceof ImportRefusal)) throw error;
      throw withTriedAdvice(error, this.#options, (options) =>
        tryPlan(table.head, options, this.#site),
      );
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
    return withTriedAdvice(refusal, this.#options, (options) => {
      const head = heads.get(options.sheet ?? '');
      if (head !== undefined) tryPlan(head, options, this.#site);
    });
  }

  async #importTable(
    { name, sizeBytes, origin }: BytesLeaf,
    { head, firstLine, batches }: OpenTable,
    bytesRead: () => number,
  ): Promise<FileResult> {
    const { onReject, onProgress, store, clock } = this.#dependencies;
    const plan = planFile(head, this.#options, this.#site);
    const hasActions = this.#options.actions === true;
    const site = {
      file: name,
      firstLine,
      source: importSource(basename(origin)),
      hasActions,
      onReject,
      onActions: (put: readonly CorporateAction[]) => this.#site.targets.record(put),
      onProgress: (rowsRead: number) =>
        onProgress?.({ file: name, bytesRead: bytesRead(), bytesTotal: sizeBytes, rowsRead }),
    };
    const file = new FileImport(site, plan);
    await store.history.transaction(
      (transaction) => file.run(transaction, batches, bytesRead),
      this.#stamp,
    );
    const recorded = await recordActions(store.actions, file.decided, clock.now());
    const { reading, columnsUnknown, columnsDoubtful } = plan;
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
   * The result of a file. A file that is refused has thrown before, so none of its counts are in the summary. Its
   * rejected rows are in the rejects file.
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

  async #importChanges(
    { name: file }: BytesLeaf,
    { firstLine, batches }: OpenTable,
  ): Promise<FileResult> {
    const { store, onReject } = this.#dependencies;
    const { memory } = store;
    const names = this.#site.universe;
    const changes = new ChangesImport({ file, firstLine, names, memory, onReject });
    const restores: (() => Promise<void>)[] = [];
    await store.history.transaction(async (transaction) => {
      await changes.run(transaction, batches);
      for (const [table, rows] of changes.others) restores.push(await table.check(rows, store));
    }, this.#stamp);
    // Every row is sound. If the process ends in between, the same import restores what is missing.
    for (const restore of restores) await restore();
    const restored = Array.from(
      changes.others,
      ([{ name }, { length }]) => [name, length] as const,
    );
    return this.#imported(file, 'pizarra-changes', changes.tally, { restored });
  }

  get #stamp(): ChangeStamp {
    return { origin: 'import', now: () => this.#dependencies.clock.now() };
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
