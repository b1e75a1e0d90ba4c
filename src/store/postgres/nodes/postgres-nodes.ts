import { repeat } from '../../../lib/time/repeat.ts';
import type { LiveNode, NodeRecord, NodeRegistry } from '../../contract/nodes.ts';
import type { PlaceNotes } from '../../contract/place.ts';
import { databaseMs } from '../claim/lease-sql.ts';
import type { ReconnectingSession } from '../connection/reconnecting-session.ts';
import { schemaVersion } from '../schema/create-schema.ts';

/** How often a node gives a sign of life, in milliseconds. */
const beatMs = 1_000;

/** Time after which a node without a sign of life is not listed, in seconds. */
const liveSeconds = 5;

/** Time after which its row is removed, in seconds. */
const keptSeconds = 3_600;

const publishText = `
  WITH old AS (
    DELETE FROM nodes WHERE seen_at < clock_timestamp() - interval '${keptSeconds} seconds'
  )
  INSERT INTO nodes (id, record, seen_at) VALUES ($1, $2, clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET record = excluded.record, seen_at = excluded.seen_at
  RETURNING ${databaseMs}`;

const liveText = `
  SELECT record, (extract(epoch FROM clock_timestamp() - seen_at) * 1000)::float8
  FROM nodes WHERE seen_at > clock_timestamp() - interval '${liveSeconds} seconds'
  ORDER BY position`;

/** The running nodes of a place, one row each. The time is that of the database. */
export function postgresNodes(connection: ReconnectingSession): NodeRegistry {
  return {
    async register(node, onFault) {
      let current = node;
      const publish = async (): Promise<void> => {
        const read = connection.hosts.clock.ask();
        const [row] = await connection.query<readonly [number]>(
          { name: 'publish-node', text: publishText },
          [current.instance, JSON.stringify(current)],
        );
        if (row !== undefined) read(row[0]);
      };
      await publish().catch(onFault);
      const beating = repeat(publish, { pauseMs: beatMs, onFault });
      return {
        async update(changed) {
          current = changed;
          await publish().catch(onFault);
        },
        async [Symbol.asyncDispose]() {
          await beating[Symbol.asyncDispose]();
          const text = 'DELETE FROM nodes WHERE id = $1';
          await connection.query({ text }, [current.instance]).catch(onFault);
        },
      };
    },

    async live(): Promise<readonly LiveNode[]> {
      if ((await schemaVersion(connection)) === undefined) return [];
      const rows = await connection.query<readonly [string, number]>({ text: liveText });
      return rows.map(([record, silentMs]) => ({
        ...(JSON.parse(record) as NodeRecord),
        silentMs: Math.max(0, Math.round(silentMs)),
      }));
    },
  };
}

/** Small texts beside the store, one row each. */
export function postgresNotes(connection: ReconnectingSession): PlaceNotes {
  return {
    async read(name) {
      const text = 'SELECT content FROM notes WHERE name = $1';
      return (await connection.query<readonly [string]>({ text }, [name]))[0]?.[0];
    },
    async write(name, content) {
      const text = `INSERT INTO notes (name, content) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET content = excluded.content`;
      await connection.query({ text }, [name, content]);
    },
  };
}
