import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { ApiKeyRecord, KeyScope } from '../../domain/api-key.ts';
import type { KeyStore } from '../key-store.ts';
import { soundNumber, withFaults } from './sqlite-fault.ts';

type KeyRow = readonly [string, string, KeyScope, string, number, number | null, number | null];

/** Reads API keys from a connection that sees what is committed. */
export class SqliteKeyReader implements Pick<KeyStore, 'readAll' | 'revision'> {
  readonly #path: string;
  readonly #all: StatementSync;
  readonly #revision: StatementSync;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#all = database.prepare(`
      SELECT id, name, scope, sha256, created_at, expires_at, revoked_at
      FROM api_keys ORDER BY position`);
    this.#revision = database.prepare(`SELECT value FROM revisions WHERE subject = 'keys'`);
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
