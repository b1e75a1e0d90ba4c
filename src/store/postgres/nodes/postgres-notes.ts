import type { PlaceNotes } from '../../contract/place.ts';
import type { Link } from '../connection/link.ts';
import { quoted } from '../session/quoted.ts';

/** Small texts beside the store, one row each. */
export class PostgresNotes implements PlaceNotes {
  readonly #link: Link;
  readonly #table: string;

  constructor(link: Link, schema: string) {
    this.#link = link;
    this.#table = `${quoted(schema)}.notes`;
  }

  async read(name: string): Promise<string | undefined> {
    const rows = await this.#link.query<readonly [string]>(
      { text: `SELECT content FROM ${this.#table} WHERE name = $1` },
      [name],
    );
    return rows[0]?.[0];
  }

  async write(name: string, text: string): Promise<void> {
    await this.#link.query(
      {
        text: `INSERT INTO ${this.#table} (name, content) VALUES ($1, $2)
          ON CONFLICT (name) DO UPDATE SET content = excluded.content`,
      },
      [name, text],
    );
  }
}
