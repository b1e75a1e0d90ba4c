import { repeat } from '../../../lib/time/repeat.ts';
import type { LiveNode, NodeRecord, NodeRegistration, NodeRegistry } from '../../contract/nodes.ts';
import { databaseMs } from '../claim/lease-sql.ts';
import type { DatabaseClock } from '../connection/database-clock.ts';
import type { Link } from '../connection/link.ts';
import { schemaVersion } from '../schema/create-schema.ts';
import { quoted } from '../session/session.ts';
import type { PlaceNotes } from '../../contract/place.ts';

/** How often a node gives a sign of life, in milliseconds. */
const beatMs = 1_000;

/** Time after which a node without a sign of life is not listed, in seconds. */
const liveSeconds = 5;

/** Time after which its row is removed, in seconds. */
const keptSeconds = 3_600;

type NodeRow = readonly [record: string, silentMs: number];

/** The running nodes of a place, one row each. The time is that of the database. */
export class PostgresNodes implements NodeRegistry {
  readonly #link: Link;
  readonly #schema: string;
  readonly #table: string;
  readonly #clock: DatabaseClock;

  constructor(
    link: Link,
    { schema, clock }: { readonly schema: string; readonly clock: DatabaseClock },
  ) {
    this.#link = link;
    this.#schema = schema;
    this.#clock = clock;
    this.#table = `${quoted(schema)}.nodes`;
  }

  async register(node: NodeRecord, onFault: (fault: unknown) => void): Promise<NodeRegistration> {
    let current = node;
    const publish = (): Promise<void> => this.#publish(current);
    await publish().catch(onFault);
    const beating = repeat(publish, { pauseMs: beatMs, onFault });
    return {
      update: async (changed) => {
        current = changed;
        await publish().catch(onFault);
      },
      [Symbol.asyncDispose]: async () => {
        await beating[Symbol.asyncDispose]();
        await this.#remove(current).catch(onFault);
      },
    };
  }

  async live(): Promise<readonly LiveNode[]> {
    const place = { schema: this.#schema, where: this.#link.where };
    if ((await schemaVersion(this.#link, place)) === undefined) return [];
    const rows = await this.#link.query<NodeRow>({
      text: `
        SELECT record, (extract(epoch FROM clock_timestamp() - seen_at) * 1000)::float8
        FROM ${this.#table} WHERE seen_at > clock_timestamp() - interval '${liveSeconds} seconds'
        ORDER BY position`,
    });
    return rows.map(([record, silentMs]) => ({
      ...(JSON.parse(record) as NodeRecord),
      silentMs: Math.max(0, Math.round(silentMs)),
    }));
  }

  async #publish(node: NodeRecord): Promise<void> {
    const read = this.#clock.ask();
    const [row] = await this.#link.query<readonly [number]>(
      {
        name: 'publish-node',
        text: `
          WITH old AS (
            DELETE FROM ${this.#table} WHERE seen_at < clock_timestamp() - interval '${keptSeconds} seconds'
          )
          INSERT INTO ${this.#table} (id, record, seen_at) VALUES ($1, $2, clock_timestamp())
          ON CONFLICT (id) DO UPDATE SET record = excluded.record, seen_at = excluded.seen_at
          RETURNING ${databaseMs}`,
      },
      [node.instance, JSON.stringify(node)],
    );
    if (row !== undefined) read(row[0]);
  }

  async #remove({ instance }: NodeRecord): Promise<void> {
    await this.#link.query({ text: `DELETE FROM ${this.#table} WHERE id = $1` }, [instance]);
  }
}

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
