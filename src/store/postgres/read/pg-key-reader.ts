import type { ApiKeyRecord } from '../../../domain/access/api-key.ts';
import type { KeyEvent } from '../../../domain/access/key-change.ts';
import { fromKeyRow, keyColumns, type KeyRow } from '../../encoding/key-row.ts';
import type { KeyStore } from '../../contract/key-store.ts';
import type { Link } from '../connection/link.ts';
import type { Heads } from '../watch/heads.ts';
import { readRevision } from './read-revision.ts';

type EventRow = readonly [number, string, KeyEvent['what'], string, string];

/** Reads committed API keys and their audit log. */
export class PgKeyReader implements Pick<KeyStore, 'readAll' | 'revision' | 'readEvents'> {
  readonly #link: Link;
  readonly #heads: Heads;

  constructor(link: Link, heads: Heads) {
    this.#link = link;
    this.#heads = heads;
  }

  async readAll(): Promise<{ readonly revision: number; readonly keys: readonly ApiKeyRecord[] }> {
    // The revision is read first, so keys that are added in between are read again rather than missed.
    const revision = await readRevision(this.#link, 'keys');
    const rows = await this.#link.query<KeyRow>({
      name: 'keys',
      text: `SELECT ${keyColumns.join(', ')} FROM api_keys ORDER BY position`,
    });
    return { revision, keys: rows.map((row) => fromKeyRow(this.#link.where, row)) };
  }

  async revision(): Promise<number> {
    return this.#heads.current('keys') ?? readRevision(this.#link, 'keys');
  }

  async readEvents({
    max,
    keyId,
  }: {
    readonly max: number;
    readonly keyId?: string;
  }): Promise<readonly KeyEvent[]> {
    const rows = await this.#link.query<EventRow>(
      {
        name: 'key-events',
        text: `SELECT at, who, what, key_id, detail FROM key_events
          WHERE $2::text IS NULL OR key_id = $2 ORDER BY position DESC LIMIT $1`,
      },
      [max, keyId ?? null],
    );
    return rows
      .map(([at, who, what, id, detail]) => ({ at, who, what, keyId: id, detail }))
      .toReversed();
  }
}
