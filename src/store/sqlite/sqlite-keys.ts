import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

import type { ApiKeyRecord, KeyScope } from '../../domain/api-key.ts';
import type { KeyStore } from '../key-store.ts';
import { readOnlyFault, soundNumber, withFaults } from './sqlite-fault.ts';
import type { SqliteWriter } from './sqlite-writer.ts';

type KeyRow = readonly [string, string, KeyScope, string, number, number | null, number | null];

/** Keeps API keys: reads through one connection, writes through the writer's. */
export class SqliteKeyStore implements KeyStore {
  readonly #path: string;
  readonly #writer: SqliteWriter | undefined;
  readonly #all: StatementSync;
  readonly #revision: StatementSync;

  /** Without a writer the keys can only be read. */
  constructor(path: string, reader: DatabaseSync, writer?: SqliteWriter) {
    this.#path = path;
    this.#writer = writer;
    this.#all = reader.prepare(`
      SELECT id, name, scope, sha256, created_at, expires_at, revoked_at
      FROM api_keys ORDER BY position`);
    this.#revision = reader.prepare(`SELECT value FROM revisions WHERE subject = 'keys'`);
  }

  async readAll(): Promise<{ readonly revision: number; readonly keys: readonly ApiKeyRecord[] }> {
    // The revision is read first: keys that come in between are then read once more, not missed.
    const revision = await this.revision();
    const rows = withFaults(this.#path, () => this.#all.all()) as unknown as readonly KeyRow[];
    return { revision, keys: rows.map((row) => fromKeyRow(row)) };
  }

  async revision(): Promise<number> {
    const row = withFaults(this.#path, () => this.#revision.get());
    return soundNumber(this.#path, row);
  }

  async insert(key: ApiKeyRecord): Promise<void> {
    await this.#change(
      `INSERT INTO api_keys (id, name, scope, sha256, created_at, expires_at, revoked_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [
        key.id,
        key.name,
        key.scope,
        key.sha256,
        key.createdAt,
        key.expiresAt ?? null,
        key.revokedAt ?? null,
      ],
    );
  }

  revoke(id: string, at: number): Promise<boolean> {
    // The instant of the first revocation stands.
    return this.#change('UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?', [
      at,
      id,
    ]);
  }

  /** Gives whether the statement found a row to change. */
  async #change(sql: string, parameters: readonly SQLInputValue[]): Promise<boolean> {
    const writer = this.#writer;
    if (writer === undefined) throw readOnlyFault(this.#path);
    return writer.transaction(() =>
      withFaults(this.#path, () => {
        const { changes } = writer.database.prepare(sql).run(...parameters);
        if (changes === 0) return false;
        writer.database.exec(`UPDATE revisions SET value = value + 1 WHERE subject = 'keys'`);
        return true;
      }),
    );
  }
}

function fromKeyRow([
  id,
  name,
  scope,
  sha256,
  createdAt,
  expiresAt,
  revokedAt,
]: KeyRow): ApiKeyRecord {
  return {
    id,
    name,
    scope,
    sha256,
    createdAt,
    ...(expiresAt === null ? {} : { expiresAt }),
    ...(revokedAt === null ? {} : { revokedAt }),
  };
}
