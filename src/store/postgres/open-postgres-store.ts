import type { OpenMode } from '../contract/place.ts';
import type { Store } from '../contract/store.ts';
import type { Fence } from './claim/fence.ts';
import type { ReservedPurpose } from './claim/reserved-sessions.ts';
import { Link, type LinkDeps } from './connection/link.ts';
import type { Session } from './session/session.ts';
import { storeSessions, type StorePurpose } from './connection/store-sessions.ts';
import { Transactions } from './connection/transactions.ts';
import { postgresStore, type PostgresWriting } from './postgres-store.ts';
import { createSchema, requireSchema, schemaVersion } from './schema/create-schema.ts';
import { requireFinished } from './guard/copy-mark.ts';
import { Watch } from './watch/watch.ts';

/** Time without a response after which a connection counts as dead, if another one was found dead. */
const silentMs = 900;

/** The same for the connection of an import. */
const importSilentMs = 10_000;

/** Options of {@link openPostgresStore}. */
export interface PostgresOpenOptions {
  readonly mode: OpenMode;
  /** As in `PlaceOpenOptions`. */
  readonly isCopyTarget: boolean;
  readonly deps: LinkDeps;
  readonly fence: Fence;
  /** Aborts when the claim is lost. Imports of the former writer are then given up. */
  readonly lost: AbortSignal | undefined;
  /** Shown in `pg_stat_activity`, by what the connection is for. */
  readonly applicationName: (purpose: StorePurpose | ReservedPurpose) => string;
  /** The sessions that were reserved for this store while the process stood by, each at most once. */
  readonly reserved: (purpose: ReservedPurpose) => Session | undefined;
}

/**
 * Opens the store in a schema of a database.
 *
 * @throws StoreFault `unavailable`, `absent`, `schema-newer`, `schema-older`, `unfinished` or `corrupt`.
 */
export async function openPostgresStore({
  mode,
  isCopyTarget,
  deps,
  fence,
  lost,
  applicationName,
  reserved,
}: PostgresOpenOptions): Promise<Store> {
  const { schema, name: where } = deps.hosts.target;
  const channel = channelOf(schema);
  const link = (purpose: StorePurpose, session?: Session): Link =>
    new Link(
      deps,
      { ...storeSessions[purpose], applicationName: applicationName(purpose) },
      session,
    );
  await using opened = new AsyncDisposableStack();
  const reading = opened.use(link('read', reserved('read')));
  // A schema that exists is not locked, so nothing delays the writer that opens it.
  if (mode === 'create' && (await schemaVersion(reading, { schema, where })) === undefined) {
    const creating = opened.use(link('create'));
    const giveUp = (): void => creating.destroyIfSilent(0);
    lost?.addEventListener('abort', giveUp, { once: true });
    const session = await creating.session();
    await createSchema(session, { schema, where });
    await session.close();
  }
  await requireSchema(reading, { schema, where });
  if (!isCopyTarget) await requireFinished(reading, { schema, where });
  const importing = link('import');
  const writing: PostgresWriting | undefined =
    mode === 'read'
      ? undefined
      : {
          link: link('write', reserved('write')),
          changes: new Transactions(link('change')),
          imports: new Transactions(importing),
          fence,
        };
  const onDead = (): void => {
    reading.destroyIfSilent(silentMs);
    writing?.link.destroyIfSilent(silentMs);
    // The last statement of an import takes longer than any other.
    importing.destroyIfSilent(importSilentMs);
  };
  lost?.addEventListener('abort', () => importing.destroyIfSilent(0), { once: true });
  const watch = new Watch({
    deps,
    channel,
    applicationName: applicationName('watch'),
    onDead,
    session: reserved('watch'),
  });
  // From here on, the store owns the connections and closes them.
  opened.move();
  return postgresStore({ place: { schema, where, channel }, reading, writing, watch });
}

/** The channel of the notifications of a schema. The name of a schema is short enough for it. */
export function channelOf(schema: string): string {
  return `pizarra ${schema}`;
}
