import type { ApiKeyRecord } from '../../../domain/access/api-key.ts';
import {
  applyKeyChange,
  detailOf,
  type ChangeNote,
  type KeyChange,
  type KeyEvent,
} from '../../../domain/access/key-change.ts';
import type { KeyChangeOutcome, KeyContent, KeyUse } from '../../contract/key-store.ts';
import { fromKeyRow, keyColumns, toKeyRow, type KeyRow } from '../../encoding/key-row.ts';
import { StoreFault } from '../../contract/store-fault.ts';
import { soundNumber, withFaults } from '../file/sqlite-fault.ts';
import { hashOfEvent, hashOfKey, type EventRow } from '../seals/set-hash.ts';
import { SetSeal } from '../seals/set-seal.ts';
import type { SqliteWriter } from './sqlite-writer.ts';
import type { KeyWriter } from './write-side.ts';

const columns = keyColumns.join(', ');
const marks = keyColumns.map(() => '?').join(', ');
const settings = keyColumns.map((column) => `${column} = ?`).join(', ');

/**
 * Writes API keys. Every change increases the revision of the keys and adds a line to the audit log, in
 * the same transaction.
 */
export class SqliteKeyWriter implements KeyWriter {
  readonly #writer: SqliteWriter;
  readonly #path: string;
  readonly #keySeal: SetSeal;
  readonly #eventSeal: SetSeal;

  constructor(writer: SqliteWriter, path: string) {
    this.#writer = writer;
    this.#path = path;
    this.#keySeal = new SetSeal(writer.database, path, 'keys');
    this.#eventSeal = new SetSeal(writer.database, path, 'key events');
  }

  insert(key: ApiKeyRecord, who: string): Promise<void> {
    return this.#transaction(() => {
      this.#add(key);
      this.#log({ at: key.createdAt, who, what: 'create', keyId: key.id, detail: key.name });
    });
  }

  change(id: string, change: KeyChange, note: ChangeNote): Promise<KeyChangeOutcome> {
    return this.#transaction(() => this.#change(id, change, note));
  }

  rotate(
    key: ApiKeyRecord & { readonly replaces: string },
    oldEndsAt: number,
    who: string,
  ): Promise<KeyChangeOutcome> {
    const note = { at: key.createdAt, who };
    return this.#transaction(() => {
      const old = this.#find(key.replaces);
      if (old === undefined) return 'unknown';
      if (old.revokedAt !== undefined) return 'revoked';
      this.#change(old.id, { type: 'set-end', expiresAt: oldEndsAt }, note);
      this.#add(key);
      this.#log({ ...note, what: 'rotate', keyId: key.id, detail: `replaces ${old.id}` });
      return 'changed';
    });
  }

  restore({ keys, events }: KeyContent): Promise<void> {
    return this.#transaction(() => {
      const { database } = this.#writer;
      const found = database
        .prepare('SELECT EXISTS (SELECT 1 FROM api_keys) + EXISTS (SELECT 1 FROM key_events)')
        .get();
      if (soundNumber(this.#path, found) > 0) {
        throw new StoreFault('conflict', `${this.#path} has keys already`);
      }
      for (const key of keys) this.#add(key);
      for (const event of events) this.#log(event);
    });
  }

  noteUses(uses: readonly KeyUse[]): Promise<void> {
    return this.#transaction(() => {
      const statement = this.#writer.database.prepare(
        'UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, ?1), ?1) WHERE id = ?2',
      );
      for (const { id, at } of uses) statement.run(at, id);
    });
  }

  #change(id: string, change: KeyChange, note: ChangeNote): KeyChangeOutcome {
    const row = this.#findRow(id);
    if (row === undefined) return 'unknown';
    const key = fromKeyRow(this.#path, row);
    if (key.revokedAt !== undefined) return 'revoked';
    const changed = applyKeyChange(key, change, note.at);
    if (changed === key) return 'unchanged';
    const newRow = toKeyRow(changed);
    this.#writer.database
      .prepare(`UPDATE api_keys SET ${settings} WHERE id = ?`)
      .run(...newRow, id);
    this.#keySeal.remove([hashOfKey(row)]);
    this.#keySeal.add([hashOfKey(newRow)]);
    this.#log({ ...note, what: change.type, keyId: id, detail: detailOf(change) });
    return 'changed';
  }

  #find(id: string): ApiKeyRecord | undefined {
    const row = this.#findRow(id);
    return row === undefined ? undefined : fromKeyRow(this.#path, row);
  }

  #findRow(id: string): KeyRow | undefined {
    return this.#writer.database
      .prepare(`SELECT ${columns} FROM api_keys WHERE id = ?`)
      .get(id) as unknown as KeyRow | undefined;
  }

  #add(key: ApiKeyRecord): void {
    const row = toKeyRow(key);
    this.#writer.database
      .prepare(`INSERT INTO api_keys (${columns}) VALUES (${marks})`)
      .run(...row);
    this.#keySeal.add([hashOfKey(row)]);
  }

  /** Adds a line to the audit log and increases the revision. */
  #log({ at, who, what, keyId, detail }: KeyEvent): void {
    const { database } = this.#writer;
    const row: EventRow = [at, who, what, keyId, detail];
    database
      .prepare('INSERT INTO key_events (at, who, what, key_id, detail) VALUES (?, ?, ?, ?, ?)')
      .run(...row);
    this.#eventSeal.add([hashOfEvent(row)]);
    database.exec(`UPDATE revisions SET value = value + 1 WHERE subject = 'keys'`);
  }

  #transaction<T>(work: () => T): Promise<T> {
    return this.#writer.transaction(() => withFaults(this.#path, work));
  }
}
