import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { pauseInRealTime } from '../../lib/time/pause.ts';
import {
  type WriterNode,
  type ClaimOptions,
  type CopySummary,
  type PlaceFindings,
  type PlaceNotes,
  type PlaceOpenOptions,
  type StorePlace,
  type StoreInspection,
} from '../contract/place.ts';
import type { NodeRegistry } from '../contract/nodes.ts';
import { StoreDamage, StoreFault, type ClaimHolder } from '../contract/store-fault.ts';
import type { Store } from '../contract/store.ts';
import { openReader } from './file/connection.ts';
import { isUnfinishedCopy, markCopy } from './schema/prepare-database.ts';
import { databaseFileName } from './file/database-file.ts';
import { DirectoryNotes } from './file/notes.ts';
import { withFaults } from './file/sqlite-fault.ts';
import { backUpSqliteStore, restoreSqliteStore } from './health/backup.ts';
import { checkPages } from './health/check-pages.ts';
import {
  claimDirectory,
  DirectoryClaim,
  forgetService,
  isServed,
  nodesIn,
  serviceIn,
} from './health/claim-directory.ts';
import { examineDirectory } from './health/examine-directory.ts';
import { inspectSqliteStore } from './health/check-database.ts';
import { openSqliteStore } from './sqlite-store.ts';

/** How often a claim that another process holds is tried again, in milliseconds. */
const claimPollMs = 100;

/**
 * A data directory with a SQLite database. One process at a time serves it, together with its worker
 * processes. The lock of the operating system is the claim, so it is free as soon as its holder ends.
 */
export class SqlitePlace implements StorePlace {
  readonly kind = 'sqlite';
  readonly directory: string;
  readonly nodes: NodeRegistry;
  readonly notes: PlaceNotes;
  readonly damage: StoreDamage;

  constructor(directory: string, damage = new StoreDamage()) {
    this.directory = directory;
    this.damage = damage;
    this.nodes = nodesIn(directory);
    this.notes = new DirectoryNotes(directory);
  }

  get name(): string {
    return this.directory;
  }

  async open({
    mode,
    claim,
    isCopyTarget,
    isResponsive = claim !== undefined,
  }: PlaceOpenOptions): Promise<Store> {
    if (claim !== undefined && !(claim instanceof DirectoryClaim)) {
      throw new Error('the claim is of another kind of place');
    }
    const { directory, damage } = this;
    const options = { directory, mode, claim, damage };
    if (!isResponsive || mode === 'read') return openSqliteStore({ ...options, isCopyTarget });
    return openSqliteStore({ ...options, writer: 'worker' });
  }

  async isUnfinishedCopy(): Promise<boolean> {
    return withFaults(this.#path, () => {
      using database = openReader(this.#path);
      return isUnfinishedCopy(database);
    });
  }

  markCopy(isUnfinished: boolean): Promise<void> {
    return markCopy(this.#path, isUnfinished);
  }

  get #path(): string {
    return join(this.directory, databaseFileName);
  }

  async claim(
    _node: WriterNode,
    { waiting, onHolder }: ClaimOptions = {},
  ): Promise<DirectoryClaim> {
    if (waiting === undefined) return this.#claimNow();
    let shown: ClaimHolder | undefined;
    for (;;) {
      waiting.throwIfAborted();
      try {
        return this.#claimNow({ waitMs: 0 });
      } catch (fault) {
        if (!(fault instanceof StoreFault) || fault.holder === undefined) throw fault;
        if (!isDeepStrictEqual(shown, fault.holder)) onHolder?.(fault.holder);
        shown = fault.holder;
      }
      await pauseInRealTime(claimPollMs, waiting).catch(() => waiting.throwIfAborted());
    }
  }

  #claimNow(options?: { readonly waitMs: number }): DirectoryClaim {
    const claim = claimDirectory(this.directory, options);
    // A killed service has left its record behind.
    forgetService(this.directory);
    return claim;
  }

  async holder(): Promise<ClaimHolder | undefined> {
    return isServed(this.directory) ? serviceIn(this.directory) : undefined;
  }

  async inspect(): Promise<StoreInspection> {
    return inspectSqliteStore(this.directory);
  }

  examine(): Promise<PlaceFindings> {
    return examineDirectory(this.directory);
  }

  check(signal: AbortSignal): Promise<void> {
    return checkPages(this.directory, signal);
  }

  backUp(file: string): Promise<CopySummary> {
    return backUpSqliteStore({ directory: this.directory, file });
  }

  restore(file: string, now: number): Promise<CopySummary> {
    return restoreSqliteStore({ directory: this.directory, file, now });
  }

  acceptInsteadOf(): Promise<string> {
    return Promise.reject(
      new StoreFault(
        'unsupported',
        `${this.name} is a directory: it has no line that another one replaces`,
      ),
    );
  }

  demonstration(): SqlitePlace {
    return new SqlitePlace(join(this.directory, 'demo'), this.damage);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing of its own is open.
  }
}
