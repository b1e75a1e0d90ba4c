import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { ApiKeyRecord } from '../../../domain/access/api-key.ts';
import type { KeyEvent } from '../../../domain/access/key-change.ts';
import type { KeyStore } from '../../contract/key-store.ts';
import { fromKeyRow, keyColumns, type KeyRow } from '../../encoding/key-row.ts';
import { soundNumber, withFaults } from '../file/sqlite-fault.ts';
import { hashOfEvent, hashOfKey, type EventRow } from '../seals/set-hash.ts';
import { SetSeal } from '../seals/set-seal.ts';
import { Snapshot } from '../seals/snapshot.ts';

/** Reads committed API keys and their audit log, and compares them with their seals. */
export class SqliteKeyReader implements Pick<KeyStore, 'readAll' | 'revision' | 'readEvents'> {
  readonly #path: string;
  readonly #all: StatementSync;
  readonly #revision: StatementSync;
  readonly #events: StatementSync;
  readonly #eventsOfKey: StatementSync;
  readonly #snapshot: Snapshot;
  readonly #keySeal: SetSeal;
  readonly #eventSeal: SetSeal;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#snapshot = new Snapshot(database);
    this.#keySeal = new SetSeal(database, path, 'keys');
    this.#eventSeal = new SetSeal(database, path, 'key events');
    this.#all = database.prepare(`SELECT ${keyColumns.join(', ')} FROM api_keys ORDER BY position`);
    this.#revision = database.prepare(`SELECT value FROM revisions WHERE subject = 'keys'`);
    const events = 'SELECT at, who, what, key_id, detail FROM key_events';
    this.#events = database.prepare(`${events} ORDER BY position DESC LIMIT ?`);
    this.#eventsOfKey = database.prepare(
      `${events} WHERE key_id = ? ORDER BY position DESC LIMIT ?`,
    );
  }

  async readAll(): Promise<{ readonly revision: number; readonly keys: readonly ApiKeyRecord[] }> {
    return this.#read(() => {
      const revision = soundNumber(this.#path, this.#revision.get());
      const rows = this.#all.all() as unknown as readonly KeyRow[];
      this.#keySeal.verify(rows.map(hashOfKey));
      return { revision, keys: rows.map((row) => fromKeyRow(this.#path, row)) };
    });
  }

  async revision(): Promise<number> {
    const row = withFaults(this.#path, () => this.#revision.get());
    return soundNumber(this.#path, row);
  }

  async readEvents({
    max,
    keyId,
  }: {
    readonly max: number;
    readonly keyId?: string;
  }): Promise<readonly KeyEvent[]> {
    const rows = this.#read(() => {
      if (keyId !== undefined) return this.#eventsOfKey.all(keyId, max);
      const all = this.#events.all(max);
      // Only the whole log can be compared.
      if (all.length < max) {
        this.#eventSeal.verify((all as unknown as readonly EventRow[]).map(hashOfEvent));
      }
      return all;
    }) as unknown as readonly EventRow[];
    return rows
      .map(([at, who, what, id, detail]) => ({ at, who, what, keyId: id, detail }))
      .toReversed();
  }

  #read<T>(read: () => T): T {
    return withFaults(this.#path, () => this.#snapshot.run(read));
  }
}
