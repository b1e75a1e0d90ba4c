import type { ApiKeyRecord, KeyLabels, KeyScope } from '../../domain/access/api-key.ts';
import {
  applyKeyChange,
  detailOf,
  type ChangeNote,
  type KeyChange,
  type KeyEvent,
} from '../../domain/access/key-change.ts';
import { formatAllowance, parseAllowance } from '../../domain/access/rate-limit.ts';
import type { KeyChangeOutcome, KeyStore } from '../contract/key-store.ts';
import { StoreFault, damaged } from '../contract/store-fault.ts';
import {
  namesOf,
  readRevision,
  type Columns,
  type Reader,
  type Row,
  type Transaction,
  type Writer,
} from '../sql/sql.ts';

/** A key without its last use, which is stored often and not sealed: nothing that matters is lost with it. */
const sealedColumns: Columns = {
  id: 'text',
  name: 'text',
  scope: 'text',
  sha256: 'text',
  created_at: 'big',
  expires_at: 'big?',
  revoked_at: 'big?',
  disabled_at: 'big?',
  labels: 'text?',
  plan: 'text?',
  rate_limit: 'text?',
  replaces: 'text?',
  family: 'text?',
};

const keyColumns: Columns = { ...sealedColumns, last_used_at: 'big?' };

const eventColumns: Columns = {
  at: 'big',
  who: 'text',
  what: 'text',
  key_id: 'text',
  detail: 'text',
};

/** The keys, in the order in which they were created. A key has at most one replacement that is not revoked. */
export const keyTable = {
  subject: 'keys',
  name: 'api_keys',
  columns: keyColumns,
  sealed: sealedColumns,
  unique: ['id', 'sha256'],
  indexes: `CREATE UNIQUE INDEX api_keys_by_replaced ON api_keys (replaces)
    WHERE replaces IS NOT NULL AND revoked_at IS NULL;`,
} as const;

/** The audit log. */
export const eventTable = {
  subject: 'key events',
  name: 'key_events',
  columns: eventColumns,
  sealed: eventColumns,
  indexes: 'CREATE INDEX key_events_by_key ON key_events (key_id, position);',
} as const;

/** Reads committed API keys and their audit log. */
export class KeyReader implements Pick<KeyStore, 'readAll' | 'revision' | 'readEvents'> {
  readonly #sql: Reader;

  constructor(sql: Reader) {
    this.#sql = sql;
  }

  revision(): Promise<number> {
    return this.#sql.revision('keys');
  }

  async readAll(): Promise<{ readonly revision: number; readonly keys: readonly ApiKeyRecord[] }> {
    // The revision is read first, so keys that are added in between are read again rather than missed.
    const revision = await readRevision(this.#sql, 'keys');
    const rows = await this.#sql.all(
      `SELECT ${namesOf(keyColumns)} FROM api_keys ORDER BY position`,
      [],
      (all, seals) => seals.table(keyTable.subject, all.map(sealedPart)),
    );
    return { revision, keys: rows.map((row) => fromRow(this.#sql.where, row)) };
  }

  async readEvents({
    max,
    keyId,
  }: Parameters<KeyStore['readEvents']>[0]): Promise<readonly KeyEvent[]> {
    const [filter, values] =
      keyId === undefined ? ['', [max]] : ['WHERE key_id = $2', [max, keyId]];
    const rows = await this.#sql.all<readonly [number, string, KeyEvent['what'], string, string]>(
      `SELECT ${namesOf(eventColumns)} FROM key_events ${filter} ORDER BY position DESC LIMIT $1`,
      values,
      (found, seals) => {
        // Only the whole log can be compared.
        if (keyId === undefined && found.length < max) seals.table(eventTable.subject, found);
      },
    );
    return rows
      .map(([at, who, what, id, detail]) => ({ at, who, what, keyId: id, detail }))
      .toReversed();
  }
}

/**
 * Writes API keys. Every change increases the revision of the keys and adds a line to the audit log, in the same
 * transaction.
 */
export class KeyWriter implements Pick<
  KeyStore,
  'insert' | 'change' | 'rotate' | 'restore' | 'noteUses'
> {
  readonly #sql: Writer;

  constructor(sql: Writer) {
    this.#sql = sql;
  }

  insert(key: ApiKeyRecord, who: string): Promise<void> {
    return this.#transaction(async (sql) => {
      await add(sql, [key]);
      const note = { at: key.createdAt, who };
      await log(sql, [{ ...note, what: 'create', keyId: key.id, detail: key.name }]);
    });
  }

  change(id: string, change: KeyChange, note: ChangeNote): Promise<KeyChangeOutcome> {
    return this.#transaction((sql) => this.#change(sql, id, { change, note }));
  }

  rotate(...[key, oldEndsAt, who]: Parameters<KeyStore['rotate']>): ReturnType<KeyStore['rotate']> {
    const note = { at: key.createdAt, who };
    const change = { type: 'set-end', expiresAt: oldEndsAt } as const;
    return this.#transaction(async (sql) => {
      const old = await this.#change(sql, key.replaces, { change, note });
      if (old === 'unknown' || old === 'revoked') return old;
      await add(sql, [key]);
      const detail = `replaces ${key.replaces}`;
      await log(sql, [{ ...note, what: 'rotate', keyId: key.id, detail }]);
      return 'changed';
    });
  }

  restore({ keys, events }: Parameters<KeyStore['restore']>[0]): Promise<void> {
    return this.#transaction(async (sql) => {
      const found = await sql.all(
        'SELECT 1 FROM api_keys UNION ALL SELECT 1 FROM key_events LIMIT 1',
      );
      if (found.length > 0) throw new StoreFault('conflict', `${this.#sql.where} has keys already`);
      await add(sql, keys);
      await log(sql, events);
    });
  }

  async noteUses(uses: Parameters<KeyStore['noteUses']>[0]): Promise<void> {
    const latest = new Map<string, number>();
    for (const { id, at } of uses) latest.set(id, Math.max(at, latest.get(id) ?? at));
    await this.#sql.batch(
      { id: 'text', at: 'big' },
      [...latest],
      (given) => `UPDATE api_keys SET last_used_at = given.at FROM ${given}
        WHERE api_keys.id = given.id AND coalesce(last_used_at, given.at - 1) < given.at`,
    );
  }

  async #change(
    sql: Transaction,
    id: string,
    { change, note }: { readonly change: KeyChange; readonly note: ChangeNote },
  ): Promise<KeyChangeOutcome> {
    const text = `SELECT ${namesOf(keyColumns)} FROM api_keys WHERE id = $1`;
    const [row] = await sql.all(text, [id]);
    if (row === undefined) return 'unknown';
    const key = fromRow(this.#sql.where, row);
    if (key.revokedAt !== undefined) return 'revoked';
    const changed = applyKeyChange(key, change, note.at);
    if (changed === key) return 'unchanged';
    // Not the last use, which another process may note meanwhile.
    const settings = Object.keys(sealedColumns).map((name) => `${name} = given.${name}`);
    const after = sealedPart(toRow(changed));
    await sql.batch(
      sealedColumns,
      [after],
      (given) =>
        `UPDATE api_keys SET ${settings.join(', ')} FROM ${given} WHERE api_keys.id = given.id`,
    );
    await sql.seal(keyTable.subject, { added: [after], removed: [sealedPart(row)] });
    await log(sql, [{ ...note, what: change.type, keyId: id, detail: detailOf(change) }]);
    return 'changed';
  }

  #transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
    return this.#sql.transaction(async (sql) => {
      // Each change of keys adds an event. The keys themselves are not locked: their uses are noted between commits of
      // quotes, which must not wait for a slow program that changes a key.
      await sql.lock(eventTable.name);
      return work(sql);
    });
  }
}

async function add(sql: Transaction, keys: readonly ApiKeyRecord[]): Promise<void> {
  const rows = keys.map(toRow);
  await sql.insert(keyTable.name, keyColumns, rows);
  await sql.seal(keyTable.subject, { added: rows.map(sealedPart) });
}

/** Adds lines to the audit log and increases the revision. */
async function log(sql: Transaction, events: readonly KeyEvent[]): Promise<void> {
  const rows = events.map(({ at, who, what, keyId, detail }) => [at, who, what, keyId, detail]);
  await sql.insert(eventTable.name, eventColumns, rows);
  await sql.seal(eventTable.subject, { added: rows });
  await sql.raise('keys');
}

function sealedPart(row: Row): Row {
  return row.slice(0, -1);
}

function toRow(key: ApiKeyRecord): Row {
  return [
    key.id,
    key.name,
    key.scope,
    key.sha256,
    key.createdAt,
    key.expiresAt ?? null,
    key.revokedAt ?? null,
    key.disabledAt ?? null,
    key.labels === undefined ? null : JSON.stringify(key.labels),
    key.plan ?? null,
    key.limit === undefined ? null : formatAllowance(key.limit),
    key.replaces ?? null,
    key.family ?? null,
    key.lastUsedAt ?? null,
  ];
}

/** @throws StoreFault `corrupt` when the row has labels or a limit that the program cannot have written. */
function fromRow(where: string, row: Row): ApiKeyRecord {
  const [id, name, scope, sha256, createdAt, ...optional] = row;
  const [expiresAt, revokedAt, disabledAt, labels, plan, limit, replaces, family, lastUsedAt] =
    optional;
  const settings = {
    expiresAt,
    revokedAt,
    disabledAt,
    labels: typeof labels === 'string' ? labelsIn(where, labels) : null,
    plan,
    limit: typeof limit === 'string' ? allowanceIn(where, limit) : null,
    replaces,
    family,
    lastUsedAt,
  };
  const present = Object.entries(settings).filter(([, value]) => value !== null);
  return {
    id: id as string,
    name: name as string,
    scope: scope as KeyScope,
    sha256: sha256 as string,
    createdAt: createdAt as number,
    ...(Object.fromEntries(present) as Partial<ApiKeyRecord>),
  };
}

function labelsIn(where: string, text: string): KeyLabels {
  try {
    return JSON.parse(text) as KeyLabels;
  } catch (cause) {
    throw damaged(where, 'the labels of a key are not valid', cause);
  }
}

function allowanceIn(where: string, text: string): NonNullable<ApiKeyRecord['limit']> {
  const allowance = parseAllowance(text);
  if (allowance === undefined) throw damaged(where, 'the rate limit of a key is not valid');
  return allowance;
}
