import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CorporateAction } from '../../domain/history/corporate-action.ts';
import { CorporateActions } from '../../domain/history/corporate-actions.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { importHistory, type ImportDependencies, type ImportStore } from '../../import/importer.ts';
import type { ImportOptions } from '../../import/refusals/import-refusal.ts';
import { acceptedIn } from '../../import/reports/import-summary.ts';
import { RejectFile } from '../../import/reports/reject-file.ts';
import type { CloseReader, HistoryWriter } from '../../store/contract/history-store.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import { callMethod, mapMethods, type Store } from '../../store/contract/store.ts';
import { openPlace } from '../../node/place/open-place.ts';
import { hasStoredData } from '../../node/market/has-stored-data.ts';
import { requireUniverse } from '../../node/market/require-universe.ts';
import { hasDemonstration, openExisting } from '../store/open-existing.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';

/**
 * Imports into the store of an installation. A service may run on the same data directory. It sees each
 * file as a whole, after its import. A dry run changes nothing, and creates nothing if no store exists.
 *
 * @param request.sources files, directories, and `-` for standard input
 * @param request.rejectsFile by default a new file in `rejects/` of the data directory, or of the working directory if
 *   the store has none
 * @returns also the file of rejected rows, unless it has none, and whether the demonstration of this store ends
 * @throws {OperatorFault} when the universe has faults.
 * @throws {StoreFault} when the store cannot be opened or written.
 */
export async function runImport(
  request: ImportOptions &
    Pick<ImportDependencies, 'stdin' | 'onProgress' | 'onFile'> & {
      readonly sources: readonly string[];
      readonly storeAt: string;
      readonly universeDirectory: string;
      readonly rejectsFile?: string | undefined;
    },
) {
  const universe = await requireUniverse(request.universeDirectory);
  await using place = openPlace(request.storeAt);
  await using target = await (request.dryRun === true ? openTrial : openForWriting)(place);
  const { store, actions, isStoreMissing, isFirstData } = target;
  const name = `${new Date(systemClock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')}.csv`;
  using rejects = new RejectFile(
    request.rejectsFile ?? join(place.directory ?? '.', 'rejects', name),
  );
  const hasRejectsFile = request.rejectsFile !== undefined || !isStoreMissing;
  const summary = await importHistory(request.sources, request, {
    ...request,
    store,
    universe,
    actions: new CorporateActions(actions),
    clock: systemClock,
    rejects: hasRejectsFile ? rejects : { add: () => undefined },
  });
  const rejectsFile = rejects.count > 0 ? rejects.path : undefined;
  const endsDemonstration =
    isFirstData && acceptedIn(summary.totals) > 0 && (await hasDemonstration(place));
  return { summary, rejectsFile, isStoreMissing, endsDemonstration, storeName: place.name };
}

/** The destination of an import. */
interface ImportTarget extends AsyncDisposable {
  readonly store: ImportStore;
  readonly actions: readonly CorporateAction[];
  /** Whether no store exists, so that a dry run compares with an empty one. */
  readonly isStoreMissing: boolean;
  /** Whether accepted closes are the first real data. Never in a dry run, which stores nothing. */
  readonly isFirstData: boolean;
}

/** A store is opened for writing when the rows of a first file are read: a wrong path creates nothing. */
async function openForWriting(place: StorePlace): Promise<ImportTarget> {
  const stored = await openExisting(place);
  const actions = (await stored?.actions.readAll())?.actions ?? [];
  const isFirstData = stored === undefined || !(await hasStoredData(stored));
  await stored?.[Symbol.asyncDispose]();
  let opening: Promise<Store> | undefined;
  const opened = (): Promise<Store> => (opening ??= place.open({ mode: 'create' }));
  return {
    store: mapMethods(
      (method) =>
        async (...args) =>
          callMethod(await opened(), method, args),
    ),
    actions,
    isStoreMissing: false,
    isFirstData,
    // A failure to open it was thrown already.
    [Symbol.asyncDispose]: async () =>
      (await opening?.catch(() => undefined))?.[Symbol.asyncDispose](),
  };
}

async function openTrial(place: StorePlace): Promise<ImportTarget> {
  await using cleanUp = new AsyncDisposableStack();
  const stored = await openExisting(place);
  if (stored !== undefined) cleanUp.use(stored);
  const scratchDirectory = await mkdtemp(join(tmpdir(), 'pizarra-trial-'));
  cleanUp.defer(() => rm(scratchDirectory, { recursive: true, force: true }));
  const scratch = cleanUp.use(await openPlace(scratchDirectory).open({ mode: 'create' }));
  const read = stored ?? scratch;
  const { actions } = await read.actions.readAll();
  const running = cleanUp.move();
  return {
    store: {
      actions: read.actions,
      indices: read.indices,
      terms: read.terms,
      memory: read.memory,
      history: trialHistory(stored?.history, scratch.history),
    },
    actions,
    isStoreMissing: stored === undefined,
    isFirstData: false,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/**
 * The history of a dry run. It reads the stored closes, and writes to a scratch store. A dry run
 * neither changes the store nor holds its lock, for which a running service would wait.
 *
 * @param stored absent if no store exists.
 */
export function trialHistory(
  stored: CloseReader | undefined,
  scratch: HistoryWriter,
): HistoryWriter {
  return {
    transaction: (work, stamp) =>
      scratch.transaction(
        (transaction) =>
          work({
            put: (ticker, closes) => transaction.put(ticker, closes),
            restore: (ticker, versions) => transaction.restore(ticker, versions),
            read: async (ticker, range) =>
              overlaid(
                (await stored?.readCloses(ticker, range)) ?? [],
                await transaction.read(ticker, range),
              ),
          }),
        stamp,
      ),
  };
}

/** Both lists of closes, ascending. A close of the second list replaces that of the same day. */
function overlaid(
  before: readonly DailyClose[],
  after: readonly DailyClose[],
): readonly DailyClose[] {
  if (after.length === 0) return before;
  const byDay = new Map([...before, ...after].map((close) => [close.day, close]));
  return [...byDay.values()].sort((a, b) => a.day - b.day);
}
