import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { noActions, type CorporateActions } from '../../../src/domain/history/corporate-actions.ts';
import {
  firstEpochDay,
  fromEpochDay,
  lastEpochDay,
  type EpochDay,
} from '../../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import type { Universe } from '../../../src/domain/instruments/universe.ts';
import { importHistory } from '../../../src/import/importer.ts';
import type { ImportOptions } from '../../../src/import/refusals/import-refusal.ts';
import type { ImportSummary, Reject } from '../../../src/import/reports/import-summary.ts';
import { trialStore } from '../../../src/import/trial-store.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { clockAt } from '../../support/market/clock-at.ts';
import { openTestStore } from '../../support/program/test-store.ts';

/** Friday 20 November 2026, 18:00 in Buenos Aires, after the sessions of the day. */
export const fridayEvening = Date.UTC(2026, 10, 20, 21);

/** The options of an import in a test, besides its files. */
export interface ImportSetup {
  readonly universe: Universe;
  readonly now?: number;
  readonly options?: ImportOptions;
  readonly dryRun?: boolean;
  readonly stdin?: Uint8Array;
  readonly actions?: CorporateActions;
}

/** A store and a folder for files. Disposing it removes both. */
export class ImportRig implements AsyncDisposable {
  readonly directory: string;
  readonly store: Store;

  private constructor(directory: string, store: Store) {
    this.directory = directory;
    this.store = store;
  }

  static async open(): Promise<ImportRig> {
    const directory = await mkdtemp(join(tmpdir(), 'pizarra-import-'));
    return new ImportRig(directory, await openTestStore(join(directory, 'data')));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store[Symbol.asyncDispose]();
    await rm(this.directory, { recursive: true });
  }

  /** Writes a file and returns its path. */
  async file(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.directory, 'files', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  }

  async import(
    sources: readonly string[],
    {
      universe,
      now = fridayEvening,
      options = {},
      dryRun = false,
      stdin = new Uint8Array(0),
      actions = noActions,
    }: ImportSetup,
  ): Promise<{ readonly summary: ImportSummary; readonly rejects: readonly Reject[] }> {
    const rejects: Reject[] = [];
    const summary = await importHistory(sources, options, {
      store: dryRun ? trialStore(this.store, this.store) : this.store,
      universe,
      actions,
      clock: clockAt(() => now),
      stdin: Readable.from([stdin], { objectMode: false }),
      onReject: (reject) => void rejects.push(reject),
    });
    return { summary, rejects };
  }

  /** The stored closes of an instrument, `date → close`. */
  async closes(ticker: string): Promise<ReadonlyMap<string, number>> {
    const { days, closes } = await this.store.history.readSeries(ticker as Ticker, {
      from: firstEpochDay,
      to: lastEpochDay,
    });
    return new Map([...days].map((day, at) => [fromEpochDay(day as EpochDay), closes[at] ?? 0]));
  }

  /** The revision of the history. */
  async revision(): Promise<number> {
    return (await this.store.history.changesSince(0)).revision;
  }
}
