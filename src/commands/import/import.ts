import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { flagName } from '../../config/settings/settings.ts';
import { CorporateActions } from '../../domain/history/corporate-actions.ts';
import { dateFormats } from '../../import/cells/date-format.ts';
import { importHistory, type ImportDependencies, type ImportStore } from '../../import/importer.ts';
import type { ImportOptions } from '../../import/refusals/import-refusal.ts';
import {
  SharedAdvice,
  acceptedIn,
  hasFailed,
  isAccepted,
} from '../../import/reports/import-summary.ts';
import { RejectFile } from '../../import/reports/reject-file.ts';
import { trialStore } from '../../import/trial-store.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { hasStoredData } from '../../node/market/has-stored-data.ts';
import { requireUniverse } from '../../node/market/require-universe.ts';
import { openPlace } from '../../node/place/open-place.ts';
import { hasDemonstration, openExisting } from '../../operator/store/open-existing.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import { callMethod, mapMethods, type Store } from '../../store/contract/store.ts';
import { command } from '../form/command.ts';
import { given } from '../form/flags.ts';
import { formatFile, formatProgress, summaryLines } from './import-report.ts';

/** The exit code is 1 if a file was refused, or if nothing was accepted or already known. */
export const importCommand = command({
  name: 'import',
  summary: 'import daily closes from files, directories, archives or standard input (-)',
  args: { sources: ['<SOURCE...>', 'files, directories, .zip and .gz, or - for standard input'] },
  flags: {
    ticker: { value: '<TICKER>', text: 'the instrument, if the file does not name it' },
    suffix: {
      value: '<TEXT>',
      text: 'suffix that turns names into tickers (_US); "" for none',
    },
    column: { value: '<NAME>', text: 'the column with the close' },
    tickerColumn: { value: '<NAME>', text: 'the column with the instrument of each row' },
    dates: { value: '<NAME>', text: 'the column with the dates' },
    dateFormat: { value: '<FORMAT>', text: 'format of the dates', choices: dateFormats },
    sheet: { value: '<NAME>', text: 'the sheet of a workbook, if several have values' },
    zone: {
      value: '<ZONE>',
      text: 'time zone whose days the dates are of, if they are instants',
    },
    decimal: { value: '<SIGN>', text: 'the decimal sign', choices: ['.', ','] },
    actions: { text: 'record columns of dividends and splits as corporate actions' },
    replace: { text: 'replace stored closes also where most of them are on another level' },
    rejects: {
      value: '<FILE>',
      text: 'file for rejected rows (default: <data>/rejects/<time>.csv)',
    },
    dryRun: { text: 'show the result without storing anything' },
    verbose: { text: 'show the counts of every instrument, and all suspicious closes' },
  },
  settings: ['store', 'universe'],
  examples: [
    'pizarra import closes.csv               # columns such as ticker, date, close',
    'pizarra import --ticker GGAL --dry-run ggal.csv',
    'pizarra import --date-format DD/MM/YYYY --decimal , archive.zip',
    'zcat closes.csv.gz | pizarra import -',
  ],
  async run({ args, flags, print, printError, progress, stdin, configuration, onInterrupt }) {
    const { settings } = await configuration();
    const { rejects: rejectsFile, verbose = false, dryRun = false, ...options } = given(flags);
    let imported = 0;
    const shared = new SharedAdvice();
    onInterrupt(() => interruptedText(dryRun ? 0 : imported));
    const outcome = await runImport({
      ...options,
      sources: args.sources,
      storeAt: settings.store,
      universeDirectory: settings.universe,
      stdin,
      rejectsFile,
      dryRun,
      onProgress: (one) => progress(() => formatProgress(one)),
      onFile: (result) => {
        const isStored = isAccepted(result);
        if (isStored) imported += 1;
        const write = isStored ? print : printError;
        write(`${formatFile(result, shared)}\n`);
      },
    });
    const { summary, isStoreMissing, storeName, endsDemonstration } = outcome;
    return {
      sections: [
        ...summaryLines(summary, { rejectsFile: outcome.rejectsFile, verbose, dryRun }),
        ...(endsDemonstration ? demonstrationEnds : []),
      ],
      notes: isStoreMissing
        ? [`There is no store in ${storeName}, so every close counts as new.`]
        : [],
      outcome: hasFailed(summary) ? 'failed' : undefined,
    };
  },
});

const demonstrationEnds = [
  'The demonstration has ended: from now on the service shows only real prices, and no simulated ones.',
  `To see the demonstration again, start a service on another directory: pizarra serve ${flagName('store')} DIR ${flagName('port')} PORT ${flagName('privatePort')} PORT`,
];

/** Each file is stored as a whole, after its last row. */
function interruptedText(imported: number): string {
  if (imported === 0) return 'Interrupted. Nothing was stored.';
  const before = imported === 1 ? '1 file before it is' : `${imported} files before it are`;
  return `Interrupted. Nothing of the file under way was stored; the ${before} stored. To continue, run the same command again.`;
}

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
      readonly dryRun?: boolean;
    },
) {
  const { dryRun = false, onProgress, onFile, stdin } = request;
  const universe = await requireUniverse(request.universeDirectory);
  await using place = openPlace(request.storeAt);
  const { actions, isMissing, isEmpty } = await readStored(place);
  await using open = new AsyncDisposableStack();
  const store = dryRun ? await openTrial(place, open) : openForWriting(place, open);
  const isStoreMissing = dryRun && isMissing;
  const name = `${new Date(systemClock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')}.csv`;
  using rejects = new RejectFile(
    request.rejectsFile ?? join(place.directory ?? '.', 'rejects', name),
  );
  const hasRejectsFile = request.rejectsFile !== undefined || !isStoreMissing;
  const summary = await importHistory(request.sources, request, {
    store,
    universe,
    actions,
    clock: systemClock,
    stdin,
    onReject: (one) => hasRejectsFile && rejects.add(one),
    ...given({ onProgress, onFile }),
  });
  const rejectsFile = rejects.count > 0 ? rejects.path : undefined;
  const isFirstData = !dryRun && isEmpty && acceptedIn(summary.totals) > 0;
  const endsDemonstration = isFirstData && (await hasDemonstration(place));
  return { summary, rejectsFile, isStoreMissing, endsDemonstration, storeName: place.name };
}

/** The recorded actions of a place, whether it has no store, and whether it has no real data. */
async function readStored(place: StorePlace) {
  await using stored = await openExisting(place);
  const { values: actions = [] } = (await stored?.actions.readAll()) ?? {};
  return {
    actions: new CorporateActions(actions),
    isMissing: stored === undefined,
    isEmpty: stored === undefined || !(await hasStoredData(stored)),
  };
}

/** Opens a store for writing when the rows of a first file are read: a wrong path creates nothing. */
function openForWriting(place: StorePlace, open: AsyncDisposableStack): ImportStore {
  let opening: Promise<Store> | undefined;
  // A failure to open it was thrown already.
  open.defer(async () => (await opening?.catch(() => undefined))?.[Symbol.asyncDispose]());
  const opened = (): Promise<Store> => (opening ??= place.open({ mode: 'create' }));
  return mapMethods(
    (method) =>
      async (...args) =>
        callMethod(await opened(), method, args),
  );
}

async function openTrial(place: StorePlace, open: AsyncDisposableStack): Promise<ImportStore> {
  const stored = open.use(await openExisting(place));
  const directory = await mkdtemp(join(tmpdir(), 'pizarra-trial-'));
  open.defer(() => rm(directory, { recursive: true, force: true }));
  const scratch = open.use(await openPlace(directory).open({ mode: 'create' }));
  return trialStore(stored, scratch);
}
