import { join } from 'node:path';
import { systemClock } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { dateFormats } from '../import/date-format.ts';
import type { DateFormat } from '../import/date-format.ts';
import { importHistory } from '../import/importer.ts';
import type { ImportOptions, ImportProgress } from '../import/importer.ts';
import type {
  FileResult,
  ImportCounts,
  ImportSummary,
  SuspiciousClose,
} from '../import/import-summary.ts';
import { RejectFile } from '../import/reject-file.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { requireUniverse } from './require-universe.ts';

export type { FileResult, ImportCounts, ImportProgress, ImportSummary, SuspiciousClose };

/** What `--date-format` may say. */
export const importDateFormats: readonly DateFormat[] = dateFormats;

/** An import as the operator asked for it. */
export interface ImportRequest extends ImportOptions {
  /** Files, directories, and `-` for standard input. */
  readonly sources: readonly string[];
  readonly dataDirectory: string;
  readonly universeDirectory: string;
  /** Where rejected rows go; by default a new file under `rejects/` of the data directory. */
  readonly rejectsFile?: string;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly clock?: Clock;
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly onFile?: (result: FileResult) => void;
}

/** What came of it. */
export interface ImportOutcome {
  readonly summary: ImportSummary;
  /** The file of rejected rows; undefined when there were none. */
  readonly rejectsFile: string | undefined;
}

/**
 * Opens the store and the universe of an installation and imports into it. A server may be running
 * on the same data directory: it sees each file when it is whole.
 *
 * @throws {OperatorFault} when the universe has faults.
 * @throws {StoreFault} when the store cannot be opened or written.
 */
export async function runImport(request: ImportRequest): Promise<ImportOutcome> {
  const { clock = systemClock, dataDirectory, universeDirectory } = request;
  const universe = await requireUniverse(universeDirectory);
  await using store = await openSqliteStore({ directory: dataDirectory });
  using rejects = new RejectFile(
    request.rejectsFile ?? join(dataDirectory, 'rejects', `${timestamp(clock)}.csv`),
  );
  const summary = await importHistory(request.sources, request, {
    history: store.history,
    universe,
    clock,
    stdin: request.stdin,
    rejects,
    ...(request.onProgress !== undefined && { onProgress: request.onProgress }),
    ...(request.onFile !== undefined && { onFile: request.onFile }),
  });
  return { summary, rejectsFile: rejects.count > 0 ? rejects.path : undefined };
}

/** Now, as a name that sorts by time: `20260228T173000Z`. */
function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}
