import type { SQLInputValue } from 'node:sqlite';

import type { ApiKeyRecord } from '../../domain/api-key.ts';
import { withFaults } from './sqlite-fault.ts';
import type { SqliteWriter } from './sqlite-writer.ts';
import type { KeyWriter } from './write-side.ts';

/** Writes API keys; every change raises the revision of the keys. */
export class SqliteKeyWriter implements KeyWriter {
  readonly #writer: SqliteWriter;
  readonly #path: string;

  constructor(writer: SqliteWriter, path: string) {
    this.#writer = writer;
    this.#path = path;
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
  #change(sql: string, parameters: readonly SQLInputValue[]): Promise<boolean> {
    const { database } = this.#writer;
    return this.#writer.transaction(() =>
      withFaults(this.#path, () => {
        const { changes } = database.prepare(sql).run(...parameters);
        if (changes === 0) return false;
        database.exec(`UPDATE revisions SET value = value + 1 WHERE subject = 'keys'`);
        return true;
      }),
    );
  }
}
