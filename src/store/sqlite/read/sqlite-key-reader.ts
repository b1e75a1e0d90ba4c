import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { ApiKeyRecord } from '../../../domain/api-key.ts';
import type { KeyEvent } from '../../../domain/key-change.ts';
import type { KeyStore } from '../../key-store.ts';
import { fromKeyRow, keyColumns } from '../../encoding/key-row.ts';
import type { KeyRow } from '../../encoding/key-row.ts';
import { soundNumber, withFaults } from '../file/sqlite-fault.ts';

type EventRow = readonly [number, string, KeyEvent['what'], string, string];

/** Reads committed API keys and their audit log. */
export class SqliteKeyReader implements Pick<KeyStore, 'readAll' | 'revision' | 'readEvents'> {
  readonly #path: string;
  readonly #all: StatementSync;
  readonly #revision: StatementSync;
  readonly #events: StatementSync;
  readonly #eventsOfKey: StatementSync;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#all = database.prepare(`SELECT ${keyColumns.join(', ')} FROM api_keys ORDER BY position`);
    this.#revision = database.prepare(`SELECT value FROM revisions WHERE subject = 'keys'`);
    const events = 'SELECT at, who, what, key_id, detail FROM key_events';
    this.#events = database.prepare(`${events} ORDER BY position DESC LIMIT ?`);
    this.#eventsOfKey = database.prepare(
      `${events} WHERE key_id = ? ORDER BY position DESC LIMIT ?`,
    );
  }

  async readAll(): Promise<{ readonly revision: number; readonly keys: readonly ApiKeyRecord[] }> {
    // The revision is read first, so keys that are added in between are read again rather than missed.
    const revision = await this.revision();
    const rows = withFaults(this.#path, () => this.#all.all()) as unknown as readonly KeyRow[];
    return { revision, keys: rows.map((row) => fromKeyRow(this.#path, row)) };
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
    const rows = withFaults(this.#path, () =>
      keyId === undefined ? this.#events.all(max) : this.#eventsOfKey.all(keyId, max),
    ) as unknown as readonly EventRow[];
    return rows
      .map(([at, who, what, id, detail]) => ({ at, who, what, keyId: id, detail }))
      .toReversed();
  }
}
