import type { OpenMode } from '../contract/place.ts';
import { callMethod, mapMethods, type Store, type WriteSide } from '../contract/store.ts';
import { BarTidying } from '../tables/bars.ts';
import { readSide, tableWriters } from '../tables/tables.ts';
import type { Fence } from './claim/lease-sql.ts';
import type { SessionPurpose } from './connection/purposes.ts';
import { Transactions, type ReconnectingSession } from './connection/reconnecting-session.ts';
import { createSchema, requireSchema } from './schema/create-schema.ts';
import { requireFinished } from './health/inspect-schema.ts';
import { ChangeListener } from './watch/change-listener.ts';
import { StoreFault } from '../contract/store-fault.ts';
import { PgReader, PgWriter } from './sql/pg-driver.ts';
import { queries } from './sql/queries.ts';
import { pgHistoryWriter } from './write/pg-history-writer.ts';
import { PgQuoteWriter } from './write/pg-quote-writer.ts';

/** Time without a response after which a connection counts as dead, if another one was found dead. */
const silentMs = 900;

/** The same for the connection of an import. */
const importSilentMs = 10_000;

/** Options of {@link openPostgresStore}. */
export interface PostgresOpenOptions {
  readonly mode: OpenMode;
  /** As in `PlaceOpenOptions`. */
  readonly isCopyTarget: boolean;
  readonly fence: Fence;
  /** Aborts when the claim is lost. Imports of the former writer are then given up. */
  readonly lost: AbortSignal | undefined;
  /** A connection for one purpose. Its session may have been reserved while the process stood by. */
  readonly connection: (purpose: SessionPurpose) => ReconnectingSession;
}

/**
 * Opens the store in a schema of a database.
 *
 * @throws StoreFault `unavailable`, `absent`, `schema-newer`, `schema-older`, `unfinished` or `corrupt`.
 */
export async function openPostgresStore(own: PostgresOpenOptions): Promise<Store> {
  const { mode, lost, connection } = own;
  await using opened = new AsyncDisposableStack();
  const reading = opened.use(connection('read'));
  const { schema, where, channel } = reading;
  if (mode === 'create') {
    const creating = connection('create');
    lost?.addEventListener('abort', () => creating.destroyIfSilent(0), { once: true });
    await createSchema(reading, creating);
  }
  await requireSchema(reading);
  if (!own.isCopyTarget) await requireFinished(reading);
  const importing = connection('import');
  const writing: PostgresWriting | undefined =
    mode === 'read'
      ? undefined
      : {
          connection: connection('write'),
          changes: new Transactions(connection('change')),
          imports: new Transactions(importing),
          fence: own.fence,
        };
  const onDead = (): void => {
    reading.destroyIfSilent(silentMs);
    writing?.connection.destroyIfSilent(silentMs);
    // The last statement of an import takes longer than any other.
    importing.destroyIfSilent(importSilentMs);
  };
  lost?.addEventListener('abort', () => importing.destroyIfSilent(0), { once: true });
  const listener = new ChangeListener({ connection: connection('watch'), onDead });
  // From here on, the store owns the connections and closes them.
  opened.move();
  return postgresStore({ place: { schema, where, channel }, reading, writing, listener });
}

/** The names of the schema, of the place for people, and of the channel of its notifications. */
interface StorePlaceNames {
  readonly schema: string;
  readonly where: string;
  readonly channel: string;
}

/** The connections that write. Each one is opened when it is first used, unless a stand-by has reserved it. */
interface PostgresWriting {
  /** Statements that are complete in themselves. */
  readonly connection: ReconnectingSession;
  /** Transactions of keys, actions, indices and terms. */
  readonly changes: Transactions;
  /** Transactions of history, which may take minutes. */
  readonly imports: Transactions;
  readonly fence: Fence;
}

/**
 * A store in a schema of a PostgreSQL database. It owns its connections: one that reads, up to three that
 * write, and one that listens for changes once somebody subscribes to hints.
 */
function postgresStore(own: {
  readonly place: StorePlaceNames;
  readonly reading: ReconnectingSession;
  /** Absent for a store that was opened to read. */
  readonly writing: PostgresWriting | undefined;
  readonly listener: ChangeListener;
}): Store {
  const { place, reading, writing, listener } = own;
  const readers = readSide(new PgReader(reading, listener), queries);
  const writers = writing && writersOf(writing, place, () => listener.forget('closes'));
  return {
    ...mapMethods((method) => {
      if (method.kind !== 'write') return (...args) => callMethod(readers, method, args);
      // Only these writes change a revision. A commit of quotes with closes forgets that of the closes itself.
      const { part, name } = method;
      const hasRevision = part !== 'quotes' && part !== 'bars' && name !== 'noteUses';
      const subject = part === 'history' ? 'closes' : part;
      return async (...args) => {
        if (writers === undefined) {
          throw new StoreFault('unavailable', `${place.where} was opened read-only`);
        }
        const result = await callMethod(writers, method, args);
        if (hasRevision) listener.forget(subject);
        return result;
      };
    }),
    hints: listener,
    // Waits for pending transactions, then closes all connections.
    async [Symbol.asyncDispose]() {
      const connections = writing && [writing.imports, writing.changes, writing.connection];
      const owned = [listener, reading, ...(connections ?? [])];
      await Promise.all(owned.map((one) => one[Symbol.asyncDispose]()));
    },
  };
}

function writersOf(
  { connection, changes, imports, fence }: PostgresWriting,
  place: StorePlaceNames,
  onCloses: () => void,
): WriteSide {
  const { channel } = place;
  const sql = new PgWriter({ connection, fence, transactions: changes, channel });
  const bars = new BarTidying(sql, queries.bars);
  const onBars: BarTidying['added'] = (added) => bars.added(added);
  const quotes = new PgQuoteWriter({ connection, fence, channel, onBars });
  return {
    history: pgHistoryWriter(
      new PgWriter({ connection, fence, transactions: imports, channel }),
      place,
    ),
    ...tableWriters(sql),
    quotes: {
      async commit(commit) {
        const conflicts = await quotes.commit(commit);
        if (commit.closes.length > 0) onCloses();
        return conflicts;
      },
    },
    bars,
  };
}
