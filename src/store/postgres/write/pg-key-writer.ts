import type { ApiKeyRecord } from '../../../domain/access/api-key.ts';
import {
  applyKeyChange,
  detailOf,
  type ChangeNote,
  type KeyChange,
  type KeyEvent,
} from '../../../domain/access/key-change.ts';
import { fromKeyRow, keyColumns, toKeyRow, type KeyRow } from '../../encoding/key-row.ts';
import type { KeyChangeOutcome, KeyContent, KeyStore, KeyUse } from '../../contract/key-store.ts';
import { StoreFault } from '../../contract/store-fault.ts';
import { int8Array, textArray } from '../session/binary-arrays.ts';
import type { Link } from '../connection/link.ts';
import type { Session } from '../session/session.ts';
import type { Transactions } from '../connection/transactions.ts';

const columns = keyColumns.join(', ');
const marks = keyColumns.map((_, at) => `$${at + 1}`).join(', ');

/**
 * Writes API keys. Every change increases the revision of the keys and adds a line to the audit log, in
 * the same transaction. A changed key is locked until its transaction ends.
 */
export class PgKeyWriter implements Pick<
  KeyStore,
  'insert' | 'change' | 'rotate' | 'restore' | 'noteUses'
> {
  readonly #link: Link;
  readonly #transactions: Transactions;
  readonly #channel: string;

  constructor(own: {
    readonly link: Link;
    readonly transactions: Transactions;
    readonly channel: string;
  }) {
    this.#link = own.link;
    this.#transactions = own.transactions;
    this.#channel = own.channel;
  }

  insert(key: ApiKeyRecord, who: string): Promise<void> {
    return this.#transactions.run(async (session) => {
      await add(session, key);
      const note = { at: key.createdAt, who };
      await this.#log(session, { ...note, what: 'create', keyId: key.id, detail: key.name });
    });
  }

  change(id: string, change: KeyChange, note: ChangeNote): Promise<KeyChangeOutcome> {
    return this.#transactions.run((session) => this.#change(session, id, { change, note }));
  }

  rotate(
    key: ApiKeyRecord & { readonly replaces: string },
    oldEndsAt: number,
    who: string,
  ): Promise<KeyChangeOutcome> {
    const note = { at: key.createdAt, who };
    const change = { type: 'set-end', expiresAt: oldEndsAt } as const;
    return this.#transactions.run(async (session) => {
      const old = await this.#find(session, key.replaces);
      if (old === undefined) return 'unknown';
      if (old.revokedAt !== undefined) return 'revoked';
      await this.#change(session, old.id, { change, note });
      await add(session, key);
      const detail = `replaces ${old.id}`;
      await this.#log(session, { ...note, what: 'rotate', keyId: key.id, detail });
      return 'changed';
    });
  }

  restore({ keys, events }: KeyContent): Promise<void> {
    return this.#transactions.run(async (session) => {
      // No other transaction adds a key between the check and the end of this one.
      await session.query({ text: 'LOCK TABLE api_keys, key_events IN SHARE ROW EXCLUSIVE MODE' });
      const found = await session.query({
        text: 'SELECT 1 FROM api_keys UNION ALL SELECT 1 FROM key_events LIMIT 1',
      });
      if (found.length > 0)
        throw new StoreFault('conflict', `${this.#link.where} has keys already`);
      for (const key of keys) await add(session, key);
      for (const event of events) await this.#log(session, event);
    });
  }

  async noteUses(uses: readonly KeyUse[]): Promise<void> {
    await this.#link.query(
      {
        name: 'note-uses',
        text: `
          UPDATE api_keys SET last_used_at = uses.at
          FROM (SELECT id, max(at) AS at FROM unnest($1::text[], $2::bigint[]) AS u (id, at) GROUP BY id) AS uses
          WHERE api_keys.id = uses.id AND coalesce(last_used_at, uses.at - 1) < uses.at`,
      },
      [textArray(uses.map(({ id }) => id)), int8Array(uses.map(({ at }) => at))],
    );
  }

  async #change(
    session: Session,
    id: string,
    { change, note }: { readonly change: KeyChange; readonly note: ChangeNote },
  ): Promise<KeyChangeOutcome> {
    const key = await this.#find(session, id);
    if (key === undefined) return 'unknown';
    if (key.revokedAt !== undefined) return 'revoked';
    const changed = applyKeyChange(key, change, note.at);
    if (changed === key) return 'unchanged';
    const text = `UPDATE api_keys SET (${columns}) = (${marks}) WHERE id = $${keyColumns.length + 1}`;
    await session.query({ text }, [...toKeyRow(changed), id]);
    const detail = detailOf(change);
    await this.#log(session, { ...note, what: change.type, keyId: id, detail });
    return 'changed';
  }

  /** Finds a key and locks it. */
  async #find(session: Session, id: string): Promise<ApiKeyRecord | undefined> {
    const [row] = await session.query<KeyRow>(
      { text: `SELECT ${columns} FROM api_keys WHERE id = $1 FOR UPDATE` },
      [id],
    );
    return row === undefined ? undefined : fromKeyRow(this.#link.where, row);
  }

  /** Adds a line to the audit log and increases the revision. Nothing but COMMIT follows the last call. */
  async #log(session: Session, { at, who, what, keyId, detail }: KeyEvent): Promise<void> {
    await session.query(
      {
        text: `
          WITH logged AS (
            INSERT INTO key_events (at, who, what, key_id, detail) VALUES ($1, $2, $3, $4, $5)
          ), raised AS (
            UPDATE revisions SET value = value + 1 WHERE subject = 'keys' RETURNING value
          )
          SELECT pg_notify($6, 'keys') FROM raised`,
      },
      [at, who, what, keyId, detail, this.#channel],
    );
  }
}

async function add(session: Session, key: ApiKeyRecord): Promise<void> {
  const text = `INSERT INTO api_keys (${columns}) VALUES (${marks})`;
  await session.query({ text }, toKeyRow(key));
}
