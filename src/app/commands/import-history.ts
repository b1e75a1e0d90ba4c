import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CorporateAction } from '../../domain/corporate-action.ts';
import { CorporateActions } from '../../domain/corporate-actions.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import { dateFormats } from '../../import/cells/date-format.ts';
import type { DateFormat } from '../../import/cells/date-format.ts';
import { importHistory } from '../../import/importer.ts';
import type { ImportOptions, ImportProgress } from '../../import/importer.ts';
import type {
  FileResult,
  ImportCounts,
  ImportSummary,
  SuspiciousClose,
} from '../../import/import-summary.ts';
import { RejectFile } from '../../import/reject-file.ts';
import type { HistoryWriter } from '../../store/history-store.ts';
import type { StorePlace } from '../../store/place.ts';
import { openPlace } from '../place/open-place.ts';
import { requireUniverse } from '../site/require-universe.ts';
import { openExisting } from './open-existing.ts';
import { trialHistory } from './trial-history.ts';

export type { FileResult, ImportCounts, ImportProgress, ImportSummary, SuspiciousClose };

/** The values of `--date-format`. */
export const importDateFormats: readonly DateFormat[] = dateFormats;

/** The request of an import. */
export interface ImportRequest extends ImportOptions {
  /** Files, directories, and `-` for standard input. */
  readonly sources: readonly string[];
  readonly storeAt: string;
  readonly universeDirectory: string;
  /** The file for rejected rows. By default it is a new file in `rejects/` of the data directory, or of the working directory if the store has none. */
  readonly rejectsFile?: string;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly clock?: Clock;
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly onFile?: (result: FileResult) => void;
}

/** The result of an import. */
export interface ImportOutcome {
  readonly summary: ImportSummary;
  /** The file of rejected rows. Undefined if no row was rejected, or no data directory exists. */
  readonly rejectsFile: string | undefined;
  /** Whether no store existed, so that the dry run compared with an empty one. */
  readonly isStoreMissing: boolean;
  /** Where the store is, for people. */
  readonly storeName: string;
}

/**
 * Imports into the store of an installation. A service may run on the same data directory. It sees each
 * file as a whole, after its import. A dry run changes nothing, and creates nothing if no store exists.
 *
 * @throws {OperatorFault} when the universe has faults.
 * @throws {StoreFault} when the store cannot be opened or written.
 */
export async function runImport(request: ImportRequest): Promise<ImportOutcome> {
  const { clock = systemClock, storeAt, universeDirectory } = request;
  const universe = await requireUniverse(universeDirectory);
  await using place = openPlace(storeAt);
  await using target = await (request.dryRun === true ? openTrial : openForWriting)(place);
  const { history, actions, isStoreMissing } = target;
  using rejects = new RejectFile(
    request.rejectsFile ?? join(place.directory ?? '.', 'rejects', `${timestamp(clock)}.csv`),
  );
  const hasRejectsFile = request.rejectsFile !== undefined || !isStoreMissing;
  const summary = await importHistory(request.sources, request, {
    history,
    universe,
    actions: new CorporateActions(actions),
    clock,
    stdin: request.stdin,
    rejects: hasRejectsFile ? rejects : { add: () => undefined },
    ...(request.onProgress !== undefined && { onProgress: request.onProgress }),
    ...(request.onFile !== undefined && { onFile: request.onFile }),
  });
  const rejectsFile = rejects.count > 0 ? rejects.path : undefined;
  return { summary, rejectsFile, isStoreMissing, storeName: place.name };
}

/** The destination of an import. */
interface ImportTarget extends AsyncDisposable {
  readonly history: HistoryWriter;
  readonly actions: readonly CorporateAction[];
  readonly isStoreMissing: boolean;
}

async function openForWriting(place: StorePlace): Promise<ImportTarget> {
  await using cleanUp = new AsyncDisposableStack();
  const store = cleanUp.use(await place.open({ mode: 'create' }));
  const { actions } = await store.actions.readAll();
  const running = cleanUp.move();
  return {
    history: store.history,
    actions,
    isStoreMissing: false,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function openTrial(place: StorePlace): Promise<ImportTarget> {
  await using cleanUp = new AsyncDisposableStack();
  const stored = await openExisting(place);
  if (stored !== undefined) cleanUp.use(stored);
  const scratchDirectory = await mkdtemp(join(tmpdir(), 'pizarra-trial-'));
  cleanUp.defer(() => rm(scratchDirectory, { recursive: true, force: true }));
  const scratch = cleanUp.use(await openPlace(scratchDirectory).open({ mode: 'create' }));
  const { actions } = await (stored ?? scratch).actions.readAll();
  const running = cleanUp.move();
  return {
    history: trialHistory(stored?.history, scratch.history),
    actions,
    isStoreMissing: stored === undefined,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The time as part of a file name that sorts by time: `20260228T173000Z`. */
function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}
